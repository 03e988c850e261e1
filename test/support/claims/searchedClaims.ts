import { compressTrace } from "../../../src/analyses/compress/compressTrace.ts";
import { asFoldedLoop } from "../../../src/analyses/compress/fold.ts";
import { claimRuns } from "../../../src/analyses/inputCondition/claimRuns.ts";
import { type ConditionOnInputs, coveredInputs } from "../../../src/analyses/inputCondition/inputCondition.ts";
import { TracefoldError } from "../../../src/base/errors.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import type { Outcome } from "../../../src/interpreter/outcome.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import { postOrder } from "../../../src/logic/traverse.ts";
import { runOf, symbolsOfRun } from "../../../src/recordedRun/runOf.ts";
import { targetOf } from "../../../src/recordedRun/target.ts";
import { findCounterexample } from "../../../src/search/findCounterexample.ts";
import { isFailure } from "../../../src/search/seededRuns.ts";
import type { Solver } from "../../../src/solver/solver.ts";
import { createSolver } from "../../../src/solver/solverChain.ts";
import { createProver } from "../../../src/symbolic/createProver.ts";
import { sequenceOf } from "./campaign.ts";
import { generateClaimProgram } from "./claimProgram.ts";
import { type FailingRun, findFailingRun } from "./failingRun.ts";

export type SearchedClaims = {
  readonly claims: number;
  readonly total: number;
  /** Seeds with inputs that the claim covers and that do something else. */
  readonly refuted: readonly string[];
};

/** Other inputs that are tried for each claim. */
const runs = 40;

/**
 * Claims about other inputs as they are found, before anybody tries or checks them, for generated programs that fail: each is
 * tried on some other inputs. Far quicker than whole explanations.
 */
export async function searchClaims(
  seeds: Iterable<number>,
  /** Choices that a program is made of: fewer make smaller programs. */
  choices = Number.POSITIVE_INFINITY,
  /** `bytes`: the program reads its inputs from standard input, one byte each. */
  source: "inputs" | "bytes" = "inputs",
): Promise<SearchedClaims> {
  let [claims, total] = [0, 0];
  const refuted: string[] = [];
  const { solver } = createSolver({ limits: { milliseconds: 20_000 } });
  for (const seed of seeds) {
    const failing = await findFailingRun(generateClaimProgram(sequenceOf(seed).slice(0, choices)));
    if (failing === null) continue;
    const given = source === "bytes" ? readingBytes(failing) : { text: failing.text, inputs: failing.inputs };
    const program = await loadCText("program.c", given.text, { preprocess: "builtin" });
    const trace = recordTrace(program, { ...given, maxSteps: 10_000 });
    if (source === "bytes" && !isFailure(trace.outcome)) continue;
    const condition = claimOf(trace, solver);
    if (condition?.kind !== "claimed" || condition.open.some(({ kind }) => kind === "way")) continue;
    claims++;
    if (condition.open.length === 0) total++;
    const found = counterexample(trace, condition, seed);
    if (found !== null) refuted.push(`${seed}: ${found.inputs} gives ${found.outcome.kind}`);
  }
  solver.dispose();
  return { claims, total, refuted };
}

/** Small numbers are read as bytes, this much larger so that some are negative. */
const shift = 6;

/** The same program and run, with its inputs read from standard input, one byte for each. */
function readingBytes({ text, inputs }: Pick<FailingRun, "text" | "inputs">) {
  const readers = /^extern (.*) __VERIFIER_nondet_(\w+)\(void\);$/gm;
  return {
    text: text
      .replace(readers, `static $1 read_$2(void) { return ($1)(getchar() - ${shift}); }`)
      .replaceAll("__VERIFIER_nondet_", "read_"),
    stdin: Uint8Array.from(inputs, (value) => (Number(value) + shift) & 255),
  };
}

function claimOf(trace: Trace, solver: Solver): ConditionOnInputs | null {
  try {
    const run = runOf(trace);
    const symbols = symbolsOfRun(run, createTerms());
    const target = targetOf(run);
    const context = { symbols, prover: createProver(symbols, solver), run };
    const compressed = compressTrace({ ...context, options: { families: "extended", maxAttempts: 2 } }, target);
    const folds = compressed.folds.map((fold) => asFoldedLoop(symbols, fold));
    const names = symbols.again();
    return claimRuns(names, createProver(names, solver), symbols, { run, target, folds });
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  } finally {
    solver.reset();
  }
}

function counterexample(trace: Trace, condition: ConditionOnInputs & { kind: "claimed" }, seed: number) {
  const numbers = postOrder(condition.formulas).flatMap((term) =>
    term.kind === "le" || term.kind === "eq" ? [term.bound, -term.bound] : [],
  );
  const isOpen = (outcome: Outcome) =>
    outcome.kind === "undefined-behaviour" &&
    condition.open.some(({ kind, range }) => kind === "undefined" && range.line === outcome.at.range.line);
  const bytes = condition.bytes.length;
  const claim = { covers: coveredInputs(trace.inputs, condition), bytes, numbers, isOpen };
  return findCounterexample(trace, claim, { runs, seed });
}
