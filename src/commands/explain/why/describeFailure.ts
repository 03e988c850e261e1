import { nth, present } from "../../../base/checked.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { type FailureRoot, keptPointer } from "../../../dependence/failureRoot.ts";
import { repeatsForever } from "../../../dependence/repeatsForever.ts";
import type { Comparison } from "../../../ir/expression.ts";
import { spelledOperator } from "../../../ir/printOperation.ts";
import { isOfLibrary } from "../../../ir/reservedNames.ts";
import { sourceTextAt } from "../../../ir/source.ts";
import { describeOutcome } from "../../run/describeRun.ts";
import type { OutputDifference } from "../../run/result.ts";
import type { CallPath, CallSite, FailedCondition, Failure } from "../result.ts";
import { comparisonStyle } from "./describeVisit.ts";
import { unnamed } from "./memoryAtSteps.ts";
import { lineChange } from "./missingLines.ts";
import { type Operand, pointerOf, type Root } from "./root.ts";
import { comparedTexts, type RenderContext } from "./wording.ts";

export function describeFailure(context: RenderContext, root: Root): Failure {
  const { graph } = context;
  const { program, outcome } = graph.trace;
  const { step } = root.failure;
  const described = describeOutcome(program, outcome);
  const at = "at" in outcome && outcome.at !== null ? outcome.at.range : graph.edge(step).range;
  return {
    kind: described.kind,
    message: root.failure.kind === "loop" ? describeEndless(context, root.failure, root.operands) : described.message,
    ...(described.problem === undefined ? {} : { problem: described.problem }),
    ...(described.difference === undefined ? {} : { difference: withLines(graph, described.difference) }),
    location: at,
    function: graph.function(step).name,
    isTested: root.failure.kind === "condition",
    stack: callersOf(graph, step),
    condition: conditionOf(context, root),
    places: placesOf(context, root),
    ...declarationOf(graph, at),
    printed: lastLine(graph.trace.stderr) ?? lastLine(graph.trace.stdout),
  };
}

function withLines({ trace }: DependenceGraph, difference: OutputDifference): OutputDifference {
  const lines = lineChange(trace);
  return lines === null ? difference : { ...difference, lines };
}

/** The declaration of the variable that is too small, on another line than the access. */
function declarationOf(
  { trace: { outcome, program } }: DependenceGraph,
  at: SourceRange,
): Pick<Failure, "declaration"> {
  if (outcome.kind !== "undefined-behaviour" || outcome.exceeded === undefined) return {};
  const { range } = nth(program.variables, outcome.exceeded);
  const isShown = range.file === at.file && at.line <= range.line && range.line <= at.endLine;
  return isShown || range.file.startsWith("<") ? {} : { declaration: range };
}

function conditionOf(context: RenderContext, { failure, operands }: Root): FailedCondition | null {
  const { graph } = context;
  const { program } = graph.trace;
  const steps = failure.kind === "condition" || failure.kind === "loop" ? failure.deciding : [failure.step];
  const [first] = steps;
  if (first === undefined) return null;
  const edge = graph.edge(present(steps.at(-1)));
  return {
    text: sourceTextAt(program, edge.range) ?? "",
    location: edge.range,
    operands: operands.flatMap((operand) => {
      // The operand belongs to another line.
      if (!steps.includes(operand.step)) return [];
      const value = operandValue(context, operand);
      if (value === null || value === unnamed) return [];
      return [{ text: context.wording.text(operand.step, operand.expression), value, location: operand.range }];
    }),
  };
}

/** The value of an operand, in the style of the other side of its comparison. */
export function operandValue(context: RenderContext, operand: Operand): string | null {
  const texts = comparedTexts(context.graph, context.wording, operand);
  if (texts !== null) return texts.texts;
  const { step, expression } = operand;
  const { operation } = context.graph.edge(step);
  const compared =
    operation.kind === "assume" && operation.condition.kind === "comparison" ? operation.condition : null;
  const style = compared === null ? undefined : comparisonStyle(context, compared);
  const value = context.wording.valueOf(step, expression, style);
  const sides = expression.kind === "comparison" ? sidesOf(context, step, expression) : null;
  return value === null || sides === null ? value : `${value} (${sides})`;
}

/** `3 == 4`, for a comparison that a macro makes and whose sides therefore have no text. */
function sidesOf(context: RenderContext, step: number, comparison: Comparison): string | null {
  const style = comparisonStyle(context, comparison);
  const [left, right] = [comparison.left, comparison.right].map((side) => context.wording.valueOf(step, side, style));
  if (left == null || right == null || left === unnamed || right === unnamed) return null;
  return `${left} ${spelledOperator(context.graph.trace.program, comparison.operator)} ${right}`;
}

