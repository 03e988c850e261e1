import { rangeBetween, type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import { type Binary, type Comparison, rangeOfExpression } from "../../ir/expression.ts";
import { spelledOperator } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import { containsRange, writtenTextAt } from "../../ir/source.ts";
import type { Edit } from "./edit.ts";

export type Replacement = { readonly range: SourceRange; readonly text: string };

/** Replaces an operator in its source text, including `!p` and `i++`. null if the source does not contain it. */
export function changedOperator(
  program: Program,
  edit: Extract<Edit, { readonly kind: "comparison" | "operator" }>,
): Replacement | null {
  const other = otherOperator(program, edit.place.expression, edit.to);
  return other ?? (edit.kind === "comparison" ? otherTest(program, edit) : otherDirection(program, edit));
}

/** Exchanges two texts with only an operator between them. */
export function exchangedTexts(
  program: Program,
  first: SourceRange | null,
  second: SourceRange | null,
  operator: string,
): Replacement | null {
  const between = first === null || second === null ? null : rangeBetween(first, second);
  if (between === null || writtenTextAt(program, between)?.trim() !== operator) return null;
  const [a, b] = [writtenTextAt(program, first!), writtenTextAt(program, second!)];
  if (a === null || b === null) return null;
  const [left, right] = operator === "," ? [b, a] : [asOperand(b), asOperand(a)];
  return { range: spanRanges(first!, second!), text: `${left} ${operator} ${right}` };
}

/** The operator (or `+=`) between two operands that are both in the source. */
function otherOperator(program: Program, expression: Binary | Comparison, to: string): Replacement | null {
  const [left, right] = [rangeOfExpression(expression.left), rangeOfExpression(expression.right)];
  if (left === null || right === null) return null;
  const between = rangeBetween(left, right);
  const text = between === null ? null : writtenTextAt(program, between);
  if (between === null || text === null) return null;
  const token = spelledOperator(program, expression.operator).replace(/[|*+^/]/g, "\\$&");
  const pattern = new RegExp(`^([\\s)]*)${token}(=?)([\\s(]*)$`, "s");
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, before, assigns, behind] = match as unknown as readonly string[];
  const operator = `${before}${spelledOperator(program, to)}${assigns}${behind}`;
  if (assigns === "=" || binding(to) === binding(expression.operator)) return { range: between, text: operator };
  const [a, b] = [writtenTextAt(program, left) ?? "", writtenTextAt(program, right) ?? ""];
  const first = before!.includes(")") ? a : asOperand(a);
  return {
    range: spanRanges(left, right),
    text: `${first}${operator}${behind!.includes("(") ? b : asOperand(b)}`,
  };
}

const levels = ["|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"].map((level) => level.split(" "));

/** The precedence of an operator: products bind tighter than sums. */
export function binding(operator: string): number {
  return levels.findIndex((level) => level.includes(operator));
}

/** Adds parentheses if necessary. */
function asOperand(text: string): string {
  return /^\w+((\.|->)\w+|\[\w+\]|\(\w*\))*$/.test(text) ? text : `(${text})`;
}

/** `!p` and a bare `p` are comparisons with an implicit zero. */
function otherTest(program: Program, edit: Extract<Edit, { readonly kind: "comparison" }>): Replacement | null {
  const { expression } = edit.place;
  const range = rangeOfExpression(expression);
  const left = rangeOfExpression(expression.left);
  if (range === null || left === null || expression.right.kind !== "constant" || !containsRange(range, left))
    return null;
  const text = writtenTextAt(program, left);
  return text === null ? null : { range, text: `((${text}) ${edit.to} 0)` };
}

/** `i++` adds an implicit constant. */
function otherDirection(program: Program, edit: Extract<Edit, { readonly kind: "operator" }>): Replacement | null {
  const { range } = edit.place.edge;
  const { operator } = edit.place.expression;
  const text = writtenTextAt(program, range);
  if (text === null || !/^[+-] [+-]$/.test(`${operator} ${edit.to}`)) return null;
  const [from, to] = operator === "+" ? ["++", "--"] : ["--", "++"];
  if (!text.startsWith(from) && !text.endsWith(from)) return null;
  return { range, text: text.startsWith(from) ? to + text.slice(2) : text.slice(0, -2) + to };
}

export type ValuePlace = Extract<VariedPlace, { readonly kind: "value" }>;

/** The source text of a value; null if there is none. */
export function valueInSource(program: Program, place: ValuePlace): Replacement | null {
  const range = place.expression === null ? null : rangeOfExpression(place.expression);
  if (range === null || place.type.kind === "pointer") return null;
  const isPart = place.use === "argument" || place.use === "index";
  const { range: around } = place.edge;
  // The value written by `x += y` has no text of its own.
  const isWhole = range.line === around.line && range.column === around.column && range.endColumn === around.endColumn;
  if (!containsRange(around, range) || (!isPart && isWhole && !isOwnStatement(place))) return null;
  const text = writtenTextAt(program, range);
  return text === null || /(\+\+|--)$|^(\+\+|--)|[^=!<>]=[^=]/.test(text) ? null : { range, text };
}

/** The value of a conditional or a returned expression is the whole edge. */
function isOwnStatement({ edge }: ValuePlace): boolean {
  return edge.operation.kind === "return" || edge.operation.kind === "assign";
}
