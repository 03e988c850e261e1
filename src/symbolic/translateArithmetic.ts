import { assertNever } from "../base/errors.ts";
import type { Binary, Unary } from "../ir/expression.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import { type IntType, rangeOfInt } from "../ir/type.ts";
import { isWithin, rangeOf } from "../logic/range.ts";
import { isTrue, type Term } from "../logic/term.ts";
import type { TranslationScope } from "./scope.ts";
import { computeFloat, negateFloat } from "./translateFloat.ts";

export function translateUnary(scope: TranslationScope, expression: Unary, operand: Term): Term {
  const { terms, range } = scope.symbols;
  const type = expression.type;
  if (type.kind === "float") return negateFloat(scope, operand, type);
  if (type.kind !== "int") return scope.approximate("arithmetic on addresses", type);
  if (expression.operator === "negate") return fitToType(scope, terms.neg(operand), type);
  // ~x = -x - 1, in both signednesses modulo 2^bits.
  return terms.wrap(terms.sub(terms.int(-1n), operand), type.bits, type.signed, range);
}

export function translateBinary(scope: TranslationScope, expression: Binary, left: Term, right: Term): Term {
  const { terms, range } = scope.symbols;
  const { type, operator } = expression;
  if (type.kind === "float") return computeFloat(scope, operator, left, right, type);
  if (type.kind !== "int") return scope.approximate("arithmetic on addresses", type);
  switch (operator) {
    case "+":
      return fitToType(scope, terms.add(left, right), type);
    case "-":
      return fitToType(scope, terms.sub(left, right), type);
    case "*":
      return fitToType(scope, terms.mul(left, right), type);
    case "/":
      scope.require(terms.ne(right, terms.int(0n)), "division-by-zero");
      return fitToType(scope, terms.truncatingDiv(left, right, range), type);
    case "%":
      scope.require(terms.ne(right, terms.int(0n)), "division-by-zero");
      // Where the quotient overflows, the remainder is undefined, too.
      if (type.signed && !scope.wraps) {
        const least = terms.int(rangeOfInt(type)[0]);
        scope.require(terms.or(terms.ne(left, least), terms.ne(right, terms.int(-1n))), "signed-overflow");
      }
      return terms.truncatingRem(left, right, range);
    case "&":
      return fromBits(scope, terms.bits("and", type.bits, left, right), type);
    case "|":
      return fromBits(scope, terms.bits("or", type.bits, left, right), type);
    case "^":
      return fromBits(scope, terms.bits("xor", type.bits, left, right), type);
    case "<<":
      return translateLeftShift(scope, left, right, type);
    case ">>":
      requireShiftAmount(scope, right, type);
      return fromBits(scope, terms.bits(type.signed ? "ashr" : "lshr", type.bits, left, right), type);
    default:
      return assertNever(operator, "operator");
  }
}

/** C11: the left operand of a signed shift is not negative and the result fits, unless the run wraps. */
function translateLeftShift(scope: TranslationScope, left: Term, right: Term, type: IntType): Term {
  const { terms } = scope.symbols;
  requireShiftAmount(scope, right, type);
  const known = right.kind === "int" && right.value >= 0n && right.value < BigInt(type.bits) ? right.value : null;
  if (!type.signed || scope.wraps) {
    if (known !== null) return fitToType(scope, terms.scale(1n << known, left), type);
    return fromBits(scope, terms.bits("shl", type.bits, left, right), type);
  }
  scope.require(terms.ge(left, terms.int(0n)), "bad-shift");
  if (known !== null) return fitToType(scope, terms.scale(1n << known, left), type, "bad-shift");
  // Twice as wide, so that what does not fit is seen.
  const shifted = terms.bits("shl", type.bits * 2, left, right);
  scope.require(terms.inRange(shifted, type.bits, true), "bad-shift");
  return shifted;
}

function requireShiftAmount(scope: TranslationScope, amount: Term, type: IntType): void {
  const { terms } = scope.symbols;
  const fits = terms.and(terms.ge(amount, terms.int(0n)), terms.lt(amount, terms.int(type.bits)));
  if (!isTrue(fits)) scope.require(fits, "bad-shift");
}

/** A mathematical result in a C type: signed ones did not overflow, or they wrap as unsigned ones do. */
function fitToType(
  scope: TranslationScope,
  value: Term,
  type: IntType,
  problem: UndefinedBehaviour = "signed-overflow",
): Term {
  const { terms, range } = scope.symbols;
  if (!type.signed || scope.wraps) return terms.wrap(value, type.bits, type.signed, range);
  const [min, max] = rangeOfInt(type);
  if (!isWithin(rangeOf(value, range), min, max)) scope.require(terms.inRange(value, type.bits, true), problem);
  return value;
}

/** Bitwise terms are unsigned; read them in the type. */
function fromBits(scope: TranslationScope, value: Term, type: IntType): Term {
  const { terms, range } = scope.symbols;
  return type.signed ? terms.wrap(value, type.bits, true, range) : value;
}
