import { nth } from "../../base/checked.ts";
import { rangeBetween, type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../ir/expression.ts";
import { hasSourceNames } from "../../ir/naming.ts";
import { operationExpressions } from "../../ir/operation.ts";
import { sourceOfPlace, spelledOperator } from "../../ir/printOperation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { containsRange, writtenTextAt } from "../../ir/source.ts";
import { changedOperator, exchangedTexts, type Replacement, valueInSource } from "./changedSource.ts";
import type { Edit, ValueChange } from "./edit.ts";
import { rangeOfPlace } from "./executedPlaces.ts";
import type { Level } from "./experimentRunner.ts";
import { isNumbering } from "./proposeValues.ts";
import type { TriedChange, WhatIfOf } from "./suspect.ts";

/** A change in words; `short` for narrow places. */
export type DescribedChange = { readonly text: string; readonly short: string };

/**
 * Describes a change and its effect: ``with `i >= n` instead of `i > n` the run passes; 0 of 20 passing runs break``.
 */
export function describeWhatIf(program: Program, whatIf: TriedChange): string {
  return `${describeChange(program, whatIf).text} ${describeLevel(whatIf.level)}${describeBroken(whatIf)}`;
}

export function describeChange(program: Program, whatIf: TriedChange, print: PrintValue = byType): DescribedChange {
  switch (whatIf.kind) {
    case "flip": {
      const text = quoted(program, whatIf.place);
      const short = "had this gone the other way";
      return { text: text === null ? short : `had ${text} gone the other way`, short };
    }
    case "value":
      return describeValue(program, whatIf, print);
    case "edit":
      return describeEdit(program, whatIf.edit, print);
  }
}

/** Uses the type's name for the value; a `switch` over characters shows characters. */
const byType: PrintValue = ({ expression }, value) => {
  const written = expression?.kind === "convert" ? expression.operand : expression;
  if (written?.type.kind !== "int" || !Number.isInteger(Number(value))) return `${value}`;
  const { bits, enumerators } = written.type;
  if (bits === 8 && value >= 32 && value < 127) return `'${String.fromCharCode(Number(value))}'`;
  return enumerators?.find((each) => each.value === BigInt(value))?.name ?? `${value}`;
};

function describeEdit(program: Program, edit: Edit, print: PrintValue): DescribedChange {
  const change = changeInContext(program, edit, print);
  if (change !== null) {
    const { text, short } = instead(`\`${change.now}\``, `\`${change.was}\``);
    // For a long comparison, the short form shows only the operator.
    const isLong = (edit.kind === "comparison" || edit.kind === "operator") && change.now.length > longOperation;
    return { text, short: isLong ? `with \`${spelledOperator(program, edit.to)}\`` : short };
  }
  const operator = (sign: string) => `\`${spelledOperator(program, sign)}\``;
  switch (edit.kind) {
    case "comparison":
    case "operator":
      return instead(operator(edit.to), operator(edit.place.expression.operator));
    case "variable":
      return here(`with \`${nth(edit.place.others, edit.to).name}\``);
    case "order":
    case "arguments":
      return same("with these in the other order");
    case "truth": {
      const how = edit.to === "negated" ? "negated" : `always ${edit.to}`;
      return { text: `with ${quoted(program, edit.place) ?? "this"} ${how}`, short: `with this ${how}` };
    }
    case "constant": {
      const own = writtenTextAt(program, rangeOfPlace(edit.place));
      const now = print(edit.place, edit.to);
      if (now === null) return anotherValue;
      return own === null ? here(`with ${now}`) : instead(`\`${now}\``, `\`${own}\``);
    }
    case "value":
      return describeValueEdit(program, edit);
    case "case": {
      const [from, to] = [edit.from, edit.to].map((value) => print(edit.place, value));
      return from === null || to === null ? anotherValue : here(`with ${from} taken like ${to}`);
    }
    case "skip": {
      // A whole statement is the line that the reader sees anyway.
      const isWhole = writtenTextAt(program, edit.place.range)?.endsWith(";") === true;
      const text = isWhole ? null : quoted(program, edit.place);
      return same(`without ${text ?? "this"}`);
    }
    case "connective":
      return edit.connective.operator === "&&" ? instead("`||`", "`&&`") : instead("`&&`", "`||`");
  }
}

const longOperation = 18;

function describeValueEdit(program: Program, edit: Extract<Edit, { readonly kind: "value" }>): DescribedChange {
  const { place, to } = edit;
  const what = nameOfValue(program, place);
  const isOther = isNumbering(program, place.type);
  const all = place.type.kind === "pointer" ? "a null pointer" : isOther ? "another value" : words[to];
  if (to === "negated" && !isOther) return same(what === null ? "with this negated" : `with ${what} negated`);
  return what === null ? here(`with ${all}`) : { text: `with ${all} for ${what}`, short: `with ${all}` };
}

const words = {
  "plus one": "one more",
  "minus one": "one less",
  zero: "0",
  one: "1",
  negated: "its negation",
} as const;

function describeValue(program: Program, { place, from, to }: WhatIfOf<"value">, print: PrintValue): DescribedChange {
  const what = nameOfValue(program, place);
  const suffix = what === null ? " here" : ` for ${what}`;
  // The number of a pointer means nothing to a reader.
  if (place.type.kind === "pointer") {
    const short = to === 0 ? "with a null pointer" : "with another pointer";
    return { text: `${short}${suffix}`, short };
  }
  const [was, now] = [from, to].map((value) => print(place, value));
  if (was === null || now === null) return anotherValue;
  if (what === null) return { text: `with ${now} instead of ${was} here`, short: `with ${now}` };
  return { text: `with ${now} instead of ${was} for ${what}`, short: `with ${now} for ${what}` };
}

/** The name of a value in its line; null if the source has none. */
function nameOfValue(program: Program, place: Extract<VariedPlace, { readonly kind: "value" }>): string | null {
  const { operation } = place.edge;
  switch (place.use) {
    case "assigned": {
      const target = "target" in operation ? operation.target : null;
      const variable = target === null ? undefined : program.variables[target];
      const isNamed = variable !== undefined && variable.kind !== "temporary" && !variable.madeUp;
      return isNamed ? `\`${variable.name}\`` : null;
    }
    case "stored": {
      if (operation.kind !== "store") return null;
      const text = sourceOfPlace(program, operation.address);
      return text.length > longestName || !hasSourceNames(program, operation.address) ? null : `\`${text}\``;
    }
    case "returned":
      return "what it returns";
    case "argument":
    case "index":
    case "selector":
      return quoted(program, place);
  }
}

const longestName = 32;

/** The source text of a place; null if it is long. */
function quoted(program: Program, place: VariedPlace): string | null {
  const text = writtenTextAt(program, rangeOfPlace(place))?.replaceAll(/\s+/g, " ");
  return text === undefined || text.length > longestName ? null : `\`${text}\``;
}

function instead(now: string, was: string): DescribedChange {
  return { text: `with ${now} instead of ${was}`, short: `with ${now}` };
}

function same(text: string): DescribedChange {
  return { text, short: text };
}

function here(short: string): DescribedChange {
  return { text: `${short} here`, short };
}

/** A number that stands for an object means nothing to a reader. */
const anotherValue = same("with another value here");

function describeLevel(level: Level): string {
  return level === "passes" ? "the run passes" : "the run gets past this failure";
}

function describeBroken(whatIf: TriedChange): string {
  if (whatIf.kind !== "edit" || whatIf.asked === 0) return "";
  const runs = whatIf.asked === 1 ? "passing run breaks" : "passing runs break";
  return `; ${whatIf.broken} of ${whatIf.asked} ${runs}`;
}

/** A change as source text: before and after. */
export type ChangeInContext = { readonly was: string; readonly now: string };

/** Longer texts are not quoted. */
const longest = 44;

/** The smallest source text that shows which operand is meant; null if the source does not contain the change. */
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
      // The place of an initialiser entry identifies it.
      const place = sourceOfPlace(program, operation.address);
      return told({ was: `${place} = ${change.was}`, now: `${place} = ${change.now}` }) ?? change;
    }
    case "variable": {
      const { edge, expression, others } = edit.place;
      return inOperand(program, edge, expression, nth(others, edit.to).name);
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

/** Replaces an expression inside of the smallest expression around it. */
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

/** The expressions around a part, innermost first, then the whole edge. */
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
  // Operators that bind less tightly than a sum need parentheses.
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

/** Prints a value in source syntax at a place; null if the language has no text for it. */
export type PrintValue = (place: PrintedPlace, value: ScalarValue) => string | null;

export type PrintedPlace = Extract<VariedPlace, { readonly kind: "value" | "constant" }>;
