import { rangeBetween, type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import { sourceOfPlace } from "../../ir/printOperation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import { writtenTextAt } from "../../ir/sourceText.ts";
import { containsRange } from "../../ir/statementAt.ts";
import { changedOperator, exchangedTexts, type Replacement, valueInSource } from "./changedSource.ts";
import type { Edit, ValueChange } from "./edit.ts";
import { isNumbering } from "./numberedValues.ts";
import type { PrintValue } from "./printedPlace.ts";

/** A change as a reader would make it: what stands in the source, and what would stand there. */
export type ChangeInContext = { readonly was: string; readonly now: string };

/** Longer stretches are not quoted. */
const longest = 44;

/** The smallest part of the source that says which operand is meant; null where the source does not spell the change out. */
export function changeInContext(program: Program, edit: Edit, print: PrintValue): ChangeInContext | null {
  switch (edit.kind) {
    case "comparison":
    case "operator": {
      const { edge, expression } = edit.place;
      const replacement = changedOperator(program, edit);
      return replacement === null ? null : within(program, rangeOfExpression(expression) ?? edge.range, replacement);
    }
    case "constant": {
      const { edge, expression } = edit.place;
      const { operation } = edge;
      const text = print(edit.place, edit.to);
      const change = text === null ? null : inOperand(program, edge, expression, text);
      const range = rangeOfExpression(expression);
      const isAlone = change !== null && range !== null && change.was === writtenTextAt(program, range);
      if (!isAlone || operation.kind !== "store") return change;
      // An entry of a list: which one it is says the place that it is for.
      const place = sourceOfPlace(program, operation.address);
      return told({ was: `${place} = ${change.was}`, now: `${place} = ${change.now}` }) ?? change;
    }
    case "variable": {
      const { edge, expression, others } = edit.place;
      return inOperand(program, edge, expression, others[edit.to]!.name);
    }
    case "order": {
      const { left, right, operator } = edit.place.expression;
      return replacing(program, exchangedTexts(program, rangeOfExpression(left), rangeOfExpression(right), operator));
    }
    case "arguments":
      return replacing(program, exchangedTexts(program, edit.swap.first, edit.swap.second, ","));
    case "truth": {
      const text = edit.to === "negated" ? writtenTextAt(program, edit.place.edge.range) : null;
      return text === null ? null : told({ was: text, now: negated(text, "!") });
    }
    case "value": {
      const { edge, expression, type } = edit.place;
      const hasText = type.kind !== "pointer" && !isNumbering(program, type);
      const source = hasText ? valueInSource(program, edit.place) : null;
      return source === null || expression === null
        ? null
        : inOperand(program, edge, expression, changedValueText(source.text, edit.to));
    }
    case "connective": {
      const { left, right, operator } = edit.connective;
      const between = rangeBetween(left.range, right.range);
      const text = between === null ? null : writtenTextAt(program, between);
      if (between === null || text === null || !text.includes(operator)) return null;
      const other = text.replace(operator, operator === "&&" ? "||" : "&&");
      return within(program, spanRanges(left.range, right.range), { range: between, text: other });
    }
    case "case":
    case "skip":
      return null;
  }
}

/** An expression replaced, in the smallest expression around it. */
function inOperand(program: Program, edge: Edge, expression: Expression, text: string): ChangeInContext | null {
  const range = rangeOfExpression(expression);
  if (range === null) return null;
  const around = [...rangesAround(edge, expression, range), range];
  for (const context of around) {
    const change = within(program, context, { range, text });
    if (change !== null) return change;
  }
  return null;
}

/** From the inside to the outside: the expressions around a part, then all of its edge. */
function rangesAround(edge: Edge, part: Expression, own: SourceRange): readonly SourceRange[] {
  const found: SourceRange[] = [];
  const visit = (expression: Expression): boolean => {
    if (expression === part) return true;
    if (!expressionOperands(expression).some(visit)) return false;
    const range = rangeOfExpression(expression);
    if (range !== null) found.push(range);
    return true;
  };
  operationExpressions(edge.operation).some(visit);
  const isLarger = (range: SourceRange) => containsRange(range, own) && !containsRange(own, range);
  return [...found, edge.range].filter(isLarger).slice(0, 1);
}

function within(program: Program, context: SourceRange, { range, text }: Replacement): ChangeInContext | null {
  const was = writtenTextAt(program, context);
  if (was === null || !containsRange(context, range)) return null;
  const before = writtenTextAt(program, { ...context, endLine: range.line, endColumn: range.column }) ?? "";
  const after = writtenTextAt(program, { ...context, line: range.endLine, column: range.endColumn }) ?? "";
  return told({ was, now: `${before}${text}${after}` });
}

function replacing(program: Program, replacement: Replacement | null): ChangeInContext | null {
  return replacement === null ? null : within(program, replacement.range, replacement);
}

function told({ was, now }: ChangeInContext): ChangeInContext | null {
  const plain = (text: string) => text.replaceAll(/\s+/g, " ").replace(/;$/, "").trim();
  const change = { was: plain(was), now: plain(now) };
  return change.was.length > longest || change.now.length > longest || change.was === change.now ? null : change;
}

function changedValueText(text: string, change: ValueChange): string {
  // Whatever binds less than a sum.
  const operand = /[<>=&|^?,]/.test(text) ? `(${text})` : text;
  switch (change) {
    case "plus one":
      return `${operand} + 1`;
    case "minus one":
      return `${operand} - 1`;
    case "zero":
      return "0";
    case "one":
      return "1";
    case "negated":
      return negated(text, "-");
  }
}

function negated(text: string, sign: "-" | "!"): string {
  return /^[\w.[\]]+$|^\w+\([^()]*\)$/.test(text) ? `${sign}${text}` : `${sign}(${text})`;
}
