import { formatError, TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { type CompressedRun, type CompressOptions, compressRun } from "../../src/commands/compress/pipeline.ts";
import { type InputSource, mulberry32, randomInputs } from "../../src/interpreter/inputs.ts";
import { recordTrace, type Trace } from "../../src/interpreter/trace.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { type FoldedRun, matchesOf, targetHoldsAt } from "./foldedRuns.ts";
import { factAbout, type LoopProgram, printing, programText } from "./loopPrograms.ts";
import { observeRun } from "./observeRun.ts";
import { flatCompression } from "./reports/flatReport.ts";

const maxSteps = 1000;

/** A program whose run with the inputs of a seed fails, because of a fact about its final values or on its own. */
export type FailingProgram = { readonly text: string; readonly seed: number };

export type FoldCase = {
  readonly program: LoopProgram;
  readonly seed: number;
  /** Which fact about the final values is the target. */
  readonly choice: readonly number[];
};

/** The case as a program that fails; null where its run does not come to an end. */
export async function failingProgram({ program, seed, choice }: FoldCase): Promise<FailingProgram | null> {
  const printed = await load(programText(program, printing));
  const { outcome, stdout } = observeRun(printed, { inputs: randomInputs(seed), maxSteps });
  if (outcome.kind === "undefined-behaviour") return { text: programText(program, ""), seed };
  if (outcome.kind !== "exit") return null;
  const values = Buffer.from(stdout).toString().trim().split("\n").map(Number);
  return { text: programText(program, `assert(!(${factAbout(values, choice)}));`), seed };
}

export type FoldJudgement = {
  readonly problem: string | null;
  readonly folds: number;
  readonly failures: number;
  readonly checked: boolean;
  /** Other runs that the folded run stands for. */
  readonly matched: number;
};

/** Did some loop of the run go round at least once? */
export async function goesRound({ text, seed }: FailingProgram): Promise<boolean> {
  const trace = recordTrace(await load(text), { inputs: randomInputs(seed), maxSteps });
  const outermost = runOf(trace).activations({ from: 0, to: trace.steps, isTransparent: () => false });
  return outermost.some(({ visits }) => visits.length > 1);
}

const nothing = { problem: null, folds: 0, failures: 0, checked: false, matched: 0 };

/** Folds the run of a failing program and says which law about folding does not hold of the result. */
export async function judgeFolding(
  { text, seed }: FailingProgram,
  { others = 40, ...options }: CompressOptions & { readonly others?: number } = {},
): Promise<FoldJudgement> {
  const program = await load(text);
  const trace = recordTrace(program, { inputs: randomInputs(seed), maxSteps });
  let run: CompressedRun;
  try {
    run = compressRun(trace, options);
  } catch (error) {
    if (error instanceof TracefoldError && /^TF(145|2\d\d)$/.test(error.code)) return nothing;
    const reason = error instanceof TracefoldError ? formatError(error) : String((error as Error).stack ?? error);
    return { ...nothing, problem: `it throws: ${reason}` };
  }
  const { folds, failures } = run.compressed;
  const judged = { folds: folds.length, failures: failures.length, checked: run.proof.checked, matched: 0 };
  const own = problemOfOwnRun(run);
  if (own !== null) return { ...judged, problem: own };
  if (!run.proof.checked) return { ...judged, problem: null };
  const folded = { trace, target: run.target, folds };
  const begin = Math.min(...folds.map(({ activation, from }) => activation.visits[from]!));
  const before = trace.inputs.filter(({ step }) => step < begin).length;
  const met = new Set<string>();
  for (let k = 1; k <= others && folds.length > 0; k++) {
    const other = recordTrace(program, { inputs: likeRecorded(trace, before, seed * 1000 + k), maxSteps });
    const key = other.inputs.map(({ value }) => value).join();
    if (met.has(key)) continue;
    met.add(key);
    for (const at of matchesOf(folded, other)) {
      judged.matched++;
      const problem = problemOfOther(folded, other, at);
      if (problem !== null) return { ...judged, problem: `inputs ${key}: ${problem}` };
    }
  }
  return { ...judged, problem: null };
}

function load(text: string) {
  return loadCText("loops.c", text, { preprocess: "builtin" });
}

/** The recorded inputs up to the first fold and many of the others: so the kept steps are taken, and other ways round. */
function likeRecorded({ inputs }: Trace, before: number, seed: number): InputSource {
  const next = mulberry32(seed);
  const same = next();
  const random = randomInputs(seed);
  const chosen: (bigint | number | null)[] = [];
  return (request) => {
    const { index } = request;
    const recorded = inputs[index]?.value;
    const keep = recorded !== undefined && (index < before || next() < same);
    // A loop is mostly left by an input that the recorded run has too.
    const again = inputs[Math.floor(next() * inputs.length)]?.value;
    const other = again !== undefined && next() < 0.6 ? again : random(request);
    chosen[index] ??= keep ? recorded : other;
    return chosen[index]!;
  };
}

function problemOfOwnRun(run: CompressedRun): string | null {
  const { trace, target, compressed, proof } = run;
  const report = flatCompression(run, { version: "", ms: 0 });
  if (report.folded.steps > trace.steps) return `folded to ${report.folded.steps} steps from ${trace.steps}`;
  const counted = report.steps.reduce((sum, step) => sum + (step.kind === "loop" ? step.steps : 1), 0);
  const unfinished = trace.outcome.kind === "undefined-behaviour" || trace.outcome.kind === "assertion" ? 1 : 0;
  if (counted !== trace.steps && counted !== trace.steps + unfinished) {
    return `the folded run stands for ${counted} steps of ${trace.steps}`;
  }
  if (!matchesOf({ trace, target, folds: compressed.folds }, trace).includes(target.step)) {
    return "the recorded run is none of those that the folded run stands for";
  }
  const wrong = proof.verdicts.find(({ answer }) => answer === "refuted" || answer === "vacuous");
  if (wrong !== undefined && compressed.gap === null)
    return `${wrong.obligation.name} is ${wrong.answer} by ${wrong.by}`;
  return null;
}

/** The other run has done what the folded one says up to a step: there it must meet the target. */
function problemOfOther({ trace, target }: FoldedRun, other: Trace, at: number): string | null {
  if (trace.outcome.kind === "undefined-behaviour") {
    if (at < other.steps) return `it goes on after step ${at}, where the recorded run ends`;
    const { outcome } = other;
    const isSame = outcome.kind === "undefined-behaviour" && outcome.problem === trace.outcome.problem;
    return isSame || outcome.kind === "limit" ? null : `it ends at step ${at} with ${outcome.kind}`;
  }
  const holds = targetHoldsAt(target, other, at);
  return holds === false ? `${target.text} does not hold before step ${at}` : null;
}
