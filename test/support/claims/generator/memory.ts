import { int } from "../../generator/intTypes.ts";
import { anyType, type ClaimBuilder, name, topLevelName } from "./claimBuilder.ts";
import { cell, constant, index, scalar, target, value } from "./values.ts";

/** An array of `main`; some of its cells may have no value. */
export function declareArray(b: ClaimBuilder): string[] {
  const made = { name: name(b, "a"), type: anyType(b), length: b.choices.oneOf([4, 8, 3, 6, 16]) };
  const unset = b.themes.has("unset") && b.choices.chance(60);
  b.arrays.push(made);
  if (!unset) return [`${made.type.name} ${made.name}[${made.length}] = {${constant(b)}, ${constant(b)}};`];
  b.features.add("cells without a value");
  const first = b.choices.chance(60) ? [`${made.name}[${index(b, made.length)}] = ${constant(b)};`] : [];
  return [`${made.type.name} ${made.name}[${made.length}];`, ...first];
}

export function useArray(b: ClaimBuilder): string[] {
  if (b.arrays.length === 0) return declareArray(b);
  const to = target(b);
  return b.choices.weighted<() => string[]>([
    [4, () => [`${cell(b)} = ${value(b, 1)};`]],
    [to === null ? 0 : 4, () => [`${to} = ${cell(b)};`]],
    [2, () => [`${cell(b)} += ${value(b, 0)};`]],
    [1, () => [`${cell(b)} = ${cell(b)};`]],
  ])();
}

/** Pointers to variables: the one that is used depends on an index. */
export function usePointers(b: ClaimBuilder): string[] {
  const declared = b.tables.some(({ heap }) => !heap) ? [] : declarePointers(b);
  const table = b.tables.find(({ heap }) => !heap)!;
  const place = `*${table.name}[${index(b, table.length)}]`;
  const to = target(b);
  b.features.add("pointer by index");
  const uses = [`${place} = ${value(b, 1)};`, `${place} += 1;`, to === null ? `${place} = 0;` : `${to} = ${place};`];
  return [...declared, b.choices.oneOf(uses)];
}

function declarePointers(b: ClaimBuilder): string[] {
  const length = 2 + b.choices.pick(2);
  const unset = b.themes.has("unset");
  const names = [...Array(length).keys()].map(() => name(b, "x"));
  const table = { name: name(b, "p"), length, heap: false };
  const declared = names.map((x) => (unset && b.choices.chance(60) ? `int ${x};` : `int ${x} = ${constant(b)};`));
  const rows = names.map((x, i) => (i > 0 && b.choices.chance(10) ? "0" : `&${x}`));
  b.tables.push(table);
  b.scalars.push(...names.map((x) => ({ name: x, type: int, role: "local" as const })));
  return [...declared, `int *${table.name}[${length}] = {${rows.join(", ")}};`];
}

/** Blocks of the heap: which one is freed, how large it is and what is read of it depends on inputs. */
export function useHeap(b: ClaimBuilder): string[] {
  return b.choices.chance(50) ? useBlockTable(b) : useBlock(b);
}

function useBlockTable(b: ClaimBuilder): string[] {
  const declared = b.tables.some(({ heap }) => heap) ? [] : declareBlocks(b);
  const table = b.tables.find(({ heap }) => heap)!;
  const block = () => `${table.name}[${index(b, table.length)}]`;
  const to = target(b);
  b.features.add("block by index");
  const uses = [
    () => `free(${block()});`,
    () => `*${block()} = ${value(b, 0)};`,
    () => (to === null ? `free(${block()});` : `${to} = *${block()};`),
  ];
  const count = 1 + b.choices.pick(2);
  return [...declared, ...[...Array(count).keys()].map(() => b.choices.oneOf(uses)())];
}

function useBlock(b: ClaimBuilder): string[] {
  const declared = b.blocks.length > 0 && b.choices.chance(80) ? [] : allocate(b);
  const block = b.choices.oneOf(b.blocks);
  const to = target(b) ?? `${block}[0]`;
  const uses: readonly (readonly [number, () => string])[] = [
    [3, () => `${block}[${index(b, 4)}] = ${value(b, 1)};`],
    [3, () => `${to} = ${block}[${index(b, 4)}];`],
    [2, () => `free(${block});`],
    [1, () => `${block} = realloc(${block}, ${size(b)});`],
  ];
  return [...declared, b.choices.weighted(uses)()];
}

function declareBlocks(b: ClaimBuilder): string[] {
  const table = { name: name(b, "h"), length: 2, heap: true };
  b.tables.push(table);
  const rows = [0, 1].map(() => `malloc(${b.choices.oneOf(["sizeof(int)", "8", size(b)])})`);
  const lines = [`int *${table.name}[2] = {${rows.join(", ")}};`];
  return b.choices.chance(70)
    ? [...lines, `*${table.name}[0] = ${constant(b)};`, `*${table.name}[1] = ${constant(b)};`]
    : lines;
}

/** Bytes for a few numbers. */
function size(b: ClaimBuilder): string {
  const count = b.choices.oneOf([
    () => scalar(b, "input"),
    () => `(${scalar(b, "input")} + 1)`,
    () => `${1 + b.choices.pick(6)}`,
  ])();
  b.features.add("allocated size");
  return `${count} * sizeof(int)`;
}

function allocate(b: ClaimBuilder): string[] {
  const block = name(b, "q");
  b.blocks.push(block);
  const allocated = b.choices.oneOf([() => `malloc(${size(b)})`, () => `calloc(${scalar(b, "input")}, sizeof(int))`])();
  const filled = b.choices.chance(50) ? [`${block}[0] = ${constant(b)};`] : [];
  return [`int *${block} = ${allocated};`, ...filled];
}

/** A list with as many nodes as an input says, and a walk along it. */
export function useList(b: ClaimBuilder): string[] {
  const tag = topLevelName(b, "node");
  b.definitions.push(`struct ${tag} { int v; struct ${tag} *next; };`);
  const [list, i, p, sum] = ["list", "i", "p", "s"].map((prefix) => name(b, prefix)) as [
    string,
    string,
    string,
    string,
  ];
  const count = scalar(b, "input");
  const stop = b.choices.oneOf([p, `${p}->next`, `${p} && ${p}->v != ${constant(b)}`]);
  b.features.add("list");
  const lines = [
    `struct ${tag} *${list} = 0;`,
    `for (int ${i} = 0; ${i} < ${count}; ${i}++) {`,
    `  struct ${tag} *${p} = malloc(sizeof *${p});`,
    `  ${p}->v = ${b.choices.oneOf([i, constant(b), scalar(b)])};`,
    `  ${p}->next = ${list};`,
    `  ${list} = ${p};`,
    "}",
    `int ${sum} = 0;`,
    `for (struct ${tag} *${p} = ${list}; ${stop}; ${p} = ${p}->next) ${sum} += ${b.choices.oneOf(["1", `${p}->v`])};`,
  ];
  b.scalars.push({ name: sum, type: int, role: "local" });
  return lines;
}
