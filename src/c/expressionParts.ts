import { assertNever } from "../base/errors.ts";
import type { Declarator, Expr, Initializer } from "./ast.ts";

/**
 * The expressions directly below an expression, in the order of the source: those that may be evaluated with it, so not
 * the operand of `sizeof`. A statement expression's are below its statements.
 */
export function partsOf(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "identifier":
    case "number":
    case "character":
    case "string":
    case "sizeofType":
    case "sizeofExpr":
    case "alignof":
    case "labelAddress":
    case "statementExpression":
      return [];
    case "unary":
    case "increment":
    case "cast":
      return [e.operand];
    case "binary":
    case "comma":
    case "assignment":
      return [e.left, e.right];
    case "conditional":
      return e.then === null ? [e.condition, e.else] : [e.condition, e.then, e.else];
    case "compoundLiteral":
      return initializerParts(e.initializer);
    case "subscript":
      return [e.array, e.index];
    case "member":
      return [e.object];
    case "call":
      return [e.callee, ...e.arguments];
    case "offsetof":
      return e.path.flatMap((step) => (step.kind === "index" ? [step.from] : []));
    case "vaArg":
      return [e.list];
    case "generic":
      return e.associations.map(({ value }) => value);
    default:
      return assertNever(e, "expression");
  }
}

export function initializerParts(initializer: Initializer): readonly Expr[] {
  if (initializer.kind === "expression") return [initializer.value];
  return initializer.items.flatMap(({ value }) => initializerParts(value));
}

/** The lengths of a declarator's arrays. */
export function declaratorParts(declarator: Declarator): readonly Expr[] {
  const parts: Expr[] = [];
  for (let at = declarator; at.kind !== "name"; at = at.of) {
    if (at.kind === "array" && at.length !== null) parts.push(at.length);
  }
  return parts;
}
