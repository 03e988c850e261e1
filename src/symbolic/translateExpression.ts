import { assertNever } from "../base/assertNever.ts";
import type { Binary, Comparison, Convert, Expression } from "../ir/expression.ts";
import type { BoolType, IntType, ScalarType } from "../ir/type.ts";
import { rangeOfInt, sameRepresentation } from "../ir/typeFacts.ts";
import { isWithin, rangeOf } from "../logic/range.ts";
import type { Term } from "../logic/term.ts";
import { loadMemory } from "./accessMemory.ts";
import type { Scope } from "./scope.ts";
import { readRegister } from "./symbolicState.ts";

/**
 * The value of an expression as an integer term: C's rules on mathematical integers. Signed operations are exact
 * because `assume` records that they did not overflow; unsigned ones and conversions wrap. An address is the number
 * of its byte. Floats are opaque.
 */
export function translateExpression(scope: Scope, expression: Expression): Term {
  const { terms } = scope.symbols;
  switch (expression.kind) {
    case "constant":
      return expression.type.kind === "float"
        ? scope.symbols.floatConstant(expression.value as number)
        : terms.int(expression.value as bigint);
    case "variable":
      return readRegister(scope.symbols, scope.state, scope.frame, expression.variable);
    case "load":
      return loadMemory(scope, translateExpression(scope, expression.address), expression);
    case "addressOf":
      return expression.object.kind === "function"
        ? scope.symbols.functionObject(expression.object.function).base
        : scope.symbols.variableObject(scope.frame, expression.object.variable).base;
    case "offset": {
      const index = translateExpression(scope, expression.index);
      return terms.add(translateExpression(scope, expression.pointer), terms.scale(BigInt(expression.scale), index));
    }
    case "fieldAddress":
      return terms.add(translateExpression(scope, expression.pointer), terms.int(expression.offset));
    case "unary":
      return translateUnary(scope, expression);
    case "binary":
      return translateBinary(scope, expression);
    case "comparison":
      return terms.ite(translateCondition(scope, expression), terms.int(1n), terms.int(0n));
    case "pointerDifference": {
      const distance = terms.sub(
        translateExpression(scope, expression.left),
        translateExpression(scope, expression.right),
      );
      return terms.truncatingDiv(distance, terms.int(expression.scale), rangeOfVariable(scope));
    }
    case "convert":
      return translateConversion(scope, expression);
    default:
      return assertNever(expression, "expression");
  }
}

/** Is the expression non-zero? */
export function translateCondition(scope: Scope, expression: Expression): Term {
  const { terms } = scope.symbols;
  switch (expression.kind) {
    case "comparison":
      return translateComparison(scope, expression);
    case "convert": {
      // Widening and truth conversions keep zero and non-zero apart.
      const inner = expression.operand;
      const keeps = expression.type.kind === "bool" || widens(inner.type, expression.type);
      if (keeps && inner.type.kind !== "float") return translateCondition(scope, inner);
      break;
    }
    default:
      break;
  }
  if (expression.type.kind === "float") {
    translateExpression(scope, expression);
    return unknownCondition(scope, "a floating-point condition");
  }
  return terms.ne(translateExpression(scope, expression), terms.int(0n));
}

function translateComparison(scope: Scope, expression: Comparison): Term {
  const { terms } = scope.symbols;
  const left = translateExpression(scope, expression.left);
  const right = translateExpression(scope, expression.right);
  if (expression.left.type.kind === "float") return unknownCondition(scope, "a floating-point comparison");
  switch (expression.operator) {
    case "==":
      return terms.eq(left, right);
    case "!=":
      return terms.ne(left, right);
    case "<":
      return terms.lt(left, right);
    case "<=":
      return terms.le(left, right);
    case ">":
      return terms.gt(left, right);
    case ">=":
      return terms.ge(left, right);
    default:
      return assertNever(expression.operator, "operator");
  }
}

function unknownCondition(scope: Scope, reason: string): Term {
  const { terms } = scope.symbols;
  return terms.ne(scope.approximate(reason, { kind: "bool" }), terms.int(0n));
}

function translateUnary(scope: Scope, expression: Expression & { kind: "unary" }): Term {
  const { terms } = scope.symbols;
  const operand = translateExpression(scope, expression.operand);
  const type = expression.type;
  if (type.kind !== "int") return scope.approximate("floating-point arithmetic", type);
  // ~x = -x - 1, in both signednesses modulo 2^bits.
  const value = expression.operator === "negate" ? terms.neg(operand) : terms.sub(terms.int(-1n), operand);
  return fitToType(scope, value, type);
}

