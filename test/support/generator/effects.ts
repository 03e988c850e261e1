import { arithmetic, as, at, floating, frozen, infix, PRIMARY, pure, type Text, UNARY } from "./expressions.ts";
import { type IntType, int, intTypes, short, signedChar, wideUnsigned } from "./intTypes.ts";
import { type Place, writablePlaces } from "./places.ts";
import { type Builder, type Entity, type FunctionShape, visible } from "./scope.ts";

/** An expression with one side effect; the rest of it is not affected by it. `writes` is the local it changes. */
export type Effect = Text & { readonly writes: string | null };

export function effect(b: Builder, depth: number): Effect {
  const { choices } = b;
  const direct = choices.weighted<() => Effect | null>([
    [3, () => callInteger(b)],
    [2, () => increment(b)],
    [2, () => assignment(b)],
    [2, () => input(b)],
    [1, () => callThroughTable(b)],
    [1, () => ({ text: `(int)tame(${floating(b, 2)})`, type: int, level: UNARY, writes: null })],
    ...(b.files ? fileEffects(b) : []),
    [2, () => (depth > 0 ? combined(b, effect(b, depth - 1)) : null)],
    [1, () => (depth > 0 ? sequenced(b, depth) : null)],
  ])();
  return direct ?? input(b);
}

/** Calls of `fileFunctions`. */
function fileEffects(b: Builder): [number, () => Effect | null][] {
  const call = (text: string): Effect => ({ text, type: int, level: PRIMARY, writes: null });
  const index = () => `(unsigned)${at(UNARY, pure(b, 1))}`;
  return [
    [1, () => call(`stored(${at(2, pure(b, 1))})`)],
    [1, () => call(`inner(${index()}, 7)`)],
    [1, () => (b.wild ? call(`cell(${index()})`) : null)],
  ];
}

/** The effect beside operands that it cannot change. */
function combined(b: Builder, inner: Effect): Effect {
  const e = b.choices.chance(50)
    ? arithmetic(b, inner, frozen(b))
    : infix(inner, b.choices.oneOf(["<", "==", "!="]), frozen(b), int);
  return { ...e, writes: inner.writes };
}

/** A sequence point stands between the effect and the rest. */
function sequenced(b: Builder, depth: number): Effect {
  const inner = effect(b, depth - 1);
  const style = b.choices.pick(4);
  const operand = pure(b, depth - 1);
  if (style === 0) return { ...infix(inner, ",", operand, operand.type), writes: inner.writes };
  if (style === 1) return { ...infix(operand, "&&", inner, int), writes: inner.writes };
  if (style === 2) return { ...infix(inner, "||", operand, int), writes: inner.writes };
  const text = `${at(4, operand)} ? ${at(3, inner)} : ${at(3, pure(b, depth - 1))}`;
  return { text, type: null, level: 3, writes: inner.writes };
}

export function input(b: Builder): Effect {
  const word = b.choices.oneOf(["int", "short", "char", "long"]);
  const type = intTypes.find((t) => t.name === word)!;
  return { text: `__VERIFIER_nondet_${word}()`, type, level: PRIMARY, writes: null };
}

function ownScalars(b: Builder) {
  return visible(b, "scalar").filter((entity) => entity.plain && !entity.frozen);
}

function increment(b: Builder): Effect | null {
  const candidates = ownScalars(b).filter((entity) => mayIncrement(b, entity.type));
  if (candidates.length === 0) return null;
  const { name, type } = b.choices.oneOf(candidates);
  const operator = b.choices.oneOf(["++", "--"]);
  const prefix = b.choices.chance(50);
  return { text: prefix ? operator + name : name + operator, type, level: prefix ? UNARY : PRIMARY, writes: name };
}

export function mayIncrement(b: Builder, type: IntType): boolean {
  return b.wild || type.narrow || !type.signed;
}

function assignment(b: Builder): Effect | null {
  const candidates = ownScalars(b);
  if (candidates.length === 0) return null;
  const target = b.choices.oneOf(candidates);
  const place: Place = { text: target.name, type: target.type, bitField: false };
  const text = b.choices.chance(50) ? compoundAssignment(b, place) : `${target.name} = ${at(2, pure(b, 1))}`;
  return { text: `(${text})`, type: target.type, level: PRIMARY, writes: target.name };
}

