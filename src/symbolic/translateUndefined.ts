import { TracefoldError } from "../base/errors.ts";
import type { Expression } from "../ir/expression.ts";
import { expressionOperands } from "../ir/expressionParts.ts";
import type { Operation } from "../ir/operation.ts";
import { operationExpressions } from "../ir/operationParts.ts";
import type { IntType, ScalarType } from "../ir/type.ts";
import { completeSize } from "../ir/typeFacts.ts";
import type { Term } from "../logic/term.ts";
import type { UndefinedBehaviour } from "../trace/problem.ts";
import { objectInAddress, type Scope } from "./scope.ts";
import { translateExpression } from "./translateExpression.ts";

/** The condition under which an operation has this undefined behaviour: some part of it violates its rule. */
export function translateUndefined(scope: Scope, operation: Operation, kind: UndefinedBehaviour): Term {
  const { terms } = scope.symbols;
  const violations: Term[] = [];
  const visit = (expression: Expression) => {
    for (const operand of expressionOperands(expression)) visit(operand);
    const violation = violationOf(scope, expression, kind);
    if (violation !== null) violations.push(violation);
  };
  operationExpressions(operation).forEach(visit);
  if (operation.kind === "store") {
    const violation = badAccess(scope, operation.address, operation.type, kind);
    if (violation !== null) violations.push(violation);
  }
  if (violations.length > 0) return terms.any(violations);
  throw new TracefoldError({
    code: "TF220",
    message: `a run that ends with ${kind} cannot be folded yet: no formula says when that happens`,
    range: scope.range,
    help: "Put an assertion in front of the statement.",
  });
}

function violationOf(scope: Scope, expression: Expression, kind: UndefinedBehaviour): Term | null {
  const { terms } = scope.symbols;
  if (expression.kind === "load") return badAccess(scope, expression.address, expression.type, kind);
  if (expression.kind === "unary" && kind === "signed-overflow" && expression.operator === "negate") {
    return isSigned(expression.type)
      ? outside(scope, terms.neg(translateExpression(scope, expression.operand)), expression.type)
      : null;
  }
  if (expression.kind !== "binary" || expression.type.kind !== "int") return null;
  const left = () => translateExpression(scope, expression.left);
  const right = () => translateExpression(scope, expression.right);
  const { operator, type } = expression;
  if (kind === "division-by-zero")
    return operator === "/" || operator === "%" ? terms.eq(right(), terms.int(0n)) : null;
  if (kind === "signed-overflow" && isSigned(type)) {
    if (operator === "+") return outside(scope, terms.add(left(), right()), type);
    if (operator === "-") return outside(scope, terms.sub(left(), right()), type);
    if (operator === "*") return outside(scope, terms.mul(left(), right()), type);
    if (operator === "/") return outside(scope, terms.truncatingDiv(left(), right()), type);
  }
  if (kind === "bad-shift" && (operator === "<<" || operator === ">>")) {
    const amount = right();
    const bad = terms.or(terms.lt(amount, terms.int(0n)), terms.ge(amount, terms.int(type.bits)));
    if (operator === ">>" || !type.signed) return bad;
    const value = left();
    const shifted = terms.bits("shl", type.bits * 2, value, amount);
    return terms.or(bad, terms.lt(value, terms.int(0n)), outside(scope, shifted, type));
  }
  return null;
}

function badAccess(scope: Scope, address: Expression, type: ScalarType, kind: UndefinedBehaviour): Term | null {
  const { terms, program } = scope.symbols;
  if (kind === "null-dereference") {
    let root = address;
    while (root.kind === "offset" || root.kind === "fieldAddress") root = root.pointer;
    return root.kind === "addressOf" ? null : terms.eq(translateExpression(scope, root), terms.int(0n));
  }
  if (kind !== "out-of-bounds-read" && kind !== "out-of-bounds-write") return null;
  const place = translateExpression(scope, address);
  const object = objectInAddress(scope.symbols, place);
  if (object === null || object.size === null) return null;
  const offset = terms.sub(place, object.base);
  const room = object.size - completeSize(type, program.pointerBytes);
  return terms.or(terms.lt(offset, terms.int(0n)), terms.gt(offset, terms.int(room)));
}

function isSigned(type: ScalarType): type is IntType {
  return type.kind === "int" && type.signed;
}

function outside(scope: Scope, value: Term, type: IntType): Term {
  const { terms } = scope.symbols;
  return terms.not(terms.inRange(value, type.bits, type.signed));
}
