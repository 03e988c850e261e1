import type { Expr } from "../../../src/c/ast.ts";
import { anywhere, onLine } from "../forbiddenEdits.ts";
import { addChange, operatorSpan, type Site, scopeAt } from "../site.ts";

/** The neighbour first: it is what people mistake most. */
const otherComparisons: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">", "=="],
  "<=": ["<", ">=", "=="],
  ">": [">=", "<", "!="],
  ">=": [">", "<=", "=="],
  "==": ["!=", "<=", ">="],
  "!=": ["==", "<", ">"],
};

const opposite: Readonly<Record<string, string>> = {
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  "==": "!=",
  "!=": "==",
};

const otherArithmetic: Readonly<Record<string, readonly string[]>> = {
  "+": ["-", "*"],
  "-": ["+"],
  "*": ["+", "/"],
  "/": ["*", "%"],
  "%": ["/", "*"],
  "<<": [">>"],
  ">>": ["<<"],
  "&": ["|", "^"],
  "|": ["&", "^"],
  "^": ["|", "&"],
};

/** Another comparison, another arithmetic operator, also in `+=`, and `++` for `--`. */
export function mutateOperators(site: Site, expr: Expr): void {
  switch (expr.kind) {
    case "binary":
      mutateBinary(site, expr);
      return;
    case "assignment":
      if (expr.operator !== null) mutateCompound(site, expr, expr.operator);
      return;
    case "increment":
      mutateIncrement(site, expr);
      return;
    default:
      return;
  }
}

function mutateBinary(site: Site, expr: Expr & { kind: "binary" }): void {
  const span = operatorSpan(site, expr.left, expr.right, expr.operator);
  if (span === null) return;
  const [start, end] = span;
  const line = site.source.lineOf(start);
  for (const replacement of otherComparisons[expr.operator] ?? []) {
    // Whether a pointer is less than null is no question that people ask.
    if (/^[=!]=$/.test(expr.operator) && !/^[=!]=$/.test(replacement) && comparesPointers(site, expr)) continue;
    const forbidden = [
      ...anywhere("comparison"),
      ...(opposite[expr.operator] === replacement ? onLine(line, "negation") : []),
      // `i < 5` is `i <= 4`.
      ...(hasConstant(expr) ? onLine(line, "constant") : []),
    ];
    addChange(site, { kind: "comparison", start, end, replacement, forbidden, shown: expr.range });
  }
  for (const replacement of otherArithmetic[expr.operator] ?? []) {
    addChange(site, {
      kind: "arithmetic",
      start,
      end,
      replacement,
      // `i + 1` is `i - -1`.
      forbidden: [...anywhere("arithmetic"), ...(hasConstant(expr) ? onLine(line, "constant") : [])],
      shown: expr.range,
    });
  }
}

export function isComparison(expr: Expr | null): boolean {
  return expr?.kind === "binary" && expr.operator in otherComparisons;
}

function hasConstant({ left, right }: Expr & { kind: "binary" | "assignment" }): boolean {
  return [left, right].some(({ kind }) => kind === "number" || kind === "character");
}

function comparesPointers(site: Site, { left, right, range }: Expr & { kind: "binary" }): boolean {
  const scope = scopeAt(site, site.source.startOf(range));
  return [left, right].some((side) => site.types.typeOf(side, scope)?.endsWith("*"));
}

function mutateCompound(site: Site, expr: Expr & { kind: "assignment" }, operator: string): void {
  const span = operatorSpan(site, expr.left, expr.right, `${operator}=`);
  if (span === null) return;
  const [start, end] = span;
  const line = site.source.lineOf(start);
  for (const other of otherArithmetic[operator] ?? []) {
    addChange(site, {
      kind: "arithmetic",
      start,
      end,
      replacement: `${other}=`,
      forbidden: [...anywhere("arithmetic", "direction"), ...(hasConstant(expr) ? onLine(line, "constant") : [])],
      shown: expr.range,
    });
  }
}

function mutateIncrement(site: Site, expr: Expr & { kind: "increment" }): void {
  const text = site.source.at(expr.range);
  const start = site.source.startOf(expr.range) + (expr.prefix ? 0 : text.length - 2);
  if (site.source.text.slice(start, start + 2) !== expr.operator) return;
  addChange(site, {
    kind: "increment",
    start,
    end: start + 2,
    replacement: expr.operator === "++" ? "--" : "++",
    forbidden: anywhere("direction"),
    shown: expr.range,
  });
}
