import type { BlockStatement, Expr } from "../../../src/c/ast.ts";
import { isNumber } from "../apparentTypes.ts";
import { anywhere, onLine } from "../forbiddenEdits.ts";
import { addChange, operatorSpan, type Site, scopeAt } from "../site.ts";
import { isAssertion } from "../tree.ts";

/** Arguments of a call, or operands of `-`, `/`, `%`, in the other order. */
export function swapOperands(site: Site, expr: Expr): void {
  if (expr.kind === "call") {
    for (let i = 0; i + 1 < expr.arguments.length; i++) {
      const [left, right] = [expr.arguments[i]!, expr.arguments[i + 1]!];
      if (fitTogether(site, left, right) && operatorSpan(site, left, right, ",")) swap(site, left, right, expr);
    }
  }
  if (expr.kind === "binary" && ["-", "/", "%", "<<", ">>"].includes(expr.operator)) {
    if (operatorSpan(site, expr.left, expr.right, expr.operator)) swap(site, expr.left, expr.right, expr);
  }
}

function fitTogether(site: Site, left: Expr, right: Expr): boolean {
  const scope = scopeAt(site, site.source.startOf(left.range));
  const [one, other] = [left, right].map((expr) => site.types.typeOf(expr, scope)?.replace(/\[\]$/, "*"));
  if (one == null || other == null) return false;
  return one === other || (isNumber(one) && isNumber(other));
}

function swap(site: Site, left: Expr, right: Expr, whole: Expr): void {
  const { source } = site;
  const [first, second] = [source.at(left.range), source.at(right.range)];
  if (first === second) return;
  const bare = whole.kind === "binary" && right.kind === "binary" && !second.startsWith("(");
  const wraps = whole.kind === "binary" && left.kind === "binary" && !first.startsWith("(");
  addChange(site, {
    kind: "order",
    start: source.startOf(left.range),
    end: source.endOf(right.range),
    replacement:
      (bare ? `(${second})` : second) +
      source.text.slice(source.endOf(left.range), source.startOf(right.range)) +
      (wraps ? `(${first})` : first),
    // `b - a` is `-(a - b)`.
    forbidden: [...anywhere("order"), ...(whole.kind === "binary" ? onLine(whole.range.line, "value", "index") : [])],
    shown: whole.range,
  });
}

/** Two neighbouring statements in the other order. */
export function swapStatements(site: Site, block: BlockStatement, index: number): void {
  const first = block.items[index];
  const second = block.items[index + 1];
  if (first?.kind !== "expressionStatement" || second?.kind !== "expressionStatement") return;
  if (isAssertion(first.expression) || isAssertion(second.expression)) return;
  const { source } = site;
  if (first.range.endLine !== first.range.line || second.range.endLine !== second.range.line) return;
  addChange(site, {
    kind: "order",
    start: source.startOf(first.range),
    end: source.endOf(second.range),
    replacement:
      source.at(second.range) +
      source.text.slice(source.endOf(first.range), source.startOf(second.range)) +
      source.at(first.range),
    forbidden: anywhere("order"),
  });
}
