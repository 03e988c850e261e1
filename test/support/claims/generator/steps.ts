import { int } from "../../generator/intTypes.ts";
import { indent } from "../../generator/statements.ts";
import { anyType, type ClaimBuilder, name, reader, scoped, type Theme } from "./claimBuilder.ts";
import { useLibrary } from "./library.ts";
import { declareArray, useArray, useHeap, useList, usePointers } from "./memory.ts";
import { loop } from "./rounds.ts";
import { cell, condition, constant, indirectCall, rareCondition, scalar, target, value } from "./values.ts";

/** Some statements; `depth` bounds how deep loops and branches are nested. */
export function steps(b: ClaimBuilder, most: number, depth: number): string[] {
  const count = 1 + b.choices.pick(most);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) lines.push(...step(b, depth));
  return lines;
}

function step(b: ClaimBuilder, depth: number): string[] {
  const { choices } = b;
  const deep = depth > 0 ? 1 : 0;
  const about = (theme: Theme, weight: number) => (b.themes.has(theme) ? weight : 0);
  const inner = (most: number) => () => steps(b, most, depth - 1);
  return choices.weighted<() => string[]>([
    [4, () => assign(b)],
    [b.loops > 0 ? deep : 9 * deep, () => loop(b, inner(2))],
    [deep, () => branch(b, inner(2))],
    [b.loops > 0 ? 6 : 1, () => rare(b)],
    [about("array", 5), () => useArray(b)],
    [about("pointer", 5), () => usePointers(b)],
    [about("heap", 5), () => useHeap(b)],
    [b.loops > 0 ? 0 : about("heap", 1), () => useList(b)],
    [about("call", 5), () => call(b)],
    [about("library", 5), () => useLibrary(b)],
    [about("unset", 3), () => unset(b)],
    [about("exit", 3), () => leave(b, condition(b, 0))],
    [b.loops > 0 ? 2 : 0, () => readInput(b)],
    [deep, () => switchOn(b, inner(1))],
    [about("exit", 1), () => [`assert(${condition(b, 0)});`]],
  ])();
}

function assign(b: ClaimBuilder): string[] {
  const to = target(b);
  if (to === null) return declareLocal(b);
  return b.choices.weighted<() => string[]>([
    [4, () => [`${to} = ${value(b, 2)};`]],
    [4, () => [`${to} += ${value(b, 1)};`]],
    [2, () => [`${to}++;`]],
    [1, () => [`${to} -= ${value(b, 0)};`]],
    [b.loops > 0 ? 0 : 2, () => declareLocal(b)],
  ])();
}

export function declareLocal(b: ClaimBuilder): string[] {
  const made = { name: name(b, "v"), type: b.choices.chance(30) ? anyType(b) : int, role: "local" as const };
  const line = `${made.type.name} ${made.name} = ${b.choices.chance(60) ? constant(b) : value(b, 1)};`;
  b.scalars.push(made);
  return [line];
}

function branch(b: ClaimBuilder, body: () => string[]): string[] {
  const head = `if (${condition(b, 1)}) {`;
  const then = indent(scoped(b, body));
  return b.choices.chance(40) ? [head, ...then, "} else {", ...indent(scoped(b, body)), "}"] : [head, ...then, "}"];
}

/** What happens for few values only; the recorded run need not show it. */
function rare(b: ClaimBuilder): string[] {
  const head = `if (${rareCondition(b)})`;
  const to = target(b) ?? scalar(b);
  const what = b.choices.weighted<() => string[]>([
    [3, () => [`${to} = ${constant(b)} / (${scalar(b)} - ${b.choices.pick(9)});`]],
    [2, () => [`${to} = 1 << ${scalar(b)};`]],
    [2, () => [`${to} += 2000000000;`]],
    [b.arrays.length > 0 ? 3 : 0, () => [`${cell(b)} = 1;`]],
    [b.blocks.length > 0 ? 4 : 0, () => [`free(${b.choices.oneOf(b.blocks)});`]],
    [2, () => leave(b, null)],
    [2, () => unset(b)],
    [1, () => ["*(int *)0 = 1;"]],
    [1, () => ["for (;;) { }"]],
    [1, () => ["abort();"]],
    [1, () => [`while (${scalar(b)} ${b.choices.oneOf(["==", ">"])} ${b.choices.pick(9)}) { }`]],
    [b.callees.length > 0 ? 3 : 0, () => [`${to} = ${indirectCall(b)};`]],
  ])();
  b.features.add("rare case");
  return [`${head} {`, ...indent(what), "}"];
}

function call(b: ClaimBuilder): string[] {
  const to = target(b);
  if (b.callees.length === 0) return assign(b);
  return [`${to === null ? "" : `${to} = `}${indirectCall(b)};`];
}

/** A variable that has a value on some paths only. */
function unset(b: ClaimBuilder): string[] {
  const made = name(b, "u");
  const to = target(b) ?? made;
  b.features.add("variable without a value");
  return ["{", `  int ${made};`, `  if (${condition(b, 0)}) ${made} = ${constant(b)};`, `  ${to} = ${made};`, "}"];
}

function leave(b: ClaimBuilder, when: string | null): string[] {
  const how = b.choices.weighted([
    [b.loops > 0 ? 4 : 0, "break;"],
    [b.loops > 0 ? 1 : 0, "continue;"],
    [2, "return 0;"],
    [1, "exit(0);"],
  ]);
  b.features.add("early exit");
  return [when === null ? how : `if (${when}) ${how}`];
}

function readInput(b: ClaimBuilder): string[] {
  const to = b.scalars.filter(({ role }) => role === "local");
  if (to.length === 0) return assign(b);
  const chosen = b.choices.oneOf(to);
  b.features.add("input in a loop");
  return [`${chosen.name} = ${reader(chosen.type)}();`];
}

function switchOn(b: ClaimBuilder, body: () => string[]): string[] {
  const cases = [0, 1].flatMap(() => [
    `  case ${b.choices.pick(6)}: {`,
    ...indent(indent(scoped(b, () => withoutLoop(b, body)))),
    `  }${b.choices.chance(70) ? " break;" : ""}`,
  ]);
  const other = ["  default: {", ...indent(indent(scoped(b, () => withoutLoop(b, body)))), "  }"];
  const subject = `${scalar(b)} & 7`;
  return [`switch (${subject}) {`, ...distinct(cases), ...other, "}"];
}

/** `break` and `continue` would mean something else, or nothing. */
function withoutLoop(b: ClaimBuilder, body: () => string[]): string[] {
  const loops = b.loops;
  b.loops = 0;
  const lines = body();
  b.loops = loops;
  return lines;
}

/** Labels of a switch differ. */
function distinct(cases: readonly string[]): string[] {
  let used = -1;
  return cases.map((line) => {
    const label = /^ {2}case (\d+): \{$/.exec(line);
    if (label === null) return line;
    const number = Number(label[1]) === used ? used + 1 : Number(label[1]);
    used = number;
    return `  case ${number}: {`;
  });
}

export function declarations(b: ClaimBuilder): string[] {
  const lines: string[] = [];
  for (let i = b.choices.pick(3); i > 0; i--) lines.push(...declareLocal(b));
  if (b.themes.has("array")) lines.push(...declareArray(b));
  return lines;
}
