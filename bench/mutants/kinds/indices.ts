import type { Expr } from "../../../src/c/ast.ts";
import { anywhere, onLine } from "../forbiddenEdits.ts";
import { addChange, type Site } from "../site.ts";

/** `a[i + 1]` for `a[i]`. Constant indices are constants. */
export function mutateIndices(site: Site, expr: Expr): void {
  if (expr.kind !== "subscript" || expr.index.kind === "number") return;
  const { source } = site;
  const { index } = expr;
  const text = source.at(index.range);
  const isSimple = index.kind === "identifier" || index.kind === "member" || index.kind === "increment";
  for (const change of ["+ 1", "- 1"]) {
    addChange(site, {
      kind: "index",
      start: source.startOf(index.range),
      end: source.endOf(index.range),
      replacement: `${isSimple || text.startsWith("(") ? text : `(${text})`} ${change}`,
      // The one that was added is a constant of its own.
      forbidden: [...anywhere("index"), ...onLine(index.range.line, "constant", "arithmetic", "value")],
      shown: expr.range,
    });
  }
}
