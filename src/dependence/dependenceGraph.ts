import { objectIdOf } from "../interpreter/memory/pointer.ts";
import { staticLayoutOf } from "../interpreter/memory/staticLayout.ts";
import { replay, type Trace } from "../interpreter/trace.ts";
import { createTracker, type DependenceTracker } from "../interpreter/track/tracker.ts";
import { type Evaluation, evaluate } from "../ir/evaluate.ts";
import type { AddressOf, Expression } from "../ir/expression.ts";
import type { Edge, Function } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { type DescribedSteps, describeSteps, oldestRead, type Read, readsOf, stepOf } from "./read.ts";
import {
  type DependenceKind,
  type DependenceVisitor,
  dependenceVisitor,
  lastRightByte,
  type PrintedByte,
  wrongByte,
} from "./visitDependences.ts";

/**
 * The dynamic dependence graph of a recorded run (Agrawal and Horgan, "Dynamic program slicing", PLDI 1990): for every step what
 * it read, who had written that, and which branch or call it was executed under. Steps are numbered as in the trace. One
 * replay makes it; it holds some 60 bytes for a step.
 */
export type DependenceGraph = {
  readonly trace: Trace;
  /**
   * The first step that is described: 0, unless the run has more steps than were allowed. Steps before it occur as the
   * writers of what later ones read, by their numbers alone: ask for their graph with another window.
   */
  readonly first: number;
  /** Behind the last step. A step that the run began and did not complete, as it was undefined, is one of them. */
  readonly end: number;
  /** Reads by library functions that are not listed, because one call read too many separate pieces; mostly 0. */
  readonly readsLeftOut: number;
  function(step: number): Function;
  edge(step: number): Edge;
  /** The edge of a step as a number below `edges.length`, for walks over the whole graph. */
  code(step: number): number;
  /** All edges of the program, by these numbers. */
  readonly edges: readonly Edge[];
  /** Counted over the whole run, as `StepCursor.activation` is. */
  activation(step: number): number;
  /** The call that began an activation; null for the initializer and the entry function. */
  callOf(activation: number): number | null;
  /** The scalar that the step wrote or returned; undefined for a step that did neither. */
  value(step: number): ScalarValue | undefined;
  /** The reads of the step's expressions, then the bytes that it read otherwise. */
  reads(step: number): readonly Read[];
  /** The first of the steps that wrote what the step read; -1 where something has been there from the start. */
  oldestRead(step: number): number;
  /** The byte of output that is not what was expected: who printed it, from which arguments and reads; null for none. */
  readonly wrongByte: WrongByte | null;
  /** The step that printed the last byte before it; null where none did. */
  readonly lastRightByte: number | null;
  /** Did the step print anything, to whatever stream? */
  printed(step: number): boolean;
  /** The value that an expression of the step's operation had; undefined where the run ended before. */
  valueOf(step: number, expression: Expression): ScalarValue | undefined;
  /** The step of the branch that decided that this one was executed, else the call of its function; null in the entry function. */
  parent(step: number): number | null;
  /** The direct dependences of a step; one may be named more than once. */
  dependences(event: Event): readonly Dependence[];
  /** The same without an object for each, for walks over the whole graph. */
  visitDependences(step: number, part: number, visit: DependenceVisitor): void;
  /**
   * The step that made the object of a pointer (for a local one the call), and the one that ended it: a `free`, the function's
   * return. null for none. Of objects that got the number of a dead one, the last.
   */
  birth(pointer: number): number | null;
  death(pointer: number): number | null;
};

export type WrongByte = Pick<PrintedByte, "step" | "arguments"> & { readonly reads: readonly Read[] };

/**
 * A step, or a part of one: of a call argument `part - 1` alone, of a copy the bytes of its read `part - 1` alone. Part 0 is the whole
 * step, part -1 only that it was executed.
 */
export type Event = { readonly step: number; readonly part: number };

