/**
 * A TrueType font in which each character is the same block, and the space is empty. With it a picture of a page does
 * not depend on the fonts of a machine.
 */
export function blockFont(): Buffer {
  const tables: readonly (readonly [tag: string, table: Buffer])[] = [
    ["OS/2", windowsMetrics()],
    ["cmap", characterMap()],
    ["glyf", words([...block, ...block])],
    ["head", header()],
    ["hhea", words([1, 0, ascent, -descent, 0, advance, 0, 0, advance, 1, ...zeros(7), glyphs])],
    ["hmtx", words(Array.from({ length: glyphs }, () => [advance, 0]).flat())],
    // Where outlines begin, in words: the space has none.
    ["loca", words([0, block.length, 2 * block.length, 2 * block.length])],
    ["maxp", words([1, 0, glyphs, 4, 1, 0, 0, 1, ...zeros(8)])],
    ["name", words([0, 0, 6])],
    ["post", words([3, 0, 0, 0, -100, 50, 0, 1, ...zeros(8)])],
  ];
  return withDirectory(tables);
}

const unitsPerEm = 1000;
const ascent = 800;
const descent = 200;
const advance = 600;
const height = 500;

/** 0 stands for characters that are missing, 1 is the block, 2 the space. */
const glyphs = 3;

/** One contour of four points on the line: its box, its last point, the points' flags, and the way to each point. */
const block = [1, 50, 0, 550, height, 3, 0, 0x0101, 0x0101, 50, 0, 500, 0, 0, height, 0, -height];

function header(): Buffer {
  const magic = [0x5f0f, 0x3cf5];
  const box = [0, -descent, advance, ascent];
  return words([1, 0, 1, 0, 0, 0, ...magic, 0, unitsPerEm, ...zeros(8), ...box, 0, 8, 2, 0, 0]);
}

function windowsMetrics(): Buffer {
  const scripts = [650, 600, 0, 75, 650, 600, 0, 350];
  const lines = [ascent, -descent, 0, ascent, descent];
  return words([
    ...[4, advance, 400, 5, 0, ...scripts, 50, 300, 0],
    ...zeros(15),
    ...[0x40, 32, 0xffff, ...lines, ...zeros(4), height, height, 0, 32, 0],
  ]);
}

/** Format 13: all characters of a range have the same glyph. */
function characterMap(): Buffer {
  const ranges = [
    [0x20, 0x20, 2],
    [0x21, 0x9f, 1],
    [0xa0, 0xa0, 2],
    [0xa1, 0xffff, 1],
  ];
  const long = (value: number) => [value >>> 16, value & 0xffff];
  const format = [13, 0, ...long(16 + 12 * ranges.length), ...long(0), ...long(ranges.length)];
  return words([0, 1, 3, 10, ...long(12), ...format, ...ranges.flatMap((range) => range.flatMap(long))]);
}

function withDirectory(tables: readonly (readonly [tag: string, table: Buffer])[]): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.length);
  const power = Math.floor(Math.log2(tables.length));
  words([1, 0, tables.length, 16 * 2 ** power, power, 16 * (tables.length - 2 ** power)]).copy(directory);
  const parts = [directory];
  let offset = directory.length;
  for (const [i, [tag, table]] of tables.entries()) {
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    const at = 12 + 16 * i;
    directory.write(tag, at, "latin1");
    directory.writeUInt32BE(sumOf(padded), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(table.length, at + 12);
    parts.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(parts);
}

function sumOf(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * i);
  return bytes;
}

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}
