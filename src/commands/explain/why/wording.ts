import { present } from "../../../base/checked.ts";
import { isWithin, type SourceRange } from "../../../base/sourceRange.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { type Expression, rangeOfExpression, spellingOf } from "../../../ir/expression.ts";
import { hasSourceNames } from "../../../ir/naming.ts";
import { sourceOfExpression, sourceOfPlace } from "../../../ir/printOperation.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { sourceLine, sourceTextAt } from "../../../ir/source.ts";
import type { ScalarType } from "../../../ir/type.ts";
import type { MemoryAtSteps } from "./memoryAtSteps.ts";
import { type LiteralStyle, type LiteralStyles, printValue } from "./printValue.ts";
import type { Visits } from "./visits.ts";

export type Wording = {
  text(step: number, expression: Expression): string;
  /** The text of the place at an address. */
  place(step: number, address: Expression): string;
  /** True if the source has a text for an expression, or for the place at an address. */
  hasWords(expression: Expression): boolean;
  /** null if the run did not get that far. */
  valueOf(step: number, expression: Expression, style?: LiteralStyle): string | null;
  print(step: number, value: ScalarValue, type: ScalarType, style: LiteralStyle): string;
};

export function createWording(graph: DependenceGraph, styles: LiteralStyles, memory: MemoryAtSteps): Wording {
  const { program } = graph.trace;
  const print: Wording["print"] = (step, value, type, style) =>
    type.kind === "pointer" && typeof value === "number"
      ? memory.name(step, value, type)
      : printValue(value, type, style);
  const valueOf: Wording["valueOf"] = (step, expression, style = styles.of(expression)) => {
    const value = graph.valueOf(step, expression);
    return value === undefined ? null : print(step, value, expression.type, style);
  };
  /** The source text at a range, with the values of its indices. */
  const withIndices = (step: number, range: SourceRange, expression: Expression): string | null => {
    if (range.line !== range.endLine) return sourceTextAt(program, range);
    const line = sourceLine(program, range.file, range.line);
    if (line === undefined) return null;
    let text = line.slice(0, range.endColumn - 1);
    const indices = indicesIn(expression)
      .map((index) => ({ index, at: rangeOfExpression(index) }))
      .filter(({ at }) => at !== null && at.line === range.line && isWithin(at, range))
      .sort((a, b) => present(b.at).column - present(a.at).column);
    for (const { index, at } of indices) {
      const value = valueOf(step, index);
      if (value !== null) text = text.slice(0, at!.column - 1) + value + text.slice(at!.endColumn - 1);
    }
    return text.slice(range.column - 1).trim();
  };
  const place: Wording["place"] = (step, address) => {
    const spelling = spellingOf(address);
    if (spelling !== null) return spelling;
    const range = rangeOfExpression(address);
    if (range === null || address.kind === "addressOf") return sourceOfPlace(program, address);
    const text = withIndices(step, range, address);
    if (text === null) return sourceOfPlace(program, address);
    const isWhole = (address.kind === "offset" && address.subscript) || address.kind === "fieldAddress";
    return isWhole ? text : `*${/^[\w.]+$|^\(.*\)$/.test(text) ? text : `(${text})`}`;
  };
  return {
    place,
    valueOf,
    print,
    hasWords(expression) {
      if (spellingOf(expression) !== null) return true;
      const range = expression.kind === "addressOf" ? null : rangeOfExpression(expression);
      return (range !== null && sourceTextAt(program, range) !== null) || hasSourceNames(program, expression);
    },
    text(step, expression) {
      const spelling = spellingOf(expression);
      if (spelling !== null) return spelling;
      const range = rangeOfExpression(expression);
      const text = range === null ? null : withIndices(step, range, expression);
      return unwrapped(text ?? sourceOfExpression(program, expression));
    },
  };
}

/** The subscripts that are not constant, without those inside of other subscripts. */
function indicesIn(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "load":
      return indicesIn(expression.address);
    case "offset": {
      const own = expression.subscript && expression.index.kind !== "constant" ? [expression.index] : [];
      return [...indicesIn(expression.pointer), ...own];
    }
    case "fieldAddress":
      return indicesIn(expression.pointer);
    case "convert":
    case "unary":
      return indicesIn(expression.operand);
    default:
      return [];
  }
}

function unwrapped(text: string): string {
  return /^\([^()]*\)$/.test(text) ? text.slice(1, -1) : text;
}

/** The context for describing visits. */
export type RenderContext = {
  readonly graph: DependenceGraph;
  readonly visits: Visits;
  readonly styles: LiteralStyles;
  readonly memory: MemoryAtSteps;
  readonly wording: Wording;
  /** True if a step matters for the failure. */
  matters(step: number): boolean;
};