/** The active calls at a step, innermost first; frames of our own library functions are left out. */
export function callersOf(graph: DependenceGraph, step: number): readonly CallSite[] {
  const sites: CallSite[] = [];
  for (let call = graph.callOf(graph.activation(step)); call !== null && call >= graph.first; ) {
    const location = graph.edge(call).range;
    const fn = graph.function(call);
    if (!isOfLibrary(fn)) sites.push({ function: fn.name, location });
    call = graph.callOf(graph.activation(call));
  }
  return sites;
}

/** The allocation and the end of a wrongly used block. */
function placesOf({ graph, wording }: RenderContext, { failure, operands, death }: Root): readonly CallPath[] {
  const { outcome } = graph.trace;
  if (outcome.kind !== "undefined-behaviour" || failure.kind !== "trap") return [];
  const path = (what: string, step: number | null): readonly CallPath[] => {
    if (step === null || step < graph.first) return [];
    const own = { function: graph.function(step).name, location: graph.edge(step).range };
    return [{ what, calls: [own, ...callersOf(graph, step)] }];
  };
  const notReturned = outcome.problem === "uninitialised-read" ? endWithoutValue(graph, failure.step) : null;
  if (notReturned !== null) return path("no return", notReturned);
  const pointer = pointerOf(graph, operands);
  if (pointer === null) return [];
  const born = graph.birth(pointer);
  const isBlock = born !== null && born >= graph.first && graph.edge(born).operation.kind === "callLibrary";
  switch (outcome.problem) {
    case "use-after-free":
    case "double-free": {
      const kept = death === null ? null : keptPointer(graph, failure.step, pointer, death);
      return [
        ...path("freed", graph.death(pointer)),
        ...path(outcome.problem === "double-free" ? "freed again" : "used", failure.step),
        ...path("allocated", born),
        ...(kept === null ? [] : path(`kept by ${wording.text(kept.step, kept.place)} since`, kept.writer)),
      ];
    }
    case "out-of-bounds-read":
    case "out-of-bounds-write":
    case "uninitialised-read":
    case "invalid-free":
      return isBlock ? path("allocated", born) : [];
    default:
      return [];
  }
}

/** The step at which a function returned without the value that is read here; null if there is none. */
function endWithoutValue(graph: DependenceGraph, step: number): number | null {
  const read = graph.reads(step).find(({ writer, value }) => {
    if (value !== undefined || writer === null || writer < graph.first) return false;
    const { operation } = graph.edge(writer);
    return operation.kind === "return" && operation.value === null;
  });
  return read?.writer ?? null;
}

function lastLine(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 400))).toString("utf8");
  const lines = text.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}

type EndlessLoop = Extract<FailureRoot, { readonly kind: "loop" }>;

/** The number of equal rounds after which a variable counts as unchanging. */
const leastRounds = 3;
/** The number of steps at the end that are inspected. */
const mostSteps = 20_000;

/**
 * `does not end: the loop at line 11 is in round 389; lo and hi do not change any more`, if that is proved; else `not
 * finished after 2,000 steps: …`.
 */
export function describeEndless(context: RenderContext, loop: EndlessLoop, operands: readonly Operand[]): string {
  const { graph, wording } = context;
  const test = loop.deciding[0] ?? loop.step;
  const { line } = graph.edge(test).range;
  const rounds = loop.rounds.toLocaleString("en-US");
  const stuck = operands.filter((operand) => isStuck(graph, operand));
  const names = [...new Set(stuck.map(({ step, expression }) => wording.text(step, expression)))];
  const isEndless = repeatsForever(graph, test);
  const { outcome, steps } = graph.trace;
  const isFull = outcome.kind === "limit" && outcome.limit === "memory";
  const after = `after ${steps.toLocaleString("en-US")} steps`;
  const ending = isFull
    ? `needs more memory than the limit ${after}`
    : isEndless
      ? "does not end"
      : `not finished ${after}`;
  const head = `${ending}: the loop at line ${line} is in round ${rounds}`;
  if (names.length === 0) return head;
  const last = present(names.at(-1));
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
  return `${head}; ${list} ${names.length === 1 ? "does" : "do"} not change any more`;
}

/** True if the operand had the same value in all inspected tests. */
function isStuck(graph: DependenceGraph, { step, expression }: Operand): boolean {
  const { from } = graph.edge(step);
  const activation = graph.activation(step);
  const value = graph.valueOf(step, expression);
  let rounds = 0;
  for (let at = step - 1; at >= Math.max(graph.first, step - mostSteps); at--) {
    if (graph.edge(at).from !== from || graph.activation(at) !== activation) continue;
    if (graph.valueOf(at, expression) !== value) break;
    if (++rounds >= leastRounds) return true;
  }
  return false;
}