/**
 * - `data`: a value that was read was written there.
 * - `address`: what was written there decided which place was read, written or called.
 * - `control`: the branch or call there had this step executed.
 */
export type Dependence = Event & { readonly kind: DependenceKind };

/** The graph of a run's last `maxSteps` steps. */
export function dependenceGraph(trace: Trace, maxSteps = defaultMaxSteps): DependenceGraph {
  const { program } = trace;
  const first = Math.max(0, trace.steps - maxSteps);
  const tracker = trackRun(trace, first);
  const end = Math.max(first, tracker.step + 1);
  const steps = describeSteps(program, tracker, end);
  const wrong = wrongByte(trace, steps);
  const undefinedAt = trace.outcome.kind === "undefined-behaviour" ? end - 1 : null;
  const visit = dependenceVisitor(steps, wrong, undefinedAt);
  return {
    trace,
    first,
    end,
    readsLeftOut: tracker.readsLeftOut,
    function: steps.function,
    edge: steps.edge,
    code: (step) => tracker.steps.code[step - first]!,
    edges: steps.edges,
    activation: (step) => tracker.steps.activation[step - first]!,
    callOf: (activation) => stepOf(tracker.callers[activation]!),
    value: (step) => writtenValue(tracker, step - first),
    reads: (step) => readsOf(steps, step),
    oldestRead: (step) => oldestRead(steps, step),
    lastRightByte: lastRightByte(trace, steps),
    printed: (step) => [...tracker.fileWriters.values()].some(({ steps: writers }) => writers.includes(step + 1)),
    wrongByte: wrong && {
      step: wrong.step,
      arguments: wrong.arguments,
      reads: readsOf(steps, wrong.step, wrong.reads),
    },
    valueOf: (step, expression) => evaluate(evaluationAt(trace, steps, step), expression),
    parent: steps.parent,
    visitDependences: visit,
    dependences({ step, part }) {
      const result: Dependence[] = [];
      visit(step, part, (source, sourcePart, kind) => result.push({ step: source, part: sourcePart, kind }));
      return result;
    },
    birth: (pointer) => stepOf(tracker.births[objectIdOf(pointer)] ?? 0),
    death: (pointer) => stepOf(tracker.deaths[objectIdOf(pointer)] ?? 0),
  };
}

/**
 * Replays a trace and records its steps from `from` on: edge, activation, value, reads with their writers, control
 * parent. This includes the uncompleted step of undefined behaviour; `writer` is 0 for what it did not read.
 */
function trackRun(trace: Trace, from: number): DependenceTracker {
  const tracker = createTracker(from, Math.max(trace.steps - from, 0) + 1);
  replay(trace, { record: false, writes: false, dependence: true, hooks: null }, { tracker });
  return tracker;
}

/** How many steps a graph describes unless told: some 100 MB at most. */
const defaultMaxSteps = 2 ** 20;

function writtenValue(tracker: DependenceTracker, index: number): ScalarValue | undefined {
  if (tracker.steps.hasValue[index] !== 1) return undefined;
  return tracker.largeWritten.get(index) ?? tracker.steps.value[index]!;
}

function evaluationAt(trace: Trace, steps: DescribedSteps, step: number): Evaluation {
  const reads = new Map(readsOf(steps, step).map(({ expression, value }) => [expression, value]));
  const leaves = new Set(steps.leaves(step).map(({ expression }) => expression));
  const layout = staticLayoutOf(trace.program);
  const addressOf = ({ object }: AddressOf) =>
    object.kind === "function"
      ? layout.functions[object.function]?.pointer
      : layout.variables.get(object.variable)?.pointer;
  return {
    wraps: trace.settings.undefinedBehaviour === "wrap",
    leaf: (expression) => {
      if (leaves.has(expression)) return reads.get(expression);
      return expression.kind === "addressOf" ? addressOf(expression) : null;
    },
    ordered: (left, right) => objectIdOf(left) === objectIdOf(right),
  };
}
