import type { Expr } from "../../../src/c/ast.ts";
import { anywhere, onLine } from "../forbiddenEdits.ts";
import { addChange, operatorSpan, type Site } from "../site.ts";

/** `&&` for `||`, and a conjunct or disjunct left out. */
export function mutateConnectives(site: Site, expr: Expr): void {
  if (expr.kind !== "binary" || (expr.operator !== "&&" && expr.operator !== "||")) return;
  const span = operatorSpan(site, expr.left, expr.right, expr.operator);
  if (span === null) return;
  const { source } = site;
  const forbidden = anywhere("connective");
  addChange(site, {
    kind: "condition",
    start: span[0],
    end: span[1],
    replacement: expr.operator === "&&" ? "||" : "&&",
    forbidden,
    shown: expr.range,
  });
  for (const kept of [expr.left, expr.right]) {
    addChange(site, {
      kind: "condition",
      start: source.startOf(kept === expr.left ? expr.left.range : expr.range),
      end: source.endOf(expr.range),
      replacement: source.at(kept.range),
      forbidden,
      shown: expr.range,
    });
  }
}

/** A condition of an `if`, a loop or a `?:`, negated. */
export function negateCondition(site: Site, condition: Expr): void {
  const { source } = site;
  const start = source.startOf(condition.range);
  const end = source.endOf(condition.range);
  const text = source.at(condition.range);
  const lines = new Set([condition.range.line, condition.range.endLine]);
  addChange(site, {
    kind: "condition",
    start,
    end,
    replacement: text.startsWith("!") && condition.kind === "unary" ? text.slice(1) : `!(${text})`,
    // The opposite comparison, or `&&` for `||`, is the same where it stands.
    forbidden: [...anywhere("negation"), ...[...lines].flatMap((line) => onLine(line, "comparison", "connective"))],
  });
}
