import { expect, it } from "vitest";
import { double, int, pointer } from "../../../src/c/library/entry.ts";
import { byteBuffer } from "../../../src/c/library/files.ts";
import { type Extent, type MemoryUse, pointeeSize } from "../../../src/c/library/memoryUse.ts";
import { createStream, type StreamMode } from "../../../src/c/library/stdio/streams.ts";
import { type LibraryFunction, libraryFunctions, parameterIndex } from "../../../src/c/library/table.ts";
import type { ScalarValue } from "../../../src/ir/scalarValue.ts";
import type { ScalarType } from "../../../src/ir/type.ts";
import { createFakeHost, type FakeHost, type Touched, Undefined } from "./support/fakeHost.ts";

/**
 * What the table says of a function's memory is what the function does: on every combination of a few arguments it
 * touches nothing else, sets `errno` to nothing else, and does each thing at least once.
 */
const strings = ["", "a", "12 3", "-99999999999999999999999", "1e999", "x,y"];
const sizes = [0, 1, 3, 8, 2 ** 50];
const integers = [-1, 0, 10, 65];
const floats = [0, -1, 0.5, 2, -2.5, 800, -800, 1.7e308, -1.7e308, Number.POSITIVE_INFINITY, Number.MIN_VALUE];
const formats = { print: ["", "%d", "%d %s", "%s"], scan: ["%d%ld", "%d%n", "%lf", "%3s"] };
const stdin = "17 99999999999999999999999 x\nline two\n";

const paths = ["in.txt", "missing", "locked", "folder", "in.txt/x", "/etc/passwd", "x".repeat(300)];

/** Makes one argument; a choice of these for each parameter. */
type Maker = (host: FakeHost) => ScalarValue;

const fileMode = { reads: true, writes: true, appends: false, seeks: true, isFolder: false };

const opened = (mode: StreamMode) => (host: FakeHost) => {
  const pointer = host.newObject(216);
  const content = byteBuffer(Buffer.from("12 1e999\nsecond line\n"));
  host.state.streams.opened.set(pointer, createStream("f", 3, mode, content));
  return pointer;
};
const openFile = opened(fileMode);
const openFolder = opened({ ...fileMode, writes: false, isFolder: true });

const text = (content: string, room: number) => (host: FakeHost) => {
  const bytes = new Uint8Array(Math.max(room, content.length + 1)).fill(0xaa);
  bytes.set(Buffer.from(`${content}\0`, "latin1"));
  return host.object(bytes);
};

const pointerTo = (content: string) => (host: FakeHost) => {
  const at = host.object(new Uint8Array(8));
  host.pointers.set(at, text(content, 0)(host));
  return at;
};

function makersFor(known: LibraryFunction, index: number): readonly Maker[] {
  const { name, type } = known.parameters[index]!;
  const kind = known.signature.parameters[index]!;
  const value = (v: ScalarValue) => () => v;
  if (name === "format") {
    const isScan = known.name.endsWith("scanf");
    return (isScan ? formats.scan : formats.print).map((content) => text(content, 0));
  }
  if (type === "FILE *") return [value(1), value(2), openFile, openFolder];
  if (name === "path" || known.name === "rename") return paths.map((content) => text(content, 0));
  if (name === "mode" && kind === "string") return ["r", "w", "wx", "a+", "q"].map((content) => text(content, 0));
  if (known.memory.some((use) => use.kind === "frees" && use.at === name)) {
    return [value(0), (host) => host.object(new Uint8Array(8))];
  }
  if (kind === "string" || kind === "pointer") {
    const isWritten = known.memory.some((use) => "at" in use && use.kind !== "reads" && use.at === name);
    const isEnd = known.memory.some(
      (use) => "extent" in use && use.extent.kind === "pointee" && "at" in use && use.at === name,
    );
    if (name === "place") return [text("", 16), pointerTo("a,b"), pointerTo("xy")];
    if (isEnd) return type === "char **" ? [value(0), text("", 16)] : [text("", 16)];
    return isWritten || known.memory.some((use) => use.kind === "copies" && use.to === name)
      ? [text("", 64), text("ba,b", 64)]
      : strings.map((content) => text(content, 12));
  }
  if (kind === "float" || kind === "double" || kind === "long double") return floats.map(value);
  return (kind === "size" ? sizes : integers).map(value);
}

function combinations(known: LibraryFunction): readonly (readonly Maker[])[] {
  let all: Maker[][] = [[]];
  known.parameters.forEach((_, index) => {
    all = all.flatMap((made) => makersFor(known, index).map((maker) => [...made, maker]));
  });
  return all;
}

/** Variadic arguments: a number and a place for one, or a text. */
function variadic(
  known: LibraryFunction,
  host: FakeHost,
): { readonly values: ScalarValue[]; readonly types: ScalarType[] } {
  if (!known.signature.variadic) return { values: [], types: [] };
  if (known.name.endsWith("scanf")) {
    return { values: [text("", 32)(host), text("", 32)(host)], types: [pointer, pointer] };
  }
  return { values: [7, text("seven", 0)(host)], types: [int, pointer] };
}

