import { nth, present } from "../../../base/checked.ts";
import { memoised } from "../../../base/memo.ts";
import { isWithin, type SourceRange } from "../../../base/sourceRange.ts";
import { libraryFunction, parameterIndex } from "../../../c/library/table.ts";
import { type Macros, macrosIn, regroupedMacro } from "../../../c/preprocess/regroupedMacro.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { RefusedCall } from "../../../dependence/missedUpdates.ts";
import { type Expression, rangeOfExpression, spellingOf } from "../../../ir/expression.ts";
import { hasSourceNames } from "../../../ir/naming.ts";
import type { Call, CallLibrary } from "../../../ir/operation.ts";
import { sourceOfExpression, sourceOfPlace } from "../../../ir/printOperation.ts";
import type { Program } from "../../../ir/program.ts";
import { libraryFolder } from "../../../ir/reservedNames.ts";
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

/** What neither the text of a line nor its values show. */
export function remarksOn(context: RenderContext, visit: number, refused: RefusedCall | null): readonly string[] {
  const { graph, visits } = context;
  const remarks = visits.steps(visit).flatMap((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind === "callLibrary") return blockSize(graph, step, operation);
    if (operation.kind !== "call") return [];
    return [...sameObject(graph, step, operation), ...(refused?.call === step ? ignored(context, refused) : [])];
  });
  const other = [...macroUse(graph.trace.program, visits.unit(visit).text), ...fallThrough(graph, visits.first(visit))];
  return [...new Set([...remarks, ...other])];
}

function ignored({ graph, wording }: RenderContext, { returned }: RefusedCall): readonly string[] {
  const { operation } = graph.edge(returned);
  const value =
    operation.kind === "return" && operation.value !== null ? wording.valueOf(returned, operation.value) : null;
  return value === null ? [] : [`returns ${value}, ignored`];
}

/** Two parameters that point to one place. */
function sameObject(graph: DependenceGraph, step: number, { callee, arguments: args }: Call): readonly string[] {
  const { program } = graph.trace;
  if (callee.kind !== "direct") return [];
  const { parameters } = nth(program.functions, callee.function);
  const byAddress = new Map<number, string[]>();
  for (const [i, argument] of args.entries()) {
    const parameter = parameters[i] === undefined ? undefined : program.variables[parameters[i]];
    const address = argument.type.kind === "pointer" ? graph.valueOf(step, argument) : 0;
    if (parameter === undefined || parameter.madeUp || typeof address !== "number" || address === 0) continue;
    byAddress.set(address, [...(byAddress.get(address) ?? []), parameter.name]);
  }
  return [...byAddress.values()].flatMap((names) =>
    names.length < 2 ? [] : [`${names.slice(0, -1).join(", ")} and ${names.at(-1)} are the same`],
  );
}

/** `5 bytes`, for a call that allocates a block, if an access was outside of one. */
function blockSize(graph: DependenceGraph, step: number, { name, arguments: args }: CallLibrary): readonly string[] {
  const { outcome } = graph.trace;
  if (outcome.kind !== "undefined-behaviour" || !outcome.problem.includes("out-of-bounds")) return [];
  const known = libraryFunction(name);
  const size = known.allocates?.size;
  if (size === undefined || size.kind !== "bytes") return [];
  const factors = size.factors.map((each) => graph.valueOf(step, nth(args, parameterIndex(known, each))));
  const product = factors.reduce<number>((all, factor) => all * Number(factor ?? Number.NaN), 1);
  return Number.isSafeInteger(product) ? [`${product.toLocaleString("en-US")} byte${product === 1 ? "" : "s"}`] : [];
}

function macroUse(program: Program, text: string): readonly string[] {
  const macros = macrosOf(program);
  const found = macros === null ? null : regroupedMacro(macros, text);
  return found === null ? [] : [`${found.use} is ${found.text}`];
}

/** null for a program that defines none. */
const macrosOf = memoised(({ files }: Program): Macros | null => {
  const own = files.filter(({ path, text }) => !path.startsWith(libraryFolder) && text.includes("#define"));
  return own.length === 0 ? null : macrosIn(own.map(({ text }) => text));
});

/** How far back the step before one is looked for: it may have called functions. */
const farthest = 10_000;

/** A statement behind a `case` that was reached from the statement before, not by the `case`. */
function fallThrough(graph: DependenceGraph, step: number): readonly string[] {
  const { from } = graph.edge(step);
  const isLabelled = graph
    .function(step)
    .edges.some(({ to, operation }) => to === from && operation.kind === "case" && operation.values !== null);
  if (!isLabelled) return [];
  const activation = graph.activation(step);
  let before = step - 1;
  while (before >= Math.max(graph.first, step - farthest) && graph.activation(before) !== activation) before--;
  if (before < graph.first || graph.activation(before) !== activation) return [];
  const { operation, range } = graph.edge(before);
  return operation.kind === "case" ? [] : [`falls through from line ${range.line}`];
}
