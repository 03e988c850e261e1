import { cancelledAfterWork, neverCancelled, sharedCancellation } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import type { InputValue } from "../../../src/interpreter/inputs.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import type { Solver } from "../../../src/solver/solver.ts";
import { checkReport } from "./checkReport.ts";
import { cornerInputs } from "./cornerInputs.ts";
import { explainCase, inputType } from "./explainedRun.ts";
import type { FailingRun } from "./failingRun.ts";
import { type GccJob, isSeenByGcc } from "./gccClaims.ts";
import { instrumentClaim } from "./instrumentClaim.ts";
import { runSamples, type SampledRun, type Violation } from "./judgeClaim.ts";
import type { ClaimKind } from "./readClaim.ts";
import { sampleInputs } from "./sampleInputs.ts";

/** What became of one program. */
export type Judgement = {
  readonly run: FailingRun;
  /** Null where the run has no explanation. */
  readonly kind: ClaimKind | null;
  /** The claim as it is printed. */
  readonly claim: string;
  /** Other runs in the condition, those among them that the step limit ended, and facts that were evaluated. */
  readonly samples: number;
  readonly open: number;
  readonly facts: number;
  readonly violations: readonly Violation[];
  /** For gcc's build; null where there is nothing to compare. */
  readonly job: GccJob | null;
};

export type JudgeOptions = {
  readonly seed: number;
  /** Random samples, runs that gcc makes too, milliseconds of processor time for an explanation: what is not checked by then is not claimed. */
  readonly random: number;
  readonly gccRuns: number;
  readonly milliseconds: number;
};

/** Lists the solvers' processes, so that what they do counts. */
const { processes } = sharedCancellation();

/** Explains a failing run and looks for runs that contradict what is claimed; the solver finds corners of the claim. */
export async function judgeRun(solver: Solver, run: FailingRun, options: JudgeOptions): Promise<Judgement> {
  const program = await loadCText("program.c", run.text, { preprocess: "builtin" });
  const trace = recordTrace(program, { inputs: run.inputs });
  const nothing = { run, kind: null, claim: "", samples: 0, open: 0, facts: 0, violations: [], job: null };
  const cancellation = cancelledAfterWork(options.milliseconds, { ...neverCancelled, processes });
  const explained = explainCase(trace, { cancellation, maxAttempts: 6 });
  if (explained === null) return nothing;
  const { claim } = explained;
  const { violations, facts } = checkReport(explained);
  const own = { ...nothing, kind: claim.kind, claim: claim.text, violations, facts };
  if (claim.kind === "none" || claim.unreadable) return own;
  const recorded = trace.inputs.map((input) => ({ value: input.value, type: inputType(trace, input) }));
  const corners = cornerInputs(solver, claim, recorded, 3);
  const samples = sampleInputs(claim, recorded, { seed: options.seed, random: options.random, corners });
  const runs = runSamples(explained, samples);
  const { text, checks } = instrumentClaim(run.text, explained);
  return {
    ...own,
    samples: runs.length,
    open: runs.filter(({ verdict }) => verdict === "open").length,
    violations: [...violations, ...violationsOf(runs)],
    job: {
      text,
      checks,
      plain: instrumentClaim(run.text, null).text,
      topLevel: run.topLevel,
      runs: spread(runs.filter(hasRoom(run)), options.gccRuns).map((each) => ({
        inputs: inputsOfProgram(each),
        outcome: each.outcome,
      })),
    },
  };
}

/** Here memory has no end; where gcc's build runs, a block of many megabytes may be refused. */
function hasRoom({ text }: FailingRun): (run: SampledRun) => boolean {
  const isAllocating = /\b(m|c|re)alloc\(/.test(text);
  return ({ inputs }) => !isAllocating || inputs.every(({ value }) => value < mostCells && value > -mostCells);
}

const mostCells = 1 << 20;

/** Of each kind the first, which has the simplest inputs. */
function violationsOf(runs: readonly SampledRun[]): Violation[] {
  const first = new Map<string, Violation>();
  for (const { verdict } of runs) {
    if (typeof verdict === "object" && !first.has(verdict.kind)) first.set(verdict.kind, verdict);
  }
  return [...first.values()];
}

/** The recorded run, those that break the claim, and others from all over the list. */
function spread(runs: readonly SampledRun[], count: number): readonly SampledRun[] {
  const isBad = ({ verdict }: SampledRun) => typeof verdict === "object";
  const first = [...runs.slice(0, 1), ...runs.filter(isBad).slice(0, 2)];
  const others = runs.filter(({ verdict }) => verdict === "same");
  const step = Math.max(1, others.length / count);
  const chosen = [...Array(count).keys()].flatMap((k) => others[Math.floor(k * step)] ?? []);
  return [...new Set([...first, ...chosen])].filter(({ outcome }) => isSeenByGcc(outcome)).slice(0, count);
}

/** A variable of the library that is undefined here is none of gcc's inputs. */
function inputsOfProgram({ inputs }: SampledRun): readonly InputValue[] {
  return inputs.flatMap(({ source, value }) => (source.startsWith("__VERIFIER_nondet_") ? [value] : []));
}
