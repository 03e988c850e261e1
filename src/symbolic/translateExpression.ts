import { assertNever } from "../base/errors.ts";
import {
  type Binary,
  type Comparison,
  type Convert,
  type Expression,
  indexLimit,
  type Unary,
} from "../ir/expression.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import { comparisonOperators } from "../ir/operators.ts";
import { type IntType, rangeOfInt } from "../ir/type.ts";
import { isWithin, rangeOf } from "../logic/range.ts";
import { isTrue, type Term } from "../logic/term.ts";
import { compareFloats, computeFloat, convertValue, keepsValue, negateFloat } from "./convertValue.ts";
import { loadMemory } from "./memory/accessMemory.ts";
import { unsignedType } from "./memory/region.ts";
import type { TranslationScope } from "./stepEnvironment.ts";
import { readAddress, readRegister } from "./symbolicState.ts";

/**
 * The value of an expression as an integer term: C's rules on mathematical integers. Signed operations are exact
 * because `require` records that they did not overflow (or they wrap, where the run does); unsigned ones and conversions
 * wrap. An address is the number of its byte. Floats are opaque unless their values are known.
 */
export function translateExpression(scope: TranslationScope, expression: Expression): Term {
  const { terms, range } = scope.symbols;
  switch (expression.kind) {
    case "constant":
      return translateConstant(scope, expression);
    case "variable":
      return readRegister(scope.symbols, scope.state, scope.frame, expression.variable);
    case "load":
      return loadMemory(scope, translateExpression(scope, expression.address), expression);
    case "addressOf":
      return expression.object.kind === "function"
        ? scope.symbols.functionObject(expression.object.function).base
        : readAddress(scope.state, scope.symbols.variableObject(scope.frame, expression.object.variable));
    case "offset": {
      const pointer = translateExpression(scope, expression.pointer);
      const index = translateExpression(scope, expression.index);
      if (expression.bound !== undefined) {
        const limit = terms.int(indexLimit(expression.bound));
        scope.require(terms.and(terms.ge(index, terms.int(0n)), terms.lt(index, limit)), "index-out-of-bounds");
      }
      return terms.add(pointer, terms.scale(BigInt(expression.scale), index));
    }
    case "fieldAddress":
      return terms.add(translateExpression(scope, expression.pointer), terms.int(expression.offset));
    case "unary": {
      const operand = translateExpression(scope, expression.operand);
      return translateUnary(scope, expression, operand);
    }
    case "binary": {
      const left = translateExpression(scope, expression.left);
      const right = translateExpression(scope, expression.right);
      return translateBinary(scope, expression, left, right);
    }
    case "comparison":
      return terms.ite(translateCondition(scope, expression), terms.int(1n), terms.int(0n));
    case "pointerDifference": {
      const left = translateExpression(scope, expression.left);
      const right = translateExpression(scope, expression.right);
      return terms.truncatingDiv(terms.sub(left, right), terms.int(expression.scale), range);
    }
    case "convert":
      return translateConversion(scope, expression);
    default:
      return assertNever(expression, "expression");
  }
}

function translateConstant(scope: TranslationScope, { type, value }: Expression & { kind: "constant" }): Term {
  const { terms } = scope.symbols;
  if (type.kind === "float")
    return terms.floatLiteral(type.bits === 32 ? Math.fround(value as number) : (value as number));
  const number = terms.int(value as bigint);
  return type.kind === "pointer" ? convertValue(scope, number, unsignedType(64), type) : number;
}

/** Is the expression non-zero? */
export function translateCondition(scope: TranslationScope, expression: Expression): Term {
  const { terms } = scope.symbols;
  if (expression.kind === "comparison") return translateComparison(scope, expression);
  if (expression.kind === "convert") {
    // Widening and truth conversions keep zero and non-zero apart.
    const inner = expression.operand;
    const keeps = expression.type.kind === "bool" || keepsValue(inner.type, expression.type);
    if (keeps && inner.type.kind !== "float") return translateCondition(scope, inner);
  }
  const value = translateExpression(scope, expression);
  if (expression.type.kind === "float") return compareFloats(scope, "!=", value, terms.floatLiteral(0));
  return terms.ne(value, terms.int(0n));
}

function translateComparison(scope: TranslationScope, expression: Comparison): Term {
  const { terms } = scope.symbols;
  const left = translateExpression(scope, expression.left);
  const right = translateExpression(scope, expression.right);
  if (expression.left.type.kind === "float") return compareFloats(scope, expression.operator, left, right);
  return terms[comparisonOperators[expression.operator].term](left, right);
}

function translateConversion(scope: TranslationScope, expression: Convert): Term {
  const { terms } = scope.symbols;
  const { operand, type } = expression;
  if (type.kind === "bool" && operand.type.kind !== "float") {
    return terms.ite(translateCondition(scope, operand), terms.int(1n), terms.int(0n));
  }
  return convertValue(scope, translateExpression(scope, operand), operand.type, type);
}

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
      // If the quotient overflows, the remainder is undefined, too.
      if (type.signed && !scope.wraps && !scope.symbols.holdsAll(type)) {
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
  if (scope.symbols.holdsAll(type)) return value;
  const [min, max] = rangeOfInt(type);
  if (!isWithin(rangeOf(value, range), min, max)) scope.require(terms.inRange(value, type.bits, true), problem);
  return value;
}

/** Bitwise terms are unsigned; read them in the type. */
function fromBits(scope: TranslationScope, value: Term, type: IntType): Term {
  const { terms, range } = scope.symbols;
  return type.signed ? terms.wrap(value, type.bits, true, range) : value;
}
