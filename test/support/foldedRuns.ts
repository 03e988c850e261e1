import type { Trace } from "../../src/interpreter/trace.ts";
import { evaluate } from "../../src/logic/evaluate.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { traceEnvironment } from "../../src/recordedRun/executeTrace.ts";
import type { Activation, LiveFrame, TraceStep } from "../../src/recordedRun/run.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { withStateAt } from "../../src/recordedRun/sampleRun.ts";
import type { Target } from "../../src/recordedRun/target.ts";
import { originState } from "../../src/symbolic/symbolicState.ts";
import { createSymbols } from "../../src/symbolic/symbols.ts";

/** A folded run, as a set of runs: kept steps one by one, and any number of rounds of a folded loop. */
export type FoldedRun = {
  readonly trace: Trace;
  readonly target: Target;
  readonly folds: readonly {
    readonly activation: Activation;
    readonly from: number;
    readonly left?: { readonly step: number };
  }[];
};

type Framed = TraceStep & { readonly stack: readonly LiveFrame[] };

/** Steps with the frames that are live before each. */
function framedSteps(trace: Trace): Framed[] {
  const { steps, stack } = runOf(trace).between(0, trace.steps);
  let live: readonly LiveFrame[] = stack;
  return steps.map((step) => {
    const framed = { ...step, stack: live };
    if (step.edge.operation.kind === "return") live = live.slice(0, -1);
    if (step.entered !== undefined) live = [...live, step.entered];
    return framed;
  });
}

/**
 * The points of another run where it has done what the folded run says up to its target: one for each way of context
 * which rounds the folds stand for. Empty where it is not one of the runs that the folded run stands for; with `sameInputs`
 * it has to read the same values outside of the folds.
 */
export function matchesOf(folded: FoldedRun, other: Trace, { sameInputs = true } = {}): readonly number[] {
  const own = framedSteps(folded.trace);
  const theirs = framedSteps(other);
  const spans = folded.folds
    .map(({ activation, from, left }) => ({
      activation,
      begin: activation.visits[from]!,
      end: left?.step ?? activation.visits[activation.visits.length - 1]!,
      left: left === undefined ? null : own[left.step]!.edge.from,
    }))
    .sort((a, b) => a.begin - b.begin);
  const ownInputs = new Map(folded.trace.inputs.map(({ step, value }) => [step, value]));
  const theirInputs = new Map(other.inputs.map(({ step, value }) => [step, value]));
  const found = new Set<number>();
  const tried = new Set<string>();

  const follow = (index: number, from: number, at: number): void => {
    const key = `${index}:${at}`;
    if (tried.has(key)) return;
    tried.add(key);
    const span = spans[index];
    const to = span === undefined ? folded.target.step : span.begin;
    for (let i = from; i < to; i++) {
      const mine = own[i]!;
      const step = theirs[at + i - from];
      if (step === undefined || step.edge !== mine.edge) return;
      if (!sameInputs || mine.edge.operation.kind !== "input") continue;
      if (ownInputs.get(i) !== theirInputs.get(step.step)) return;
    }
    const here = at + to - from;
    if (span === undefined) {
      found.add(here);
      return;
    }
    const arrivals =
      span.left === null
        ? roundsFrom(theirs, here, span.activation)
        : leftFrom(theirs, here, span.activation, span.left);
    for (const arrival of arrivals) follow(index + 1, span.end, arrival);
  };
  follow(0, 0, 0);
  return [...found];
}

/** Arrivals at the loop's head from one on, as long as the loop is not left. */
function roundsFrom(steps: readonly Framed[], start: number, { loop }: Activation): number[] {
  const first = steps[start];
  if (first === undefined || first.edge.from !== loop.header) return [];
  const depth = first.stack.length;
  const arrivals: number[] = [];
  for (let i = start; i < steps.length; i++) {
    const { stack, edge } = steps[i]!;
    if (stack.length < depth) break;
    if (stack.length > depth) continue;
    if (!loop.body.has(edge.from)) break;
    if (edge.from === loop.header) arrivals.push(i);
  }
  return arrivals;
}

/** The arrival at a location behind the loop, whichever way leads there. */
function leftFrom(steps: readonly Framed[], start: number, { loop }: Activation, location: number): number[] {
  const first = steps[start];
  if (first === undefined || first.edge.from !== loop.header) return [];
  const depth = first.stack.length;
  for (let i = start; i < steps.length && steps[i]!.stack.length >= depth; i++) {
    if (steps[i]!.stack.length === depth && steps[i]!.edge.from === location) return [i];
  }
  return [];
}

/** Is the target's formula true of the values that a run has before a step? null where it has none. */
export function targetHoldsAt(target: Target, run: Trace, step: number): boolean | null {
  if (step >= run.steps) return null;
  const symbols = createSymbols(run.program, createTerms());
  const { steps, stack } = runOf(run).between(step, step + 1);
  const unknown = { pointsTo: () => [], note: () => {} };
  const environment = traceEnvironment(symbols, runOf(run), unknown)(step);
  const formula = target.formula(symbols, { state: originState, stack }, environment);
  const at = { step, location: steps[0]!.edge.from, stack };
  const value = withStateAt(symbols, run, at, (assignment) => evaluate(formula, assignment));
  return typeof value === "boolean" ? value : null;
}
