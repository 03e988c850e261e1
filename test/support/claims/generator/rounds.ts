import { int } from "../../generator/intTypes.ts";
import { indent } from "../../generator/statements.ts";
import { anyType, type ClaimBuilder, inLoop, name, type Scalar, scoped } from "./claimBuilder.ts";
import { condition, constant, scalar, target, value } from "./values.ts";

/** Makes the statements of a loop's body. */
export type Body = () => string[];

/** A loop whose number of rounds mostly depends on an input. */
export function loop(b: ClaimBuilder, body: Body): string[] {
  return b.choices.weighted<() => string[]>([
    [6, () => forLoop(b, body)],
    [3, () => strideLoop(b, body)],
    [2, () => doLoop(b, body)],
    [2, () => countDown(b, body)],
    [1, () => endlessLoop(b, body)],
    [1, () => gotoLoop(b, body)],
    [2, () => numberLoop(b, body)],
  ])();
}

function bound(b: ClaimBuilder): string {
  return b.choices.weighted<() => string>([
    [5, () => scalar(b, "input")],
    [2, () => `${2 + b.choices.pick(9)}`],
    [1, () => scalar(b)],
    [1, () => value(b, 1)],
  ])();
}

function newCounter(b: ClaimBuilder): Scalar {
  return { name: name(b, "i"), type: b.choices.chance(40) ? anyType(b) : int, role: "counter" };
}

/** The lines of a body in which a counter can be read. */
function bodyWith(b: ClaimBuilder, counter: Scalar | null, body: Body): string[] {
  return indent(
    inLoop(b, () => {
      if (counter !== null) b.scalars.push(counter);
      return body();
    }),
  );
}

function forLoop(b: ClaimBuilder, body: Body): string[] {
  const counter = newCounter(b);
  const { name: i, type } = counter;
  const start = b.choices.chance(25) ? constant(b) : "0";
  const relation = b.choices.weighted([
    [5, "<"],
    [2, "<="],
    [1, "!="],
  ]);
  const step = b.choices.oneOf([
    `${i}++`,
    `++${i}`,
    `${i} += ${1 + b.choices.pick(3)}`,
    `${i} += ${scalar(b, "input")}`,
  ]);
  const update = b.choices.chance(60) ? `${i}++` : step;
  const head = `for (${type.name} ${i} = ${start}; ${i} ${relation} ${bound(b)}; ${update}) {`;
  return [head, ...bodyWith(b, counter, body), "}"];
}

/** `while (i < n) i += s;` */
function strideLoop(b: ClaimBuilder, body: Body): string[] {
  const counter = newCounter(b);
  const { name: i, type } = counter;
  const stride = b.choices.oneOf([
    () => "1",
    () => scalar(b, "input"),
    () => `${1 + b.choices.pick(4)}`,
    () => scalar(b),
  ])();
  const advance = b.choices.chance(20) ? `if (${condition(b, 0)}) ${i} += ${stride};` : `${i} += ${stride};`;
  const more = b.choices.chance(25) ? ` && ${condition(b, 0)}` : "";
  const lines = bodyWith(b, counter, body);
  const own = b.choices.chance(50) ? [`  ${advance}`, ...lines] : [...lines, `  ${advance}`];
  b.scalars.push(counter);
  return [
    `${type.name} ${i} = 0;`,
    `while (${i} ${b.choices.oneOf(["<", "<=", "!="])} ${bound(b)}${more}) {`,
    ...own,
    "}",
  ];
}

function doLoop(b: ClaimBuilder, body: Body): string[] {
  const counter = newCounter(b);
  const { name: i, type } = counter;
  const lines = bodyWith(b, counter, body);
  b.scalars.push(counter);
  return [`${type.name} ${i} = 0;`, "do {", ...lines, `  ${i}++;`, `} while (${i} < ${bound(b)});`];
}

/** The input itself is counted down. */
function countDown(b: ClaimBuilder, body: Body): string[] {
  const counted = target(b);
  if (counted === null) return forLoop(b, body);
  const head = b.choices.oneOf([
    `while (${counted}-- > 0) {`,
    `while (--${counted} > 0) {`,
    `for (; ${counted} != 0; ${counted}--) {`,
    `while (${counted}-- != 1) {`,
  ]);
  return [head, ...bodyWith(b, null, body), "}"];
}

function endlessLoop(b: ClaimBuilder, body: Body): string[] {
  const counter = newCounter(b);
  const { name: i, type } = counter;
  const test = `  if (${i} ${b.choices.oneOf([">=", "==", ">"])} ${bound(b)}) break;`;
  const lines = bodyWith(b, counter, body);
  b.scalars.push(counter);
  return [`${type.name} ${i} = 0;`, "for (;;) {", test, ...lines, `  ${i}++;`, "}"];
}

function gotoLoop(b: ClaimBuilder, body: Body): string[] {
  const counter = newCounter(b);
  const { name: i, type } = counter;
  const label = name(b, "L");
  // What leaves a loop has no meaning here.
  const lines = scoped(b, () => {
    b.scalars.push(counter);
    return body();
  });
  b.scalars.push(counter);
  return [`${type.name} ${i} = 0;`, `${label}:;`, ...lines, `if (++${i} < ${bound(b)}) goto ${label};`];
}

/** Loops that end for reasons of arithmetic, if they end. */
function numberLoop(b: ClaimBuilder, body: Body): string[] {
  const x = target(b);
  if (x === null) return forLoop(b, body);
  const other = scalar(b);
  b.features.add("loop on a number");
  const [head, ...own] = b.choices.oneOf([
    [`while (${x} > 1) {`, `  ${x} /= 2;`],
    [`while (${x} != 1) {`, `  ${x} = ${x} % 2 ? 3 * ${x} + 1 : ${x} / 2;`],
    [`while (${x} < ${other}) {`, `  ${x} *= 2;`],
    [`while (${x} % 5 != 0) {`, `  ${x} += ${other};`],
    [`while (${x} != ${other}) {`, `  if (${x} > ${other}) ${x} -= ${1 + b.choices.pick(2)}; else ${x}++;`],
    [`while (${x}) {`, `  ${x} &= ${x} - 1;`],
  ]);
  return [head!, ...own, ...(b.choices.chance(40) ? bodyWith(b, null, body) : []), "}"];
}
