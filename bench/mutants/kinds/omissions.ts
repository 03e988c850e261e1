import type { SourceRange } from "../../../src/base/sourceRange.ts";
import type { BlockItem, Statement } from "../../../src/c/ast.ts";
import { anywhere } from "../forbiddenEdits.ts";
import type { MutationKind } from "../mutation.ts";
import { addChange, type Site } from "../site.ts";
import { isAssertion, type StatementPlace } from "../tree.ts";

/** A statement, an `else`, a conditional exit or a `break` is not there. Other lines keep their numbers. */
export function omitStatement(site: Site, statement: BlockItem, place: StatementPlace): void {
  switch (statement.kind) {
    case "expressionStatement":
      if (!isAssertion(statement.expression)) omit(site, "deleted statement", statement.range, place);
      return;
    case "break":
      if (place !== null) omit(site, "removed break", statement.range, place);
      return;
    case "if":
      if (statement.else !== null) omitElse(site, statement, statement.else);
      else if (leaves(statement.then)) omit(site, "deleted branch", statement.range, place);
      return;
    default:
      return;
  }
}

function omitElse(site: Site, statement: Statement & { kind: "if" }, otherwise: Statement): void {
  const start = site.source.endOf(statement.then.range);
  const between = site.source.text.slice(start, site.source.startOf(otherwise.range));
  if (!between.trimStart().startsWith("else")) return;
  const at = start + between.indexOf("else");
  replaceByNothing(site, "deleted branch", at, site.source.endOf(otherwise.range), "");
}

function leaves(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
    case "break":
    case "continue":
      return true;
    case "block": {
      const last = statement.items.at(-1);
      return last !== undefined && ["return", "break", "continue"].includes(last.kind);
    }
    default:
      return false;
  }
}

/** In a block nothing is left; elsewhere an empty statement. */
function omit(site: Site, kind: MutationKind, range: SourceRange, place: StatementPlace): void {
  replaceByNothing(site, kind, site.source.startOf(range), site.source.endOf(range), place === null ? ";" : "");
}

function replaceByNothing(site: Site, kind: MutationKind, start: number, end: number, left: string): void {
  const breaks = site.source.text.slice(start, end).replace(/[^\n]/g, "");
  addChange(site, { kind, start, end, replacement: left + breaks, forbidden: anywhere("insert") });
}
