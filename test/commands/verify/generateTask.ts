import fc from "fast-check";
import { type Choices, makeChoices } from "../../support/generator/choices.ts";

/** The choices that tasks are made from. */
export const taskChoices: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), {
  minLength: 60,
  maxLength: 160,
  size: "max",
});

type Builder = { readonly choices: Choices; inputs: number; loops: number; depth: number; inLoop: boolean };

const scalars = ["x", "y", "z", "u", "c", "g"] as const;
/** Inputs of a program: so many values each, so that all runs can be tried. */
export const inputValues = 3;
const mostInputs = 4;

/**
 * A program that ends for all inputs, reads at most a few of them from a small domain, and may or may not violate an assertion,
 * overflow, divide by zero, or leave its array: loops, branches, calls, pointers, unsigned and narrow types, globals.
 */
export function generateTask(sequence: readonly number[]): string {
  const b: Builder = { choices: makeChoices(sequence), inputs: 0, loops: 0, depth: 0, inLoop: false };
  const body = block(b, 3 + b.choices.pick(4), "  ");
  const loops = Array.from({ length: b.loops }, (_, i) => `i${i} = 0`);
  return `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void); extern void __VERIFIER_assume(int);
int g; static unsigned char w; int a[4];
static int pick(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < ${inputValues}); return v; }
static int twice(int v) { int r = 0, k = 0; for (; k < 2; k++) r += v; return r; }
static void bump(int *p, int by) { if (by > 0) *p += by; else *p = *p - 1; }
int main(void) {
  int x = ${number(b)}, y = ${number(b)}, z = 0; unsigned u = ${b.choices.pick(3)}; unsigned char c = ${250 + b.choices.pick(6)};
${loops.length === 0 ? "" : `  int ${loops.join(", ")};`}
${body.join("\n")}
  if (${condition(b)}) reach_error();
  return 0;
}`;
}

function block(b: Builder, count: number, indent: string): string[] {
  return Array.from({ length: count }, () => statement(b, indent)).flat();
}

function statement(b: Builder, indent: string): string[] {
  const { choices } = b;
  const kind = choices.pick(14);
  const inner = `${indent}  `;
  if (kind < 4) return [`${indent}${target(b)} ${choices.oneOf(["=", "+=", "-=", "="])} ${value(b)};`];
  if (kind === 4 && b.inputs < mostInputs && !b.inLoop) {
    b.inputs++;
    return [`${indent}${choices.oneOf(["x", "y", "z", "g"])} = pick();`];
  }
  if (kind === 5) return [`${indent}bump(&${choices.oneOf(["g", "a[1]", "a[2]"])}, ${value(b)});`];
  if (kind === 6) return [`${indent}z = twice(${choices.oneOf(["x", "y", "1", "g"])});`];
  if (kind === 7 && b.inLoop) return [`${indent}if (${condition(b)}) ${choices.oneOf(["break", "continue"])};`];
  if (kind === 8) return [`${indent}if (${condition(b)}) reach_error();`];
  if (kind === 9) {
    const cases = [0, 1, 2].map((i) => `case ${i}: ${target(b)} = ${value(b)}; ${choices.chance(60) ? "break;" : ""}`);
    return [`${indent}switch (${choices.oneOf(["x", "y", "z & 3"])}) { ${cases.join(" ")} default: y++; }`];
  }
  if (b.depth >= 2) return [`${indent}${target(b)} = ${value(b)};`];
  b.depth++;
  const lines = kind < 12 ? loop(b, indent, inner) : branch(b, indent, inner);
  b.depth--;
  return lines;
}

function branch(b: Builder, indent: string, inner: string): string[] {
  const first = [`${indent}if (${condition(b)}) {`, ...block(b, 1 + b.choices.pick(2), inner)];
  return b.choices.chance(50)
    ? [...first, `${indent}} else {`, ...block(b, 1, inner), `${indent}}`]
    : [...first, `${indent}}`];
}

/** The counter is the loop's own and grows first, so that every loop ends. */
function loop(b: Builder, indent: string, inner: string): string[] {
  const counter = `i${b.loops++}`;
  const bound = b.choices.oneOf(["2", "3", "5", "x & 3", "twice(1)"]);
  const before = b.inLoop;
  b.inLoop = true;
  const body = block(b, 1 + b.choices.pick(3), inner);
  b.inLoop = before;
  if (b.choices.chance(20))
    return [`${indent}do { if (++${counter} > 6) break;`, ...body, `${indent}} while (${condition(b)});`];
  return [`${indent}for (${counter} = 0; ${counter}++ < (${bound});) {`, ...body, `${indent}}`];
}

function target(b: Builder): string {
  return b.choices.oneOf([
    "x",
    "y",
    "z",
    "u",
    "c",
    "g",
    "w",
    "a[0]",
    "a[z & 3]",
    b.choices.chance(15) ? "a[y]" : "a[3]",
  ]);
}

function value(b: Builder): string {
  const { choices } = b;
  const one = choices.oneOf([...scalars, "w", "a[1]", "a[x & 3]", number(b)]);
  switch (choices.pick(9)) {
    case 0:
      return `${one} + ${choices.oneOf(scalars)}`;
    case 1:
      return `${one} - ${number(b)}`;
    case 2:
      return `${one} * ${choices.oneOf(["2", "3", "x", "1000000000"])}`;
    case 3:
      return `${one} / ${choices.oneOf(["2", "3", "x", "-1"])}`;
    case 4:
      return `${one} % ${choices.oneOf(["2", "3", "5", "y"])}`;
    case 5:
      return `(${condition(b)} ? ${one} : ${number(b)})`;
    case 6:
      return `(unsigned char)(${one})`;
    case 7:
      return `(${one} ${choices.oneOf(["&", "|", "^"])} ${choices.oneOf(["1", "3", "12"])})`;
    default:
      return one;
  }
}

function condition(b: Builder): string {
  const { choices } = b;
  const left = choices.oneOf([...scalars, "w", "x + y", "a[2]", "x - z"]);
  const right = choices.oneOf([number(b), choices.oneOf(scalars), "1", "0"]);
  const simple = `${left} ${choices.oneOf(["<", "<=", "==", "!=", ">", ">="])} ${right}`;
  return choices.chance(25)
    ? `${simple} && ${choices.oneOf(scalars)} ${choices.oneOf(["<", ">"])} ${number(b)}`
    : simple;
}

function number(b: Builder): string {
  return b.choices.oneOf(["0", "1", "2", "-1", "3", "7", "2147483647", "255"]);
}
