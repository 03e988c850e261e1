import { int } from "../../generator/intTypes.ts";
import { indent } from "../../generator/statements.ts";
import { functionTable } from "./calls.ts";
import { type ClaimBuilder, name } from "./claimBuilder.ts";
import { constant } from "./values.ts";

/**
 * A short program in which an input chooses: the function that is called, the block that is freed, the cell that gets a value, how much is
 * allocated or copied. Whether it fails depends on that choice and nothing else, so a claim that takes it from the run is false.
 */
export function chosen(b: ClaimBuilder): string[] {
  return b.choices.weighted<() => string[]>([
    [4, () => chosenFunction(b)],
    [3, () => freedBlock(b)],
    [3, () => allocatedSize(b)],
    [3, () => copiedSize(b)],
    [2, () => writtenCell(b)],
    [2, () => writtenVariable(b)],
    [2, () => freedInLoop(b)],
  ])();
}

/** An input from 0 to `most`, kept there in one of some ways. */
function choiceUpTo(b: ClaimBuilder, most: number, least = 0): { readonly lines: string[]; readonly k: string } {
  const k = name(b, "k");
  b.scalars.push({ name: k, type: int, role: "input" });
  const read = `int ${k} = __VERIFIER_nondet_int();`;
  const guards = [
    `if (${k} < ${least} || ${k} > ${most}) return 0;`,
    `__VERIFIER_assume(${k} >= ${least} && ${k} <= ${most});`,
    `if (!(${least} <= ${k} && ${k} <= ${most})) exit(0);`,
  ];
  if (least === 0 && (most & (most + 1)) === 0) guards.push(`${k} &= ${most};`);
  return { lines: [read, b.choices.oneOf(guards)], k };
}

/** `int r = …`, of which the end of the program may say something. */
function result(b: ClaimBuilder, text: string): string[] {
  const r = name(b, "r");
  b.scalars.push({ name: r, type: int, role: "local" });
  return [`int ${r} = ${text};`];
}

/** In rounds, so that each of them chooses, or once. */
function chosenFunction(b: ClaimBuilder): string[] {
  b.features.add("indirect call");
  functionTable(b);
  const { call, length } = b.callees[0]!;
  if (b.choices.chance(70)) {
    const { lines, k } = choiceUpTo(b, length - 1);
    return [...lines, ...result(b, call(k, constant(b)))];
  }
  const { lines, k: n } = choiceUpTo(b, 12, 1);
  const [i, k] = [name(b, "i"), name(b, "k")];
  const r = result(b, "0");
  const to = b.scalars.at(-1)!.name;
  const body = [`int ${k} = __VERIFIER_nondet_int();`, `${to} = ${call(`${k} & 1`, constant(b))};`];
  return [...lines, ...r, `for (int ${i} = 0; ${i} < ${n}; ${i}++) {`, ...indent(body), "}"];
}

function freedBlock(b: ClaimBuilder): string[] {
  b.features.add("block by index");
  const count = 2 + b.choices.pick(2);
  const h = name(b, "h");
  const rows = [...Array(count).keys()].map(() => "malloc(sizeof(int))");
  const filled = [...Array(count).keys()].map((i) => `*${h}[${i}] = ${constant(b)};`);
  const { lines, k } = choiceUpTo(b, count - 1);
  const other = b.choices.pick(count);
  const use = b.choices.oneOf([
    () => result(b, `*${h}[${other}]`),
    () => [`*${h}[${other}] = ${constant(b)};`],
    () => [`free(${h}[${other}]);`],
  ])();
  return [`int *${h}[${count}] = {${rows.join(", ")}};`, ...filled, ...lines, `free(${h}[${k}]);`, ...use];
}

function allocatedSize(b: ClaimBuilder): string[] {
  b.features.add("allocated size");
  const { lines, k } = choiceUpTo(b, 3 + b.choices.pick(12), 1);
  const q = name(b, "q");
  const at = b.choices.pick(6);
  const made = b.choices.oneOf([
    [`int *${q} = malloc(${k} * sizeof(int));`],
    [`int *${q} = calloc(${k}, sizeof(int));`],
    [`int *${q} = malloc(sizeof(int));`, `${q} = realloc(${q}, ${k} * sizeof(int));`],
  ]);
  const use = b.choices.oneOf([
    () => [`${q}[${at}] = ${constant(b)};`],
    () => [`${q}[0] = ${constant(b)};`, ...result(b, `${q}[${at}]`)],
  ])();
  return [...lines, ...made, ...use];
}

function copiedSize(b: ClaimBuilder): string[] {
  b.features.add("copied size");
  const [to, from] = [name(b, "d"), name(b, "t")];
  const room = 2 + b.choices.pick(6);
  const { lines, k } = choiceUpTo(b, 11, 1);
  const declared = [`char ${to}[${room}];`, `char ${from}[12] = "abcdefghijk";`];
  const copied = b.choices.oneOf([
    [`memcpy(${to}, ${from}, ${k});`],
    [`memset(${to}, ${from}[0], ${k});`],
    [`memmove(${to}, ${from}, ${k});`],
    [`${from}[${k}] = 0;`, `strcpy(${to}, ${from});`],
    [`strncpy(${to}, ${from}, ${k});`],
  ]);
  const read = b.choices.chance(40) ? result(b, `${to}[${b.choices.pick(room)}]`) : [];
  return [...declared, ...lines, ...copied, ...read];
}

function writtenCell(b: ClaimBuilder): string[] {
  b.features.add("cells without a value");
  const a = name(b, "a");
  const length = 2 + b.choices.pick(4);
  const { lines, k } = choiceUpTo(b, length - 1);
  return [
    `int ${a}[${length}];`,
    ...lines,
    `${a}[${k}] = ${constant(b)};`,
    ...result(b, `${a}[${b.choices.pick(length)}]`),
  ];
}

function writtenVariable(b: ClaimBuilder): string[] {
  b.features.add("pointer by index");
  const [x, y, p] = [name(b, "x"), name(b, "x"), name(b, "p")];
  const { lines, k } = choiceUpTo(b, 1);
  const declared = [`int ${x}, ${y};`, `int *${p}[2] = {&${x}, &${y}};`];
  return [...declared, ...lines, `*${p}[${k}] = ${constant(b)};`, ...result(b, b.choices.oneOf([x, y]))];
}

/** Freed in a round that the recorded run need not come to. */
function freedInLoop(b: ClaimBuilder): string[] {
  b.features.add("block freed in a loop");
  const [q, i] = [name(b, "q"), name(b, "i")];
  const { lines, k: n } = choiceUpTo(b, 40, 1);
  const body = [`if (${i} == ${5 + b.choices.pick(20)}) free(${q});`, `*${q} = *${q} + 1;`];
  return [
    ...lines,
    `int *${q} = malloc(sizeof(int));`,
    `*${q} = ${b.choices.pick(9)};`,
    `for (int ${i} = 0; ${i} < ${n}; ${i}++) {`,
    ...indent(body),
    "}",
    ...result(b, `*${q}`),
  ];
}
