import {
  type IntType,
  int,
  intTypes,
  literal,
  long,
  longLong,
  short,
  signedChar,
  unsigned,
  unsignedLongLong,
  wideSigned,
  wideUnsigned,
} from "./intTypes.ts";
import { elementOf, type Place, readablePlaces } from "./places.ts";
import { type Builder, visible } from "./scope.ts";

/**
 * An integer expression of the program under construction. `type` is null where it depends on the data model or is a
 * bit-field's: such an expression is converted before it is used in arithmetic that could overflow.
 *
 * The order in which C evaluates operands is open, so an expression has at most one operand that branches or writes
 * between two sequence points: `pure` ones do neither, `branching` ones only branch.
 */
export type Text = { readonly text: string; readonly type: IntType | null; readonly level: number };

export const PRIMARY = 16;
export const UNARY = 15;
const LEVELS: Readonly<Record<string, number>> = {
  "*": 13,
  "/": 13,
  "%": 13,
  "+": 12,
  "-": 12,
  "<<": 11,
  ">>": 11,
  "<": 10,
  "<=": 10,
  ">": 10,
  ">=": 10,
  "==": 9,
  "!=": 9,
  "&": 8,
  "^": 7,
  "|": 6,
  "&&": 5,
  "||": 4,
  "?": 3,
  "=": 2,
  ",": 1,
};

/** The text, in parentheses where its operator binds less tightly than `level`. */
export function at(level: number, e: Text): string {
  return e.level < level ? `(${e.text})` : e.text;
}

export function as(type: IntType, e: Text): Text {
  return e.type === type ? e : { text: `(${type.name})${at(UNARY, e)}`, type, level: UNARY };
}

export function infix(left: Text, operator: string, right: Text, type: IntType | null): Text {
  const level = LEVELS[operator]!;
  return { text: `${at(level, left)} ${operator} ${at(level + 1, right)}`, type, level };
}

export function constant(b: Builder, type: IntType = b.choices.oneOf(intTypes)): Text {
  const text = literal(b.choices, type);
  return { text, type: type.narrow ? int : type, level: PRIMARY };
}

/** An expression that nothing in the same full expression can change: a constant or a loop counter. */
export function frozen(b: Builder): Text {
  const counters = visible(b, "scalar").filter((entity) => entity.frozen);
  if (counters.length === 0 || b.choices.chance(50)) return constant(b);
  const counter = b.choices.oneOf(counters);
  return { text: counter.name, type: counter.type, level: PRIMARY };
}

export function pure(b: Builder, depth: number): Text {
  const { choices } = b;
  if (depth <= 0 || choices.exhausted()) return leaf(b);
  return choices.weighted<() => Text>([
    [3, () => leaf(b)],
    [2, () => as(choices.oneOf(intTypes), pure(b, depth - 1))],
    [2, () => unary(b, pure(b, depth - 1))],
    [6, () => arithmetic(b, pure(b, depth - 1), pure(b, depth - 1))],
    [3, () => comparison(b, pure(b, depth - 1), pure(b, depth - 1))],
    [2, () => infix(pure(b, depth - 1), choices.oneOf(["&", "|", "^"]), pure(b, depth - 1), null)],
    [1, () => pointerFact(b)],
    [1, () => floatFact(b, depth)],
  ])();
}

/** May branch (`?:`, `&&`, `||`), in a defined order. */
export function branching(b: Builder, depth: number): Text {
  const { choices } = b;
  if (depth <= 0 || choices.exhausted()) return pure(b, depth);
  return choices.weighted<() => Text>([
    [3, () => pure(b, depth)],
    [2, () => condition(b, depth - 1)],
    [2, () => conditional(b, depth)],
    [1, () => arithmetic(b, branching(b, depth - 1), pure(b, depth - 1))],
    [1, () => comparison(b, pure(b, depth - 1), branching(b, depth - 1))],
  ])();
}

