import { assertNever } from "../base/errors.ts";
import type { BinaryOperator, ComparisonOperator } from "../ir/expression.ts";
import { type BoolType, type FloatType, type IntType, rangeOfInt, type ScalarType } from "../ir/type.ts";
import type { FloatOperator } from "../logic/floatOperator.ts";
import { isWithin, rangeOf } from "../logic/range.ts";
import { isFalse, type Term } from "../logic/term.ts";
import { objectInAddress, type TranslationScope } from "./stepEnvironment.ts";
import { readAddress } from "./symbolicState.ts";

/** A value of one scalar type as one of another, by C's rules. */
export function convertValue(scope: TranslationScope, value: Term, from: ScalarType, to: ScalarType): Term {
  const { terms, range } = scope.symbols;
  if (to.kind === "float") return convertToFloat(scope, value, from, to);
  if (from.kind === "float") return convertFromFloat(scope, value, to);
  if (keepsValue(from, to)) return value;
  switch (to.kind) {
    case "bool":
      return terms.ite(terms.ne(value, terms.int(0n)), terms.int(1n), terms.int(0n));
    case "pointer":
      return from.kind === "pointer" ? value : integerToPointer(scope, value);
    case "int":
      return from.kind === "pointer"
        ? pointerToInteger(scope, value, to)
        : terms.wrap(value, to.bits, to.signed, range);
    default:
      return assertNever(to, "type");
  }
}

/** Does the conversion keep every value? */
export function keepsValue(from: ScalarType, to: ScalarType): boolean {
  if (!isInteger(from) || !isInteger(to)) return from.kind === "pointer" && to.kind === "pointer";
  const [low, high] = rangeOfInt(from);
  const [min, max] = rangeOfInt(to);
  return min <= low && high <= max;
}

function isInteger(type: ScalarType): type is IntType | BoolType {
  return type.kind === "int" || type.kind === "bool";
}

/** Numbers below the first address are the same as an address and as an integer. */
export function isPlain(value: bigint): boolean {
  return value >= 0n && value < 4096n;
}

/** With 64 bits an address is its number. With 32 bits a program sees another number, which the logic does not know. */
function pointerToInteger(scope: TranslationScope, value: Term, to: IntType): Term {
  const { terms, program, range } = scope.symbols;
  const known = program.pointerBytes === 8 || (value.kind === "int" && isPlain(value.value));
  return known ? terms.wrap(value, to.bits, to.signed, range) : scope.approximate("an address as a number", to);
}

function integerToPointer(scope: TranslationScope, value: Term): Term {
  const { terms, program, range } = scope.symbols;
  const type = { kind: "pointer", to: { kind: "void" } } as const;
  if (program.pointerBytes === 4) {
    const known = terms.wrap(value, 32, false, range);
    return known.kind === "int" && isPlain(known.value) ? known : scope.approximate("a number as an address", type);
  }
  const address = terms.wrap(value, 64, true, range);
  const object = objectInAddress(scope.symbols, address);
  // Arithmetic on numbers may lead from one object to another; arithmetic on addresses may not. Hide where it came from.
  if (object === null || isNear(terms.sub(address, readAddress(scope.state, object)))) return address;
  const hidden = scope.symbols.pointerNear(object);
  scope.learn(terms.eq(hidden, address));
  return hidden;
}

function isNear(offset: Term): boolean {
  return offset.kind === "int" && offset.value >= -(1n << 31n) && offset.value < 1n << 31n;
}

function convertToFloat(scope: TranslationScope, value: Term, from: ScalarType, to: FloatType): Term {
  const unknown = () => scope.approximate("a conversion to or from floating point", to);
  if (from.kind === "float") {
    if (from.bits <= to.bits) return value;
    const single = floatOperation(scope, "single", value);
    return single ?? unknown();
  }
  // Rounded once: up to 2^53 the double is exact.
  if (to.bits === 32 && !isWithin(rangeOf(value, scope.symbols.range), -(1n << 53n), 1n << 53n)) return unknown();
  const converted = isInteger(from) ? floatOperation(scope, "ofInt", value) : null;
  return converted === null ? unknown() : rounded(scope, converted, to);
}

