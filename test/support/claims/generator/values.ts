import { int, literal } from "../../generator/intTypes.ts";
import { anyType, type ClaimBuilder, type Scalar } from "./claimBuilder.ts";

/** A small number, now and then one at the end of a type. */
export function constant(b: ClaimBuilder): string {
  return b.choices.weighted<() => string>([
    [12, () => `${b.choices.pick(10)}`],
    [2, () => `${10 + b.choices.pick(40)}`],
    [1, () => `(-${1 + b.choices.pick(9)})`],
    [1, () => literal(b.choices, int)],
  ])();
}

export function scalar(b: ClaimBuilder, role?: Scalar["role"]): string {
  const candidates = role === undefined ? b.scalars : b.scalars.filter((each) => each.role === role);
  return candidates.length === 0 ? constant(b) : b.choices.oneOf(candidates).name;
}

/** A variable that statements may write, seldom an input. */
export function target(b: ClaimBuilder): string | null {
  const locals = b.scalars.filter(({ role }) => role === "local");
  const candidates =
    locals.length > 0 && b.choices.chance(85) ? locals : b.scalars.filter(({ role }) => role !== "counter");
  return candidates.length === 0 ? null : b.choices.oneOf(candidates).name;
}

/** An integer expression; what it does may be undefined for some values. */
export function value(b: ClaimBuilder, depth: number): string {
  const { choices } = b;
  const inner = () => value(b, depth - 1);
  const deep = depth > 0 ? 1 : 0;
  const wild = b.themes.has("arithmetic") ? deep : 0;
  return choices.weighted<() => string>([
    [3, () => scalar(b)],
    [3, () => scalar(b, "input")],
    [b.loops > 0 ? 3 : 0, () => scalar(b, "counter")],
    [2, () => constant(b)],
    [4 * deep, () => `(${varying(b, depth - 1)} ${choices.oneOf(["+", "-"])} ${inner()})`],
    [deep, () => `(${varying(b, depth - 1)} * ${constant(b)})`],
    [deep, () => `(${inner()} & ${choices.oneOf(["1", "3", "7"])})`],
    [deep, () => `(${condition(b, depth - 1)} ? ${inner()} : ${inner()})`],
    [wild, () => `(${varying(b, depth - 1)} * ${inner()})`],
    [2 * wild, () => `(${inner()} ${choices.oneOf(["/", "%"])} ${divisor(b)})`],
    [2 * wild, () => `(${choices.oneOf(["1", scalar(b)])} ${choices.oneOf(["<<", ">>"])} ${distance(b)})`],
    [2 * wild, () => `(${anyType(b).name})${operand(inner())}`],
    [wild, () => `(${inner()} ${choices.oneOf(["|", "^"])} ${inner()})`],
    [wild, () => `-${operand(varying(b, depth - 1))}`],
    [b.arrays.length > 0 ? 2 : 0, () => cell(b)],
    [b.callees.length > 0 ? 1 : 0, () => indirectCall(b)],
  ])();
}

/** An expression with a variable in it: what gcc computes itself it does not check. */
function varying(b: ClaimBuilder, depth: number): string {
  const text = value(b, depth);
  return /\b[a-z]+\d/.test(text) ? text : scalar(b);
}

/** An operand of a cast or of a minus sign. */
function operand(text: string): string {
  return /^[\w[\]]+$/.test(text) || /^\((?!-)/.test(text) ? text : `(${text})`;
}

function divisor(b: ClaimBuilder): string {
  b.features.add("division");
  return b.choices.oneOf([
    () => `${2 + b.choices.pick(8)}`,
    () => scalar(b, "input"),
    () => `(${scalar(b)} - ${b.choices.pick(9)})`,
  ])();
}

function distance(b: ClaimBuilder): string {
  b.features.add("shift");
  return b.choices.oneOf([() => `${b.choices.pick(6)}`, () => scalar(b, "input"), () => scalar(b)])();
}

/** An index that is mostly, but not always, below `length`. */
export function index(b: ClaimBuilder, length: number): string {
  return b.choices.weighted<() => string>([
    [2, () => `${b.choices.pick(length)}`],
    [3, () => scalar(b)],
    [b.loops > 0 ? 3 : 0, () => scalar(b, "counter")],
    [2, () => `(unsigned)${scalar(b)} % ${length}`],
    [(length & (length - 1)) === 0 ? 2 : 0, () => `${scalar(b)} & ${length - 1}`],
    [1, () => `${scalar(b)} ${b.choices.oneOf(["+", "-"])} 1`],
  ])();
}

export function cell(b: ClaimBuilder): string {
  const array = b.choices.oneOf(b.arrays);
  return `${array.name}[${index(b, array.length)}]`;
}

export function indirectCall(b: ClaimBuilder): string {
  b.features.add("indirect call");
  const { call, length } = b.choices.oneOf(b.callees);
  return call(index(b, length), value(b, 0));
}

export function condition(b: ClaimBuilder, depth: number): string {
  const { choices } = b;
  const relation = () => choices.oneOf(["<", ">", "==", "!=", "<=", ">="]);
  return choices.weighted<() => string>([
    [4, () => `${scalar(b)} ${relation()} ${constant(b)}`],
    [2, () => `${scalar(b)} ${relation()} ${scalar(b)}`],
    [1, () => `${value(b, depth)} ${relation()} ${value(b, 0)}`],
    [depth > 0 ? 1 : 0, () => `(${condition(b, 0)} ${choices.oneOf(["&&", "||"])} ${condition(b, 0)})`],
    [1, () => scalar(b)],
  ])();
}

/** True for few values only: what happens then is not what the recorded run shows. */
export function rareCondition(b: ClaimBuilder): string {
  const subject = b.loops > 0 && b.choices.chance(60) ? scalar(b, "counter") : scalar(b);
  return `${subject} ${b.choices.oneOf(["==", ">", "=="])} ${3 + b.choices.pick(30)}`;
}
