import {
  binding,
  changedOperator,
  exchangedTexts,
  type Replacement,
  type ValuePlace,
  valueInSource,
} from "../../../src/analyses/counterfactual/changedSource.ts";
import type { Edit, ValueChange } from "../../../src/analyses/counterfactual/edit.ts";
import type { TriedChange } from "../../../src/analyses/counterfactual/suspect.ts";
import { offsetOf } from "../../../src/base/sourceFile.ts";
import { rangeBetween, spanRanges } from "../../../src/base/sourceRange.ts";
import { rangeOfExpression } from "../../../src/ir/expression.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { ScalarValue } from "../../../src/ir/scalarValue.ts";
import { containsRange, writtenTextAt } from "../../../src/ir/source.ts";
import { printType, type ScalarType } from "../../../src/ir/type.ts";

/** A source file as it would have to be for the experiment to be what the program does. */
export type ChangedSource = { readonly path: string; readonly text: string };

/**
 * The changed program, for a compiler: an edit at its place; an override of one visit with a counter of visits. null
 * where the change cannot be written down in the source (in what a macro spells out, in a compound assignment).
 */
export function changedSource(program: Program, whatIf: TriedChange): ChangedSource | null {
  const change = whatIf.kind === "edit" ? editReplacement(program, whatIf.edit) : overrideReplacement(program, whatIf);
  const file = change === null ? undefined : program.files.find(({ path }) => path === change.range.file);
  if (change === null || file === undefined) return null;
  const head = whatIf.kind === "edit" ? "" : "static long tracefold_visits;\n";
  return { path: file.path, text: head + replaced(file.text, change) };
}

function editReplacement(program: Program, edit: Edit): Replacement | null {
  switch (edit.kind) {
    case "comparison":
    case "operator":
      return inParentheses(program, edit, changedOperator(program, edit));
    case "truth": {
      const { range } = edit.place.edge;
      const text = writtenTextAt(program, range);
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
      const text = writtenTextAt(program, place.range);
      if (text === null) return null;
      if (text.endsWith(";")) return { range: place.range, text: ";" };
      const stepped = /^(?:(\+\+|--)\s*(.+)|(.+?)\s*(?:\+\+|--))$/s.exec(text);
      return { range: place.range, text: stepped === null ? "(void)0" : `(${stepped[2] ?? stepped[3]})` };
    }
    case "connective": {
      const { left, right, operator } = edit.connective;
      const [a, b] = [writtenTextAt(program, left.range), writtenTextAt(program, right.range)];
      if (a === null || b === null || rangeBetween(left.range, right.range) === null) return null;
      const text = `((${a}) ${operator === "&&" ? "||" : "&&"} (${b}))`;
      return { range: spanRanges(left.range, right.range), text };
    }
  }
}

/** The selector is evaluated twice: not where that does something. */
function otherCase(program: Program, edit: Extract<Edit, { readonly kind: "case" }>): Replacement | null {
  const range = edit.place.expression === null ? null : rangeOfExpression(edit.place.expression);
  const text = range === null ? null : writtenTextAt(program, range);
  if (range === null || text === null || /\+\+|--|[^=!<>]=[^=]|\(/.test(text)) return null;
  return { range, text: `((${text}) == ${edit.from} ? ${edit.to} : (${text}))` };
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
  const before = writtenTextAt(program, {
    ...range,
    endLine: replacement.range.line,
    endColumn: replacement.range.column,
  });
  const after = writtenTextAt(program, {
    ...range,
    line: replacement.range.endLine,
    column: replacement.range.endColumn,
  });
  const text = `${before ?? ""}${replacement.text}${after ?? ""}`;
  return { range, text: `(${text})` };
}

/** Another value for an expression that stands in the source. */
function otherValue(program: Program, place: ValuePlace, change: (text: string) => string): Replacement | null {
  const source = valueInSource(program, place);
  return source === null ? null : { range: source.range, text: change(source.text) };
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

function overrideReplacement(
  program: Program,
  whatIf: Exclude<TriedChange, { readonly kind: "edit" }>,
): Replacement | null {
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
  const text = writtenTextAt(program, range);
  return text === null ? null : { range, text: `(${isIt} ? !(${text}) : !!(${text}))` };
}

/** A constant of exactly this type. */
function literal(type: ScalarType, value: ScalarValue): string {
  const text = type.kind === "float" && Number.isInteger(value) ? `${value}.0` : `${value}`;
  if (type.kind === "int" && value === -(2n ** 63n)) return "((long)(-9223372036854775807 - 1))";
  return `((${printType(type)})(${text}${typeof value === "bigint" && value > 0n ? "u" : ""}))`;
}

function replaced(text: string, { range, text: other }: Replacement): string {
  const start = offsetOf({ text }, range.line, range.column);
  const end = offsetOf({ text }, range.endLine, range.endColumn);
  return text.slice(0, start) + other + text.slice(end);
}