/** `place op= value`, defined for all values unless the program is wild. */
export function compoundAssignment(b: Builder, place: Place): string {
  const { choices } = b;
  const { text, type } = place;
  const value = pure(b, 2);
  if (choices.chance(25)) return `${text} ${choices.oneOf(["&=", "|=", "^="])} ${at(2, value)}`;
  if (b.wild && choices.chance(50)) {
    const operator = choices.oneOf(["+=", "-=", "*=", "/=", "%=", "<<=", ">>="]);
    return operator.length === 3
      ? `${text} ${operator} ${at(9, as(int, value))} & 63`
      : `${text} ${operator} ${at(2, as(choices.oneOf([int, short, signedChar]), value))}`;
  }
  if (choices.chance(15)) return `${text} ${choices.oneOf(["/=", "%="])} ${1 + choices.pick(9)}`;
  if (choices.chance(15)) return `${text} >>= ${at(9, as(int, value))} & ${type.narrow ? 7 : 31}`;
  const operator = choices.oneOf(["+=", "-=", "*="]);
  if (type.narrow || place.bitField) {
    const operand = as(operator === "*=" ? signedChar : short, value);
    if (place.bitField && operator === "*=") return `${text} += ${at(2, operand)}`;
    return `${text} ${operator} ${at(2, operand)}`;
  }
  if (type.signed) return `${text} = (${text} >> 2) ${choices.oneOf(["+", "-"])} ${at(13, as(short, value))}`;
  if (choices.chance(20)) return `${text} <<= ${at(9, as(int, value))} & ${type.bits - 1}`;
  return `${text} ${operator} ${at(2, as(type, value))}`;
}

function isInteger(result: FunctionShape["result"]): result is IntType {
  return "bits" in result;
}

function callInteger(b: Builder): Effect | null {
  const candidates = b.functions.filter((f) => isInteger(f.result));
  if (candidates.length === 0) return null;
  const f = b.choices.oneOf(candidates);
  const call = callText(b, f);
  return call === null ? null : { text: call, type: f.result as IntType, level: PRIMARY, writes: null };
}

function callThroughTable(b: Builder): Effect | null {
  if (b.operations === 0) return null;
  const [left, right] = [pure(b, 1), pure(b, 1)];
  const index = `(unsigned)${at(UNARY, pure(b, 1))} % ${b.operations}u`;
  const callee = b.choices.chance(20) ? `(*operations[${index}])` : `operations[${index}]`;
  return { text: `${callee}(${at(2, left)}, ${at(2, right)})`, type: int, level: PRIMARY, writes: null };
}

/** A call with arguments from what is in scope; null where a struct or array argument has no candidate. */
export function callText(b: Builder, f: FunctionShape): string | null {
  const inside = b.scopes.flat().some((entity) => entity.name === "budget");
  const parts: string[] = [];
  for (const [index, parameter] of f.parameters.entries()) {
    if (f.recursive && index === 0) {
      parts.push(inside ? "budget - 1" : `${b.choices.pick(5)}`);
      continue;
    }
    const argument = argumentFor(b, parameter);
    if (argument === null) return null;
    parts.push(argument);
  }
  return `${f.name}(${parts.join(", ")})`;
}

function argumentFor(b: Builder, parameter: Entity): string | null {
  const { choices } = b;
  switch (parameter.kind) {
    case "scalar":
      return at(2, pure(b, 2));
    case "pointer": {
      const arrays = visible(b, "array").filter(
        (a) => a.type === parameter.type && a.dimensions.length === 1 && a.dimensions[0]! >= parameter.length,
      );
      const pointers = visible(b, "pointer").filter((p) => p.type === parameter.type && p.length >= parameter.length);
      const names = [...arrays, ...pointers].map((entity) => entity.name);
      return names.length > 0 ? choices.oneOf(names) : null;
    }
    case "struct": {
      const same = visible(b, "struct").filter((s) => s.type === parameter.type);
      const pointed = visible(b, "structPointer").filter((s) => s.type === parameter.type);
      const texts = [...same.map((s) => s.name), ...pointed.map((s) => `*${s.name}`)];
      return texts.length > 0 ? choices.oneOf(texts) : null;
    }
    case "structPointer": {
      const same = visible(b, "struct").filter((s) => s.type === parameter.type);
      return same.length > 0 ? `&${choices.oneOf(same).name}` : null;
    }
    default:
      return null;
  }
}

/** A place that no effect of `e` can change the meaning of: a local whose address is not taken, or null. */
export function targetBeside(b: Builder, e: Effect): Place | null {
  const candidates = ownScalars(b).filter((entity) => entity.name !== e.writes);
  if (candidates.length === 0) return null;
  const target = b.choices.oneOf(candidates);
  return { text: target.name, type: target.type, bitField: false };
}

export function anyPlace(b: Builder): Place | null {
  const candidates = writablePlaces(b);
  return candidates.length === 0 ? null : b.choices.oneOf(candidates)(b);
}

export const counterTypes: readonly IntType[] = [int, ...wideUnsigned, short];
