import { type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import type { Binary, Comparison } from "../../ir/expression.ts";
import { rangeOfExpression } from "../../ir/expressionRange.ts";
import { printType } from "../../ir/printType.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { containsRange } from "../../ir/statementAt.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { VariedPlace } from "../../trace/vary/places.ts";
import type { Edit, ValueChange } from "./edit.ts";
import { type Replacement, rangeBetween, replaced, textOf } from "./sourceText.ts";
import type { WhatIf } from "./whatIf.ts";

/** A source file as it would have to be for the experiment to be what the program does. */
export type ChangedSource = { readonly path: string; readonly text: string };

/**
 * The changed program, for a compiler: an edit at its place; an override of one visit with a counter of visits. null
 * where the change cannot be written down in the source (in what a macro spells out, in a compound assignment).
 */
export function changedSource(program: Program, whatIf: WhatIf): ChangedSource | null {
  const change = whatIf.kind === "edit" ? editReplacement(program, whatIf.edit) : overrideReplacement(program, whatIf);
  const file = change === null ? undefined : program.files.find(({ path }) => path === change.range.file);
  if (change === null || file === undefined) return null;
  const head = whatIf.kind === "edit" ? "" : "static long tracefold_visits;\n";
  return { path: file.path, text: replaced(file.text, [change], head) };
}

function editReplacement(program: Program, edit: Edit): Replacement | null {
  switch (edit.kind) {
    case "comparison":
    case "operator":
      return inParentheses(program, edit, changedOperator(program, edit));
    case "truth": {
      const { range } = edit.place.edge;
      const text = textOf(program, range);
      if (text === null) return null;
      return { range, text: edit.to === "negated" ? `(!(${text}))` : `((${text}), ${edit.to === "true" ? 1 : 0})` };
    }
    case "constant": {
      const range = rangeOfExpression(edit.place.expression);
      return range === null ? null : { range, text: literal(edit.place.expression.type, edit.to) };
    }
    case "order": {
      const { left, right } = edit.place.expression;
      return exchangedTexts(program, rangeOfExpression(left), rangeOfExpression(right), edit.place.expression.operator);
    }
    case "arguments":
      return exchangedTexts(program, edit.swap.first, edit.swap.second, ",");
    case "variable": {
      const range = rangeOfExpression(edit.place.expression);
      return range === null ? null : { range, text: edit.place.others[edit.to]!.name };
    }
    case "value":
      return otherValue(program, edit.place, (text) => changedText(edit.place.type, text, edit.to));
    case "case":
      return otherCase(program, edit);
    case "skip": {
      const { place } = edit;
      const text = textOf(program, place.range);
      if (text === null) return null;
      if (text.endsWith(";")) return { range: place.range, text: ";" };
      const stepped = /^(?:(\+\+|--)\s*(.+)|(.+?)\s*(?:\+\+|--))$/s.exec(text);
      return { range: place.range, text: stepped === null ? "(void)0" : `(${stepped[2] ?? stepped[3]})` };
    }
    case "connective": {
      const { left, right, operator } = edit.connective;
      const [a, b] = [textOf(program, left.range), textOf(program, right.range)];
      if (a === null || b === null || rangeBetween(left.range, right.range) === null) return null;
      const text = `((${a}) ${operator === "&&" ? "||" : "&&"} (${b}))`;
      return { range: spanRanges(left.range, right.range), text };
    }
  }
}

/** The operator where it stands; `!p` and `i++` have one, too. null where the source does not spell it out. */
export function changedOperator(
  program: Program,
  edit: Extract<Edit, { readonly kind: "comparison" | "operator" }>,
): Replacement | null {
  const other = otherOperator(program, edit.place.expression, edit.to);
  return other ?? (edit.kind === "comparison" ? otherTest(program, edit) : otherDirection(program, edit));
}

/** The selector is evaluated twice: not where that does something. */
function otherCase(program: Program, edit: Extract<Edit, { readonly kind: "case" }>): Replacement | null {
  const range = edit.place.expression === null ? null : rangeOfExpression(edit.place.expression);
  const text = range === null ? null : textOf(program, range);
  if (range === null || text === null || /\+\+|--|[^=!<>]=[^=]|\(/.test(text)) return null;
  return { range, text: `((${text}) == ${edit.from} ? ${edit.to} : (${text}))` };
}

/** Two texts with nothing but an operator between them, in the other order. */
export function exchangedTexts(
  program: Program,
  first: SourceRange | null,
  second: SourceRange | null,
  operator: string,
): Replacement | null {
  const between = first === null || second === null ? null : rangeBetween(first, second);
  if (between === null || textOf(program, between)?.trim() !== operator) return null;
  const [a, b] = [textOf(program, first!), textOf(program, second!)];
  if (a === null || b === null) return null;
  const [left, right] = operator === "," ? [b, a] : [asOperand(b), asOperand(a)];
  return { range: spanRanges(first!, second!), text: `${left} ${operator} ${right}` };
}

/** The operator between two operands that both stand in the source; `+=` is one. */
function otherOperator(program: Program, expression: Binary | Comparison, to: string): Replacement | null {
  const [left, right] = [rangeOfExpression(expression.left), rangeOfExpression(expression.right)];
  if (left === null || right === null) return null;
  const between = rangeBetween(left, right);
  const text = between === null ? null : textOf(program, between);
  if (between === null || text === null) return null;
  const token = expression.operator.replace(/[|*+^/]/g, "\\$&");
  const pattern = new RegExp(`^([\\s)]*)${token}(=?)([\\s(]*)$`, "s");
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, before, assigns, behind] = match as unknown as readonly string[];
  const operator = `${before}${to}${assigns}${behind}`;
  if (assigns === "=" || binding(to) === binding(expression.operator)) return { range: between, text: operator };
  const [a, b] = [textOf(program, left) ?? "", textOf(program, right) ?? ""];
  const first = before!.includes(")") ? a : asOperand(a);
  return {
    range: spanRanges(left, right),
    text: `${first}${operator}${behind!.includes("(") ? b : asOperand(b)}`,
  };
}

/** What binds less than the operator that it takes the place of would take its operands from what stands around. */
function inParentheses(
  program: Program,
  { to, place: { expression } }: Extract<Edit, { readonly kind: "comparison" | "operator" }>,
  replacement: Replacement | null,
): Replacement | null {
  if (replacement === null || binding(to) >= binding(expression.operator)) return replacement;
  const range = rangeOfExpression(expression);
  if (range === null || !containsRange(range, replacement.range)) return replacement;
  const before = textOf(program, { ...range, endLine: replacement.range.line, endColumn: replacement.range.column });
  const after = textOf(program, { ...range, line: replacement.range.endLine, column: replacement.range.endColumn });
  const text = `${before ?? ""}${replacement.text}${after ?? ""}`;
  return { range, text: `(${text})` };
}

const levels = ["|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"].map((level) => level.split(" "));

/** How much an operator binds: products more than sums. */
function binding(operator: string): number {
  return levels.findIndex((level) => level.includes(operator));
}

/** As it stands, or in parentheses. */
function asOperand(text: string): string {
  return /^\w+((\.|->)\w+|\[\w+\]|\(\w*\))*$/.test(text) ? text : `(${text})`;
}

/** `!p` and a bare `p` are comparisons with zero that the source does not spell out. */
function otherTest(program: Program, edit: Extract<Edit, { readonly kind: "comparison" }>): Replacement | null {
  const { expression } = edit.place;
  const range = rangeOfExpression(expression);
  const left = rangeOfExpression(expression.left);
  if (range === null || left === null || expression.right.kind !== "constant" || !containsRange(range, left))
    return null;
  const text = textOf(program, left);
  return text === null ? null : { range, text: `((${text}) ${edit.to} 0)` };
}

/** `i++` is an addition of a constant that the source does not spell out. */
function otherDirection(program: Program, edit: Extract<Edit, { readonly kind: "operator" }>): Replacement | null {
  const { range } = edit.place.edge;
  const { operator } = edit.place.expression;
  const text = textOf(program, range);
  if (text === null || !/^[+-] [+-]$/.test(`${operator} ${edit.to}`)) return null;
  const [from, to] = operator === "+" ? ["++", "--"] : ["--", "++"];
  if (!text.startsWith(from) && !text.endsWith(from)) return null;
  return { range, text: text.startsWith(from) ? to + text.slice(2) : text.slice(0, -2) + to };
}

type ValuePlace = Extract<VariedPlace, { readonly kind: "value" }>;

/** Another value for an expression that stands in the source. */
function otherValue(program: Program, place: ValuePlace, change: (text: string) => string): Replacement | null {
  const source = valueInSource(program, place);
  return source === null ? null : { range: source.range, text: change(source.text) };
}

/** Where the source spells the value out, and how; null where it does not. */
export function valueInSource(program: Program, place: ValuePlace): Replacement | null {
  const range = place.expression === null ? null : rangeOfExpression(place.expression);
  if (range === null || place.type.kind === "pointer") return null;
  const isPart = place.use === "argument" || place.use === "index";
  const { range: around } = place.edge;
  // What is written by `x += y` has no text of its own.
  const isWhole = range.line === around.line && range.column === around.column && range.endColumn === around.endColumn;
  if (!containsRange(around, range) || (!isPart && isWhole && !isOwnStatement(place))) return null;
  const text = textOf(program, range);
  return text === null || /(\+\+|--)$|^(\+\+|--)|[^=!<>]=[^=]/.test(text) ? null : { range, text };
}

/** The value of a conditional or of a returned expression is all that its edge stands for. */
function isOwnStatement({ edge }: ValuePlace): boolean {
  return edge.operation.kind === "return" || edge.operation.kind === "assign";
}

function changedText(type: ScalarType, text: string, change: ValueChange): string {
  const name = printType(type);
  switch (change) {
    case "plus one":
      return `((${name})((${name})(${text}) + 1))`;
    case "minus one":
      return `((${name})((${name})(${text}) - 1))`;
    case "zero":
      return `((${text}), (${name})0)`;
    case "one":
      return `((${text}), (${name})1)`;
    case "negated":
      return `((${name})(-(${name})(${text})))`;
  }
}

function overrideReplacement(program: Program, whatIf: Exclude<WhatIf, { readonly kind: "edit" }>): Replacement | null {
  const isIt = `tracefold_visits++ == ${whatIf.visit}`;
  if (whatIf.kind === "value") {
    const { place, to } = whatIf;
    const name = printType(place.type);
    return otherValue(
      program,
      place,
      (text) => `((${name})(${isIt} ? ((${text}), ${literal(place.type, to)}) : (${name})(${text})))`,
    );
  }
  const { range } = whatIf.place.edge;
  const text = textOf(program, range);
  return text === null ? null : { range, text: `(${isIt} ? !(${text}) : !!(${text}))` };
}

/** A constant of exactly this type. */
function literal(type: ScalarType, value: ScalarValue): string {
  const text = type.kind === "float" && Number.isInteger(value) ? `${value}.0` : `${value}`;
  if (type.kind === "int" && value === -(2n ** 63n)) return "((long)(-9223372036854775807 - 1))";
  return `((${printType(type)})(${text}${typeof value === "bigint" && value > 0n ? "u" : ""}))`;
}
