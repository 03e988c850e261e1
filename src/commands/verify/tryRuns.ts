import { type Finding, type Task, unknownFinding, type VerifyEngine } from "../../analyses/verify/engine.ts";
import { sampleHeads } from "../../analyses/verify/sampleHeads.ts";
import type { Cancellation, WorkClock } from "../../base/cancellation.ts";
import { present } from "../../base/checked.ts";
import { unlessRefused } from "../../base/errors.ts";
import { arithmeticBehaviours, overflowIn } from "../../cutpoints/obligation.ts";
import type { InputRequest, InputSource, InputValue } from "../../interpreter/inputs.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import type { Assumption } from "../../proof/assumptions.ts";
import { endsWell, onlyRun } from "../../proof/onlyRun.ts";
import { distributions, drawInputs, interestingNumbers } from "../../search/candidateInputs.ts";
import { deepRuns, seededRuns } from "../../search/seededRuns.ts";
import { confirmRun, violates } from "./confirmRun.ts";
import type { VerifyOptions } from "./verification.ts";

/** The number of runs that are sampled at loop heads. */
const mostSampled = 40;
const sampledSteps = 20_000;
/** A loop without branches reaches nothing new after its first round, so runs with random inputs are sampled, too. */
const drawnSteps = 2000;

/**
 * Runs with undefined behaviour outside of the property, if they are easy to find; the first is not about arithmetic, if one
 * is. "Safe if that does not happen" says little about such a program.
 */
export function undefinedRuns(
  program: Program,
  options: VerifyOptions,
  assumptions: readonly Assumption[],
  cancellation: Cancellation,
): readonly Trace[] {
  const settings = { ...options.run, undefinedBehaviour: overflowIn(options) };
  const assumed = new Set(assumptions.map(({ behaviour }) => behaviour));
  const isUndefined = (outcome: Outcome) =>
    outcome.kind === "undefined-behaviour" && (assumed.has(outcome.problem) || !covered.has(outcome.problem));
  const { failures } = seededRuns(program, settings, {
    seed: options.seed,
    runs: 400,
    steps: 10_000_000,
    deepSteps: 0,
    cancellation,
    accepts: isUndefined,
    isEnough: (found) => found.some(({ outcome }) => !isArithmetic(outcome)) || found.length >= mostExceptions,
  });
  return failures
    .toSorted((a, b) => Number(isArithmetic(a.outcome)) - Number(isArithmetic(b.outcome)))
    .map((failure) => {
      const inputs = ({ index }: InputRequest) => failure.inputs[index] ?? 0n;
      return recordTrace(program, { ...settings, inputs, maxSteps: failure.steps + 1 });
    })
    .filter(({ outcome }) => isUndefined(outcome));
}

const mostExceptions = 4;

/** Proofs cover what follows: arrays without elements exist, accesses need no alignment, and unbounded integers do not overflow. */
const covered: ReadonlySet<string> = new Set(["array-length", "misaligned-access", "signed-overflow"]);

/** Did arithmetic leave its type? Nothing is claimed of such a run. */
export function isArithmetic(outcome: Outcome): boolean {
  return outcome.kind === "undefined-behaviour" && arithmeticBehaviours.has(outcome.problem);
}

/** Tries runs with one input distribution each: collects failures, and samples of the loop heads. */
export function tryRuns(
  program: Program,
  options: VerifyOptions,
  task: Task | null,
  cancellation: Cancellation,
): { readonly finding: string; readonly trace: Trace | null } {
  const { property } = options;
  const settings = { ...options.run, undefinedBehaviour: overflowIn(options) };
  const record = (inputs: readonly InputValue[] | InputSource, maxSteps: number): Trace | null => {
    const source = typeof inputs === "function" ? inputs : ({ index }: InputRequest) => inputs[index] ?? 0n;
    return unlessRefused(() => recordTrace(program, { ...settings, inputs: source, maxSteps }));
  };
  const found = seededRuns(program, settings, {
    seed: options.seed,
    runs: 1500,
    steps: 30_000_000,
    deepSteps: Math.min(40_000_000, settings.maxSteps ?? Number.POSITIVE_INFINITY),
    cancellation,
    accepts: (outcome) => violates(property, outcome),
    isEnough: (failures) => failures.length > 0,
  });
  const [failure] = found.failures;
  const failing = failure === undefined ? null : confirmRun(program, failure.inputs, options);
  if (failing !== null) {
    return { finding: `run ${found.runs} fails`, trace: failing };
  }
  if (task !== null) {
    const numbers = interestingNumbers(program);
    const drawn = distributions.map((distribution, i) => drawInputs(distribution, options.seed + i, numbers));
    for (const inputs of [[], ...found.corpus.slice(-mostSampled)]) learn(task, record(inputs, sampledSteps));
    for (const inputs of drawn) learn(task, record(inputs, drawnSteps));
  }
  return { finding: `${found.runs} runs, none of which fails`, trace: null };
}

/** What the only run of a program shows; null if it has others, or if the run is too long. */
export function onlyRunFinding(
  program: Program,
  { property, arithmetic, run }: VerifyOptions,
  cancellation: Cancellation,
): Finding | null {
  const only = onlyRun(
    program,
    { property, arithmetic },
    { maxSteps: run.maxSteps ?? Number.POSITIVE_INFINITY, cancellation },
  );
  if (only === null) return null;
  if (violates(property, only.outcome)) return { kind: "unsafe", inputs: [] };
  if (!endsWell(only)) return null;
  return { kind: "safe", certificate: { kind: "run", depth: only.steps, invariants: new Map(), sorts: new Map() } };
}

/** Runs for errors that take hundreds of millions of steps to come. */
export function deepRunsEngine(options: VerifyOptions, milliseconds: number, clock: WorkClock): VerifyEngine {
  const { property, run, seed } = options;
  return {
    name: "runs",
    decide({ model, cancellation }) {
      const { program } = model.symbols;
      const only = onlyRunFinding(program, options, cancellation);
      if (only !== null) return only;
      const settings = { ...run, undefinedBehaviour: overflowIn(options), cancellation };
      const accepts = (outcome: Outcome) => violates(property, outcome);
      const failing = deepRuns(program, settings, { seed, milliseconds, accepts, clock });
      if (failing !== null) return { kind: "unsafe", inputs: failing.inputs };
      return unknownFinding("no deep run fails");
    },
  };
}

/** Stores the visits of loop heads on a run. */
function learn({ model, knowledge }: Task, trace: Trace | null): void {
  if (trace === null) return;
  const visits = sampleHeads(model, trace);
  knowledge.runs.push({ inputs: trace.inputs.map(({ value }) => value), visits });
  for (const visit of visits) present(knowledge.visits.get(visit.head)).push(visit);
}
