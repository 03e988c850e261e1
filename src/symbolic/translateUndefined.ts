import { nth, present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { rootOfAddress } from "../ir/dataFlow.ts";
import { type Expression, indexLimit } from "../ir/expression.ts";
import { expressionsWithin, type Operation, type UndefinedBehaviour } from "../ir/operation.ts";
import { completeSize, type IntType, rangeOfInt, type ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import { fitsInteger } from "./convertValue.ts";
import { objectInAddress, type TranslationScope } from "./stepEnvironment.ts";
import type { SymbolicObject } from "./symbols.ts";
import { translateExpression } from "./translateExpression.ts";

/** The ways in which an operation can have this undefined behaviour, in an order that depends on the operation alone. */
export function violations(scope: TranslationScope, operation: Operation, kind: UndefinedBehaviour): readonly Term[] {
  const found = expressionsWithin(operation).flatMap((expression) => violationsOf(scope, expression, kind));
  if (operation.kind === "declare" && operation.variableLength !== undefined && kind === "array-length") {
    const { terms } = scope.symbols;
    found.push(terms.le(translateExpression(scope, operation.variableLength.length), terms.int(0n)));
  }
  if (operation.kind === "store") found.push(...badAccess(scope, operation.address, operation.type, kind));
  return found;
}

export function noFormula({ range }: Pick<TranslationScope, "range">, kind: UndefinedBehaviour): TracefoldError {
  return new TracefoldError({
    code: "TF220",
    message: `${kind} cannot be proved yet`,
    range,
    help: "Put an assertion in front of the statement.",
  });
}

function violationsOf(scope: TranslationScope, expression: Expression, kind: UndefinedBehaviour): Term[] {
  const { terms } = scope.symbols;
  if (expression.kind === "load") return badAccess(scope, expression.address, expression.type, kind);
  if (expression.kind === "unary" && kind === "signed-overflow" && expression.operator === "negate") {
    return isSigned(expression.type)
      ? outside(scope, terms.neg(translateExpression(scope, expression.operand)), expression.type)
      : [];
  }
  if (expression.kind === "offset" && expression.bound !== undefined && kind === "index-out-of-bounds") {
    const index = translateExpression(scope, expression.index);
    return [terms.lt(index, terms.int(0n)), terms.ge(index, terms.int(indexLimit(expression.bound)))];
  }
  if (expression.kind === "convert" && expression.type.kind === "int" && kind === "float-conversion") {
    if (expression.operand.type.kind !== "float") return [];
    const fits = fitsInteger(scope, translateExpression(scope, expression.operand), expression.type);
    return fits === null ? [] : [terms.not(fits)];
  }
  if (expression.kind !== "binary" || expression.type.kind !== "int") return [];
  const left = () => translateExpression(scope, expression.left);
  const right = () => translateExpression(scope, expression.right);
  const { operator, type } = expression;
  if (kind === "division-by-zero")
    return operator === "/" || operator === "%" ? [terms.eq(right(), terms.int(0n))] : [];
  if (kind === "signed-overflow" && isSigned(type)) {
    if (operator === "+") return outside(scope, terms.add(left(), right()), type);
    if (operator === "-") return outside(scope, terms.sub(left(), right()), type);
    if (operator === "*") return outside(scope, terms.mul(left(), right()), type);
    if (operator === "/") return outside(scope, terms.truncatingDiv(left(), right()), type);
  }
  if (kind === "bad-shift" && (operator === "<<" || operator === ">>")) {
    const amount = right();
    const bad = [terms.lt(amount, terms.int(0n)), terms.ge(amount, terms.int(type.bits))];
    if (operator === ">>" || !type.signed) return bad;
    const value = left();
    const shifted = terms.bits("shl", type.bits * 2, value, amount);
    return [...bad, terms.lt(value, terms.int(0n)), ...outside(scope, shifted, type)];
  }
  return [];
}

function badAccess(scope: TranslationScope, address: Expression, type: ScalarType, kind: UndefinedBehaviour): Term[] {
  const { terms, program } = scope.symbols;
  if (kind === "null-dereference") {
    const root = rootOfAddress(address);
    return root.kind === "addressOf" ? [] : [terms.eq(translateExpression(scope, root), terms.int(0n))];
  }
  if (kind !== "out-of-bounds-read" && kind !== "out-of-bounds-write") return [];
  const place = translateExpression(scope, address);
  const candidates = scope.pointsTo(place);
  const object = objectInAddress(scope.symbols, place) ?? (candidates.length === 1 ? nth(candidates, 0) : null);
  if (object === null || (object.size === null && object.origin.kind !== "heap")) return [];
  const offset = terms.sub(place, object.base);
  const size = object.origin.kind === "heap" ? sizeOfBlock(scope, object) : terms.int(present(object.size));
  const room = terms.sub(size, terms.int(completeSize(type, program.pointerBytes)));
  return [terms.lt(offset, terms.int(0n)), terms.gt(offset, room)];
}

function sizeOfBlock({ symbols, state }: TranslationScope, object: SymbolicObject): Term {
  const place = symbols.blockSize(object);
  return state.values.get(place) ?? (object.size === null ? place : symbols.terms.int(object.size));
}

function isSigned(type: ScalarType): type is IntType {
  return type.kind === "int" && type.signed;
}

function outside(scope: TranslationScope, value: Term, type: IntType): Term[] {
  const { terms } = scope.symbols;
  const [least, most] = rangeOfInt(type);
  return [terms.gt(value, terms.int(most)), terms.lt(value, terms.int(least))];
}
