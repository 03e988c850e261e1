import type { Expr } from "../../../src/c/ast.ts";
import { anywhere } from "../forbiddenEdits.ts";
import { addChange, isVisible, type Site, scopeAt } from "../site.ts";

/** Another variable of the same type, also as the target of an assignment, or another field of the same struct. */
export function mutateVariables(site: Site, expr: Expr): void {
  if (expr.kind === "identifier") mutateVariable(site, expr);
  if (expr.kind === "member") mutateField(site, expr);
}

function mutateVariable(site: Site, expr: Expr & { kind: "identifier" }): void {
  const { source, types } = site;
  const start = source.startOf(expr.range);
  const end = source.endOf(expr.range);
  if (source.at(expr.range) !== expr.name) return;
  const type = scopeAt(site, start)(expr.name);
  if (type === null || type.includes("(")) return;
  const names = [
    ...site.locals.filter((local) => isVisible(local, start)).map(({ name }) => name),
    ...[...types.declaredAt].filter(([, from]) => from <= start).map(([name]) => name),
  ];
  for (const name of new Set(names)) {
    if (name === expr.name || scopeAt(site, start)(name) !== type) continue;
    addChange(site, { kind: "variable", start, end, replacement: name, forbidden: anywhere("variable") });
  }
}

function mutateField(site: Site, expr: Expr & { kind: "member" }): void {
  const { source, types } = site;
  const end = source.endOf(expr.range);
  const start = end - expr.field.length;
  if (source.text.slice(start, end) !== expr.field) return;
  const fields = types.fieldsOf(expr.object, scopeAt(site, start));
  for (const [name, type] of fields) {
    if (name === expr.field || type !== fields.get(expr.field)) continue;
    addChange(site, {
      kind: "variable",
      start,
      end,
      replacement: name,
      forbidden: anywhere("variable"),
      shown: expr.range,
    });
  }
}