/** Something to branch on. */
export function condition(b: Builder, depth: number): Text {
  const { choices } = b;
  return choices.weighted<() => Text>([
    [5, () => comparison(b, pure(b, depth), pure(b, depth - 1))],
    [2, () => pure(b, depth)],
    [depth > 0 ? 2 : 0, () => infix(condition(b, depth - 1), "&&", condition(b, depth - 1), int)],
    [depth > 0 ? 2 : 0, () => infix(condition(b, depth - 1), "||", condition(b, depth - 1), int)],
    [depth > 0 ? 1 : 0, () => not(condition(b, depth - 1))],
    [depth > 0 ? 1 : 0, () => conditional(b, depth)],
  ])();
}

export function not(e: Text): Text {
  return { text: `!${at(UNARY, e)}`, type: int, level: UNARY };
}

function conditional(b: Builder, depth: number): Text {
  const [c, x, y] = [condition(b, depth - 1), branching(b, depth - 1), branching(b, depth - 1)];
  return { text: `${at(4, c)} ? ${at(3, x)} : ${at(3, y)}`, type: null, level: LEVELS["?"]! };
}

export function readOf(place: Place): Text {
  return { text: place.text, type: place.bitField ? null : place.type, level: PRIMARY };
}

function leaf(b: Builder): Text {
  const { choices } = b;
  const places = readablePlaces(b);
  return choices.weighted<() => Text>([
    [3, () => constant(b)],
    [places.length > 0 ? 8 : 0, () => readOf(choices.oneOf(places)(b))],
    [b.enumerators.length > 0 ? 1 : 0, () => ({ text: choices.oneOf(b.enumerators), type: int, level: PRIMARY })],
    [1, () => sizeof(b)],
  ])();
}

function sizeof(b: Builder): Text {
  const arrays = visible(b, "array");
  const subject =
    arrays.length > 0 && b.choices.chance(50) ? b.choices.oneOf(arrays).name : b.choices.oneOf(intTypes).name;
  return as(int, { text: `sizeof(${subject})`, type: null, level: UNARY });
}

function unary(b: Builder, e: Text): Text {
  const { choices } = b;
  const operator = choices.pick(3);
  if (operator === 0) return not(e);
  if (operator === 1) return { text: `~${at(PRIMARY, e)}`, type: null, level: UNARY };
  const type = b.wild ? choices.oneOf(wideSigned) : choices.oneOf([short, signedChar, ...wideUnsigned]);
  return { text: `-${at(PRIMARY, as(type, e))}`, type: type.narrow ? int : type, level: UNARY };
}

export function comparison(b: Builder, left: Text, right: Text): Text {
  return infix(left, b.choices.oneOf(["<", "==", "!=", "<=", ">", ">="]), right, int);
}

/** Arithmetic that is defined for all operands (or, in a wild program, for some). */
export function arithmetic(b: Builder, left: Text, right: Text): Text {
  const { choices } = b;
  if (b.wild && choices.chance(40)) return wildArithmetic(b, left, right);
  return choices.weighted<() => Text>([
    [3, () => unsignedArithmetic(b, left, right)],
    [3, () => narrowArithmetic(b, left, right)],
    [2, () => wideSignedArithmetic(b, left, right)],
    [1, () => infix(as(unsignedLongLong, left), choices.oneOf(["+", "-", "*"]), right, unsignedLongLong)],
    [1, () => infix(as(unsigned, left), choices.oneOf(["+", "-", "*"]), as(short, right), unsigned)],
  ])();
}

function wildArithmetic(b: Builder, left: Text, right: Text): Text {
  const type = b.choices.oneOf(wideSigned);
  const operator = b.choices.oneOf(["+", "-", "*", "/", "%", "<<", ">>"]);
  if (operator === "<<" || operator === ">>") return infix(as(type, left), operator, masked(b, right, 127), type);
  return infix(as(type, left), operator, as(type, right), type);
}

function unsignedArithmetic(b: Builder, left: Text, right: Text): Text {
  const type = b.choices.oneOf(wideUnsigned);
  const operator = b.choices.oneOf(["+", "-", "*", "/", "%", "<<", ">>", "&"]);
  if (operator === "<<" || operator === ">>") {
    return infix(as(type, left), operator, masked(b, right, type.bits - 1), type);
  }
  const divisor = operator === "/" || operator === "%";
  return infix(as(type, left), operator, divisor ? orOne(as(type, right)) : as(type, right), type);
}

