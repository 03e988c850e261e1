import { assertNever } from "../base/errors.ts";
import { type Comparison, type Convert, type Expression, indexLimit } from "../ir/expression.ts";
import { comparisonOperators } from "../ir/operators.ts";
import type { Term } from "../logic/term.ts";
import { loadMemory } from "./accessMemory.ts";
import { convertValue, keepsValue } from "./convertValue.ts";
import { unsignedType } from "./region.ts";
import type { TranslationScope } from "./scope.ts";
import { readAddress, readRegister } from "./symbolicState.ts";
import { translateBinary, translateUnary } from "./translateArithmetic.ts";
import { compareFloats } from "./translateFloat.ts";

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
