import { assertNever } from "../../src/base/errors.ts";
import type { BlockItem, BlockStatement, Declaration, Expr, Initializer, Statement } from "../../src/c/ast.ts";

/** The expressions right below one. What is only measured (`sizeof`) is none of them. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "unary":
    case "increment":
    case "cast":
      return [expr.operand];
    case "binary":
    case "assignment":
    case "comma":
      return [expr.left, expr.right];
    case "conditional":
      return expr.then === null ? [expr.condition, expr.else] : [expr.condition, expr.then, expr.else];
    case "subscript":
      return [expr.array, expr.index];
    case "member":
      return [expr.object];
    case "call":
      return [expr.callee, ...expr.arguments];
    case "compoundLiteral":
      return valuesOf(expr.initializer);
    case "vaArg":
      return [expr.list];
    case "identifier":
    case "number":
    case "character":
    case "string":
    case "sizeofExpr":
    case "sizeofType":
    case "alignof":
    case "offsetof":
    case "generic":
    case "statementExpression":
    case "labelAddress":
    case "choice":
      return [];
    default:
      return assertNever(expr);
  }
}

export function valuesOf(initializer: Initializer): readonly Expr[] {
  return initializer.kind === "expression"
    ? [initializer.value]
    : initializer.items.flatMap(({ value }) => valuesOf(value));
}

/** The condition of an assertion says what is right. */
export function isAssertion(expr: Expr): boolean {
  return expr.kind === "call" && expr.callee.kind === "identifier" && expr.callee.name === "assert";
}

/** An expression and all below it, outermost first, but nothing of an assertion. */
export function forEachExpr(expr: Expr, visit: ExprVisitor, parent: Expr | null = null): void {
  if (isAssertion(expr)) return;
  visit(expr, parent);
  for (const part of partsOf(expr)) forEachExpr(part, visit, expr);
}

export type ExprVisitor = (expr: Expr, parent: Expr | null) => void;

/** Where a statement stands: an item of a block, or the one statement of an `if`, a loop, a label. */
export type StatementPlace = { readonly block: BlockStatement; readonly index: number } | null;

export function forEachStatement(
  statement: BlockItem,
  place: StatementPlace,
  visit: (statement: BlockItem, place: StatementPlace) => void,
): void {
  visit(statement, place);
  if (statement.kind === "block") {
    statement.items.forEach((item, index) => {
      forEachStatement(item, { block: statement, index }, visit);
    });
    return;
  }
  for (const inner of bodiesOf(statement)) forEachStatement(inner, null, visit);
}

function bodiesOf(statement: BlockItem): readonly Statement[] {
  switch (statement.kind) {
    case "if":
      return statement.else === null ? [statement.then] : [statement.then, statement.else];
    case "while":
    case "doWhile":
    case "for":
    case "switch":
    case "case":
    case "default":
    case "label":
      return [statement.body];
    default:
      return [];
  }
}

/** The expressions of a statement itself, without those of the statements in it; labels of a `switch` are none. */
export function exprsOf(statement: BlockItem): readonly Expr[] {
  switch (statement.kind) {
    case "expressionStatement":
      return [statement.expression];
    case "if":
    case "while":
    case "doWhile":
      return [statement.condition];
    case "for":
      return [
        ...(statement.init === null
          ? []
          : statement.init.kind === "declaration"
            ? initialValues(statement.init)
            : [statement.init]),
        ...(statement.condition === null ? [] : [statement.condition]),
        ...(statement.update === null ? [] : [statement.update]),
      ];
    case "switch":
      return [statement.value];
    case "return":
      return statement.value === null ? [] : [statement.value];
    case "declaration":
      return initialValues(statement);
    default:
      return [];
  }
}

export function initialValues(declaration: Declaration): readonly Expr[] {
  return declaration.declarators.flatMap(({ initializer }) => (initializer === null ? [] : valuesOf(initializer)));
}