function narrowArithmetic(b: Builder, left: Text, right: Text): Text {
  const operator = b.choices.oneOf(["+", "-", "*", "/", "%", ">>", "<<"]);
  if (operator === ">>") return infix(as(short, left), operator, masked(b, right, 31), int);
  if (operator === "<<") return infix(masked(b, left, 255), operator, masked(b, right, 15), int);
  const divisor = operator === "/" || operator === "%";
  return infix(as(short, left), operator, divisor ? orOne(as(signedChar, right)) : as(signedChar, right), int);
}

/** Operands in a part of the range that keeps the result inside it. */
function wideSignedArithmetic(b: Builder, left: Text, right: Text): Text {
  const { choices } = b;
  const type = choices.oneOf(wideSigned);
  const two: Text = { text: "2", type: int, level: PRIMARY };
  const quarter = (e: Text) => infix(as(type, e), ">>", two, type);
  return choices.weighted<() => Text>([
    [3, () => infix(quarter(left), choices.oneOf(["+", "-"]), quarter(right), type)],
    [1, () => infix(as(longLong, as(int, left)), "*", as(int, right), longLong)],
    [2, () => infix(as(type, left), choices.oneOf(["/", "%"]), positive(b), type)],
    [1, () => infix(as(type, left), ">>", masked(b, right, 31), type)],
    [1, () => infix(as(long, as(short, left)), "+", as(int, as(short, right)), long)],
  ])();
}

function positive(b: Builder): Text {
  return { text: `${1 + b.choices.pick(9)}`, type: int, level: PRIMARY };
}

function orOne(e: Text): Text {
  return { text: `${at(7, e)} | 1`, type: e.type, level: LEVELS["|"]! };
}

export function masked(b: Builder, e: Text, mask: number): Text {
  const style = b.choices.pick(3);
  if (style === 0) return { text: `${1 + b.choices.pick(Math.min(mask, 7))}`, type: int, level: PRIMARY };
  const inner = style === 1 ? as(int, e) : as(unsigned, e);
  return infix(inner, "&", { text: `${mask}`, type: int, level: PRIMARY }, inner.type);
}

/** A difference or comparison of pointers into one array. */
function pointerFact(b: Builder): Text {
  const pointers = visible(b, "pointer");
  if (pointers.length === 0) return leaf(b);
  const pointer = b.choices.oneOf(pointers);
  const [i, j] = [elementOf(b, pointer.length), elementOf(b, pointer.length)];
  if (b.choices.chance(50)) {
    return as(int, { text: `(&${pointer.name}[${i}] - (${pointer.name} + ${j}))`, type: null, level: PRIMARY });
  }
  const operator = b.choices.oneOf(["<", "==", "!=", ">="]);
  return { text: `(&${pointer.name}[${i}] ${operator} &${pointer.name}[${j}])`, type: int, level: PRIMARY };
}

function floatFact(b: Builder, depth: number): Text {
  const operator = b.choices.oneOf(["<", "<=", ">", ">=", "=="]);
  return { text: `(${floating(b, depth - 1)} ${operator} ${floating(b, 0)})`, type: int, level: PRIMARY };
}

/** A floating expression, in parentheses where it is not primary. */
export function floating(b: Builder, depth: number): string {
  const { choices } = b;
  const variables = visible(b, "floating");
  if (depth <= 0 || choices.exhausted()) {
    if (variables.length > 0 && choices.chance(60)) return choices.oneOf(variables).name;
    return choices.oneOf(["0.5", "1.25", "3.0", "0.1", "100.75f", "0.3f", "1e3"]);
  }
  return choices.weighted<() => string>([
    [2, () => floating(b, 0)],
    [2, () => `(${floating(b, depth - 1)} ${choices.oneOf(["+", "-", "*"])} ${floating(b, depth - 1)})`],
    [1, () => `(${floating(b, depth - 1)} / ${choices.oneOf(["2.0", "3.0f", "0.7"])})`],
    [
      1,
      () =>
        `(${choices.oneOf(["double", "float"])})${at(UNARY, as(choices.oneOf([short, int, unsigned]), pure(b, depth - 1)))}`,
    ],
    [1, () => `(float)${floating(b, depth - 1)}`],
    [1, () => `(-${floating(b, depth - 1)})`],
  ])();
}