type Seen = { readonly errnos: Set<string>; wrote: boolean; gave: boolean; freed: boolean; calls: number };

function tryAll(known: LibraryFunction): Seen {
  const seen: Seen = { errnos: new Set(), wrote: false, gave: false, freed: false, calls: 0 };
  for (const makers of combinations(known)) {
    const types: ScalarType[] = known.signature.parameters.map((type) =>
      type === "pointer" || type === "string" ? pointer : type === "double" ? double : int,
    );
    const host = createFakeHost(known, types, stdin);
    const args = makers.map((maker) => maker(host));
    const more = variadic(known, host);
    types.push(...more.types);
    // `%s` takes the text where the format has no number before it.
    const values = [...args, ...more.values];
    const allowed = known.memory.flatMap((use) => rangesOf(known, host, values, use));
    let result: ScalarValue | undefined;
    try {
      result = known.run(host, ...(values as never[]));
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
    }
    check(known, host, allowed);
    if (known.returns !== null && result !== undefined)
      expect(result).toBe(values[parameterIndex(known, known.returns)]);
    for (const name of host.errnos) seen.errnos.add(name);
    seen.wrote ||= host.touched.some(
      ({ access, at }) => access === "write" && !host.given.some((block) => at >= block),
    );
    seen.gave ||= host.given.length > 0;
    seen.freed ||= host.released.length > 0;
    seen.calls++;
  }
  return seen;
}

type Range = Touched;

/** What a use allows to be touched, in the memory before the call. */
function rangesOf(known: LibraryFunction, host: FakeHost, values: readonly ScalarValue[], use: MemoryUse): Range[] {
  if (use.kind === "frees" || use.kind === "remembers") return [];
  const all = (parameter: string): ScalarValue[] =>
    parameter === "..." ? values.slice(known.parameters.length) : [values[parameterIndex(known, parameter)]!];
  const range = (access: Range["access"], at: string, extent: Extent, measured = at): Range[] =>
    all(at).flatMap((place, i) => {
      if (typeof place !== "number" || place < 65536) return [];
      return [{ access, at: place, size: sizeAt(known, host, values, extent, at, Number(all(measured)[i])) }];
    });
  switch (use.kind) {
    case "reads":
      return range("read", use.at, use.extent);
    case "writes":
    case "fills":
      return range("write", use.at, use.extent);
    case "copies":
      return [...range("read", use.from, use.extent), ...range("write", use.to, use.extent, use.from)];
  }
}

function sizeAt(
  known: LibraryFunction,
  host: FakeHost,
  values: readonly ScalarValue[],
  extent: Extent,
  parameter: string,
  place: number,
): number {
  const argument = (name: string) => Number(values[parameterIndex(known, name)]);
  switch (extent.kind) {
    case "bytes":
      return extent.factors.reduce((product, factor) => product * argument(factor), 1);
    case "pointee":
      return pointeeSize(known.parameters[parameterIndex(known, parameter)]!.type, 8);
    case "string": {
      const length = host.bytesAt(place).indexOf(0) + 1;
      return extent.atMost === null ? length : Math.min(length, argument(extent.atMost));
    }
    case "format":
    case "unbounded":
      return host.bytesAt(place).length;
  }
}

function check(known: LibraryFunction, host: FakeHost, allowed: readonly Range[]): void {
  for (const { access, at, size } of host.touched) {
    // What only an address in memory leads to.
    const led = [...host.given, ...host.pointers.values()];
    if (led.some((block) => at >= block && at < block + 65536)) continue;
    const covered = allowed.some(
      (range) => range.access === access && at >= range.at && at + size <= range.at + range.size,
    );
    expect(covered, `${known.name} ${access}s ${size} bytes that the table does not allow`).toBe(true);
  }
  for (const name of host.errnos) expect(Object.keys(known.errno), known.name).toContain(name);
  // Blocks that only an address in memory leads to.
  if (known.memory.some(({ kind }) => kind === "remembers")) return;
  if (host.given.length > 0) expect(known.allocates, known.name).not.toBeNull();
  if (host.released.length > 0) expect(known.memory.map(({ kind }) => kind)).toContain("frees");
}

it.each([...libraryFunctions()].map((known) => [known.name, known] as const))("%s", (_, known) => {
  const seen = tryAll(known);
  expect([...seen.errnos].toSorted()).toEqual(Object.keys(known.errno).toSorted());
  expect(seen.wrote).toBe(known.memory.some(({ kind }) => kind === "writes" || kind === "fills" || kind === "copies"));
  const keepsBlocks = known.memory.some(({ kind }) => kind === "remembers");
  if (!keepsBlocks) expect(seen.gave).toBe(known.allocates !== null);
  expect(seen.freed).toBe(known.memory.some(({ kind }) => kind === "frees"));
  expect(seen.calls).toBeGreaterThan(0);
});
