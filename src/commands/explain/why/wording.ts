import { nth, present } from "../../../base/checked.ts";
import { memoised } from "../../../base/memo.ts";
import { isWithin, type SourceRange } from "../../../base/sourceRange.ts";
import { libraryFunction, parameterIndex } from "../../../c/library/table.ts";
import { type Macros, macrosIn, regroupedMacro } from "../../../c/preprocess/regroupedMacro.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { copyChangeAt } from "../../../dependence/lostUpdates.ts";
import type { RefusedCall } from "../../../dependence/missedUpdates.ts";
import { isBranch } from "../../../ir/branches.ts";
import { controlFlowOf } from "../../../ir/controlFlow.ts";
import { type Expression, rangeOfExpression, spellingOf, subexpressions } from "../../../ir/expression.ts";
import { hasSourceNames } from "../../../ir/naming.ts";
import type { Call, CallLibrary } from "../../../ir/operation.ts";
import { sourceOfExpression, sourceOfPlace } from "../../../ir/printOperation.ts";
import type { Function, Program } from "../../../ir/program.ts";
import { libraryFolder } from "../../../ir/reservedNames.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { sourceLine, sourceTextAt } from "../../../ir/source.ts";
import type { ScalarType } from "../../../ir/type.ts";
import { comparesTexts, type MemoryAtSteps } from "./memoryAtSteps.ts";
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
  /** See `MemoryAtSteps`. */
  compared(step: number): string | null;
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
    compared: memory.compared,
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
export function remarksOn(
  context: RenderContext,
  visit: number,
  refused: RefusedCall | null,
  isOmission: (step: number) => boolean,
): readonly string[] {
  const { graph, visits } = context;
  const remarks = visits.steps(visit).flatMap((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind === "store" || operation.kind === "assign") {
      const copy = isOmission(step) ? changedCopy(graph, step) : [];
      return operation.kind === "assign" ? copy : [...copy, ...sameTargets(graph, step, operation.address)];
    }
    if (operation.kind === "callLibrary") return blockSize(graph, step, operation);
    if (operation.kind !== "call") return [];
    return [
      ...sameNames(graph, step, operation).flatMap(areTheSame),
      ...(refused?.call === step ? ignored(context, refused) : []),
    ];
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

/** `item is a copy, made at line 12`, for a change that the original does not have. */
function changedCopy(graph: DependenceGraph, step: number): readonly string[] {
  const change = copyChangeAt(graph, step);
  return change === null ? [] : [`${change.copy} is a copy, made at line ${graph.edge(change.copied).range.line}`];
}

/** A write through a parameter while another parameter points to the same place. */
function sameTargets(graph: DependenceGraph, step: number, address: Expression): readonly string[] {
  const call = graph.callOf(graph.activation(step));
  if (call === null || call < graph.first) return [];
  const { operation } = graph.edge(call);
  const used = subexpressions(address).find(({ kind }) => kind === "variable");
  const name = used?.kind === "variable" ? nth(graph.trace.program.variables, used.variable).name : null;
  if (operation.kind !== "call" || name === null) return [];
  return sameNames(graph, call, operation).flatMap((names) => (names.includes(name) ? areTheSame(names) : []));
}

function areTheSame(names: readonly string[]): readonly string[] {
  return [`${names.slice(0, -1).join(", ")} and ${names.at(-1)} are the same`];
}

/** Parameters that point to one place. */
function sameNames(
  graph: DependenceGraph,
  step: number,
  { callee, arguments: args }: Call,
): readonly (readonly string[])[] {
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
  return [...byAddress.values()].filter((names) => names.length > 1);
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

/** A statement behind a `case` that was reached from the statement before the `case`; also one of those that follow it without a branch. */
function fallThrough(graph: DependenceGraph, step: number): readonly string[] {
  const fn = graph.function(step);
  if (!hasCases(fn)) return [];
  const { incoming } = controlFlowOf(fn);
  const activation = graph.activation(step);
  const limit = Math.max(graph.first, step - farthest);
  let at = step;
  for (let before = step - 1, i = 0; i < mostFollowing; i++, at = before, before--) {
    while (before >= limit && graph.activation(before) !== activation) before--;
    if (before < limit) return [];
    const { operation, range } = graph.edge(before);
    if (isBranch(graph.edge(before))) return [];
    const ways = nth(incoming, graph.edge(at).from);
    if (ways.some((way) => way.operation.kind === "case" && way.operation.values !== null))
      return operation.kind === "case" ? [] : [`falls through from line ${range.line}`];
    if (ways.length > 1) return [];
  }
  return [];
}

/** Steps of one function behind a `case` that have the remark. */
const mostFollowing = 20;

const hasCases = memoised(({ edges }: Function): boolean => edges.some(({ operation }) => operation.kind === "case"));

type Tested = { readonly step: number; readonly expression: Expression };

/** `"hell" against "hello"`: both texts, and the result, if an expression is the result of comparing them. */
export function comparedTexts(graph: DependenceGraph, wording: Wording, tested: Tested) {
  const step = comparingStep(graph, tested);
  if (step === null) return null;
  const texts = wording.compared(step);
  return texts === null ? null : { texts, result: Number(graph.value(step)) };
}

/** The call that compared two texts, if the expression is its result. */
export function comparingStep(graph: DependenceGraph, tested: Tested): number | null {
  const call = callFor(graph, tested);
  return call !== null && comparesTexts(graph.edge(call.step)) ? call.step : null;
}

/** True if the expression is what `isalpha` or a function like it returned: any value but 0 means yes. */
export function isAnswer(graph: DependenceGraph, tested: Tested): boolean {
  return /^isw?[a-z]+$/.test(callFor(graph, tested)?.name ?? "");
}

/** The library call whose result an expression reads. */
function callFor(graph: DependenceGraph, { step, expression }: Tested) {
  const parts = new Set(subexpressions(expression));
  const read = graph.reads(step).find((each) => each.expression !== null && parts.has(each.expression));
  if (read?.writer == null || read.writer < graph.first) return null;
  const { operation } = graph.edge(read.writer);
  return operation.kind === "callLibrary" ? { step: read.writer, name: operation.name } : null;
}