function convertFromFloat(
  scope: TranslationScope,
  value: Term,
  to: IntType | BoolType | (ScalarType & { kind: "pointer" }),
): Term {
  const { terms } = scope.symbols;
  if (to.kind === "bool") {
    const isZero = floatOperation(scope, "eq", value, terms.floatLiteral(0));
    if (isZero !== null) return terms.ite(isZero, terms.int(0n), terms.int(1n));
  }
  const whole = to.kind === "int" ? floatOperation(scope, "toInt", value) : null;
  if (to.kind !== "int" || whole === null) return scope.approximate("a conversion to or from floating point", to);
  const fits = fitsInteger(scope, value, to);
  if (fits === null || isFalse(fits)) return scope.approximate("a conversion to or from floating point", to);
  const [min, max] = rangeOfInt(to);
  scope.require(fits, "float-conversion");
  scope.learn(terms.implies(fits, terms.and(terms.le(terms.int(min), whole), terms.le(whole, terms.int(max)))));
  return whole;
}

/** Does a number, without its fraction, fit an integer type? null where numbers are not computed with. */
export function fitsInteger(scope: TranslationScope, value: Term, to: IntType): Term | null {
  const { terms } = scope.symbols;
  const [min, max] = rangeOfInt(to);
  const below = terms.floatLiteral(Number(min - 1n));
  // One less than -2^63 is no double.
  const isAbove = floatOperation(scope, Number(min - 1n) === Number(min) ? "le" : "lt", below, value);
  const isBelow = floatOperation(scope, "lt", value, terms.floatLiteral(Number(max + 1n)));
  return isAbove === null || isBelow === null ? null : terms.and(isAbove, isBelow);
}

/** Floating point is computed where the operands are known numbers, as the interpreter does; else where that is asked for. */
export function computeFloat(
  scope: TranslationScope,
  operator: BinaryOperator,
  left: Term,
  right: Term,
  type: FloatType,
): Term {
  const known = operators.get(operator);
  if (known === undefined) return scope.approximate("floating-point arithmetic", type);
  return rounded(scope, floatOperation(scope, known, left, right), type);
}

const operators: ReadonlyMap<BinaryOperator, FloatOperator> = new Map([
  ["+", "add"],
  ["-", "sub"],
  ["*", "mul"],
  ["/", "div"],
]);

export function negateFloat(scope: TranslationScope, operand: Term, type: FloatType): Term {
  return floatOperation(scope, "neg", operand) ?? scope.approximate("floating-point arithmetic", type);
}

/** null where an operand is not known, and what is not known is not computed with. */
export function floatOperation(
  { symbols: { terms, computesFloats } }: TranslationScope,
  operator: FloatOperator,
  ...operands: readonly Term[]
): Term | null {
  if (!computesFloats && operands.some(({ kind }) => kind !== "int")) return null;
  return terms.float(operator, ...operands);
}

/** A result as one of the type. */
export function rounded(scope: TranslationScope, result: Term | null, type: FloatType): Term {
  if (result === null) return scope.approximate("floating-point arithmetic", type);
  return type.bits === 32 ? scope.symbols.terms.float("single", result) : result;
}

export function compareFloats(scope: TranslationScope, operator: ComparisonOperator, left: Term, right: Term): Term {
  const { terms } = scope.symbols;
  return (
    comparison(scope, operator, left, right) ??
    terms.ne(scope.approximate("a floating-point comparison", { kind: "bool" }), terms.int(0n))
  );
}

function comparison(scope: TranslationScope, operator: ComparisonOperator, left: Term, right: Term): Term | null {
  if (operator === "!=") {
    const equal = floatOperation(scope, "eq", left, right);
    return equal === null ? null : scope.symbols.terms.not(equal);
  }
  if (operator === "==") return floatOperation(scope, "eq", left, right);
  const name = operator === "<" || operator === ">" ? "lt" : "le";
  return operator === "<" || operator === "<="
    ? floatOperation(scope, name, left, right)
    : floatOperation(scope, name, right, left);
}
