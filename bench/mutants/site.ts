import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { Expr } from "../../src/c/ast.ts";
import type { ApparentTypes, Scope } from "./apparentTypes.ts";
import type { ForbiddenEdit } from "./forbiddenEdits.ts";
import { isOmission, type Mutation, type MutationKind } from "./mutation.ts";
import type { SourceText } from "./sourceText.ts";

/** A variable that can be named between two offsets. */
export type LocalVariable = {
  readonly name: string;
  readonly type: string;
  readonly from: number;
  readonly to: number;
};

/** What the mutators know around a piece of a program. */
export type Site = {
  readonly source: SourceText;
  readonly types: ApparentTypes;
  /** null at file level. */
  readonly function: string | null;
  readonly locals: readonly LocalVariable[];
  readonly add: (mutation: Mutation) => void;
};

export function scopeAt({ locals, types }: Site, offset: number): Scope {
  return (name) =>
    locals.findLast((local) => local.name === name && isVisible(local, offset))?.type ??
    types.globals.get(name) ??
    null;
}

export function isVisible({ from, to }: LocalVariable, offset: number): boolean {
  return from < offset && offset < to;
}

/**
 * Where the operator between two expressions stands in the text, or null where it does not: then it comes from a macro.
 */
export function operatorSpan({ source }: Site, left: Expr, right: Expr, operator: string): [number, number] | null {
  const start = source.endOf(left.range);
  const between = source.text.slice(start, source.startOf(right.range));
  if (between.trim() !== operator) return null;
  const at = start + between.indexOf(operator);
  return [at, at + operator.length];
}

export type Change = {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly forbidden: readonly ForbiddenEdit[];
  /** What the description quotes; default: the text that is replaced. */
  readonly shown?: SourceRange;
};

export function addChange(site: Site, { kind, start, end, replacement, forbidden, shown }: Change): void {
  const { source } = site;
  const from = shown === undefined ? start : Math.min(start, source.startOf(shown));
  const to = shown === undefined ? end : Math.max(end, source.endOf(shown));
  const before = source.text.slice(from, to);
  const after = source.text.slice(from, start) + replacement + source.text.slice(end, to);
  const first = source.lineOf(start);
  const last = source.lineOf(Math.max(start, end - 1));
  site.add({
    kind,
    start,
    end,
    replacement,
    description: isOmission(kind) ? `without ${oneLine(before)}` : `${oneLine(before)} -> ${oneLine(after)}`,
    lines: Array.from({ length: last - first + 1 }, (_, i) => first + i),
    neighbours: isOmission(kind) ? [codeLine(source, first, -1), codeLine(source, last, 1)] : [],
    function: site.function,
    forbidden,
  });
}

/** The nearest line of code in one direction. */
function codeLine(source: SourceText, from: number, step: number): number {
  let line = from + step;
  while (line > 1 && line < from + 20 && !source.isCode(line)) line += step;
  return line;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