function translateBinary(scope: Scope, expression: Binary): Term {
  const { terms } = scope.symbols;
  const left = translateExpression(scope, expression.left);
  const right = translateExpression(scope, expression.right);
  const type = expression.type;
  if (type.kind !== "int") return scope.approximate("floating-point arithmetic", type);
  const ranges = rangeOfVariable(scope);
  switch (expression.operator) {
    case "+":
      return fitToType(scope, terms.add(left, right), type);
    case "-":
      return fitToType(scope, terms.sub(left, right), type);
    case "*":
      return fitToType(scope, terms.mul(left, right), type);
    case "/":
      scope.assume(terms.ne(right, terms.int(0n)));
      return fitToType(scope, terms.truncatingDiv(left, right, ranges), type);
    case "%":
      scope.assume(terms.ne(right, terms.int(0n)));
      return terms.truncatingRem(left, right, ranges);
    case "&":
      return fromBits(scope, terms.bits("and", type.bits, left, right), type);
    case "|":
      return fromBits(scope, terms.bits("or", type.bits, left, right), type);
    case "^":
      return fromBits(scope, terms.bits("xor", type.bits, left, right), type);
    case "<<":
      return translateLeftShift(scope, left, right, type);
    case ">>":
      assumeShiftAmount(scope, right, type);
      return fromBits(scope, terms.bits(type.signed ? "ashr" : "lshr", type.bits, left, right), type);
    default:
      return assertNever(expression.operator, "operator");
  }
}

/** C11: the left operand of a signed shift is not negative and the result fits. */
function translateLeftShift(scope: Scope, left: Term, right: Term, type: IntType): Term {
  const { terms } = scope.symbols;
  assumeShiftAmount(scope, right, type);
  if (right.kind === "int" && right.value >= 0n && right.value < BigInt(type.bits)) {
    if (type.signed) scope.assume(terms.ge(left, terms.int(0n)));
    return fitToType(scope, terms.scale(1n << right.value, left), type);
  }
  const shifted = terms.bits("shl", type.bits * 2, left, right);
  if (!type.signed) return terms.wrap(shifted, type.bits, false, rangeOfVariable(scope));
  scope.assume(terms.ge(left, terms.int(0n)));
  scope.assume(terms.inRange(shifted, type.bits, true));
  return shifted;
}

function assumeShiftAmount(scope: Scope, amount: Term, type: IntType): void {
  const { terms } = scope.symbols;
  scope.assume(terms.and(terms.ge(amount, terms.int(0n)), terms.lt(amount, terms.int(type.bits))));
}

/** A mathematical result in a C type: signed ones did not overflow, unsigned ones wrap. */
function fitToType(scope: Scope, value: Term, type: IntType): Term {
  const { terms } = scope.symbols;
  if (!type.signed) return terms.wrap(value, type.bits, false, rangeOfVariable(scope));
  const [min, max] = rangeOfInt(type);
  if (!isWithin(rangeOf(value, rangeOfVariable(scope)), min, max)) scope.assume(terms.inRange(value, type.bits, true));
  return value;
}

/** Bitwise terms are unsigned; read them in the type. */
function fromBits(scope: Scope, value: Term, type: IntType): Term {
  return type.signed ? scope.symbols.terms.wrap(value, type.bits, true, rangeOfVariable(scope)) : value;
}

function translateConversion(scope: Scope, expression: Convert): Term {
  const value = translateExpression(scope, expression.operand);
  return convertValue(scope, value, expression.operand.type, expression.type);
}

export function convertValue(scope: Scope, value: Term, from: ScalarType, to: ScalarType): Term {
  const { terms, program } = scope.symbols;
  if (sameRepresentation(from, to)) return value;
  if (from.kind === "float" || to.kind === "float") {
    if (from.kind === "float" && to.kind === "float" && from.bits <= to.bits) return value;
    return scope.approximate("a conversion to or from floating point", to);
  }
  switch (to.kind) {
    case "bool":
      return terms.ite(terms.ne(value, terms.int(0n)), terms.int(1n), terms.int(0n));
    case "pointer":
      return value;
    case "int":
      // In a 32-bit data model the number of an object is not part of the number that a program sees.
      if (from.kind === "pointer" && (program.pointerBytes === 4 || to.bits < 64)) {
        return value.kind === "int"
          ? terms.wrap(value, to.bits, to.signed)
          : scope.approximate("an address as a number", to);
      }
      return terms.wrap(value, to.bits, to.signed, rangeOfVariable(scope));
    default:
      return assertNever(to, "type");
  }
}

function rangeOfVariable(scope: Scope) {
  return scope.symbols.range;
}

/** Does the conversion keep every value? */
function widens(from: ScalarType, to: ScalarType): boolean {
  if (!isInteger(from) || !isInteger(to)) return from.kind === "pointer" && to.kind === "pointer";
  const [low, high] = rangeOfInt(from);
  const [min, max] = rangeOfInt(to);
  return min <= low && high <= max;
}

function isInteger(type: ScalarType): type is IntType | BoolType {
  return type.kind === "int" || type.kind === "bool";
}
