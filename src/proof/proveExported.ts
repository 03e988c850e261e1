import { assertWanted, unlessCancelled } from "../base/assertWanted.ts";
import { neverCancelled } from "../base/cancellation.ts";
import { createTerms } from "../logic/terms.ts";
import { type Target, targetOf } from "../model/target.ts";
import type { Run } from "../run/run.ts";
import { runOf } from "../run/runOf.ts";
import { symbolsOfRun } from "../run/symbolsOfRun.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { Trace } from "../trace/trace.ts";
import { buildTriples } from "./buildTriples.ts";
import type { FoldClaim } from "./claim.ts";
import { type CheckOptions, checkBuilt, type ProofCheck, proofNotChecked } from "./proveRun.ts";
import type { RunsClaim } from "./runsClaim.ts";
import { runsTriples } from "./runsTriples.ts";
import type { Triple } from "./triple.ts";

/** The triples of an exported proof: those of the folded run, and those of what is claimed of other runs. */
export function exportedTriples(
  symbols: Symbols,
  run: Run,
  claims: readonly FoldClaim[],
  runs: RunsClaim | null,
): readonly Triple[] {
  const target = targetOf(run);
  const own = buildTriples(symbols, run, target, claims);
  return runs === null ? own : [...own, ...runsTriples(symbols.again(), run, target, claims, runs, neverCancelled)];
}

/** The same for a recorded run, with its target. */
export function triplesFor(
  trace: Trace,
  claims: readonly FoldClaim[],
  runs: RunsClaim | null,
): { readonly target: Target; readonly triples: readonly Triple[] } {
  const run = runOf(trace);
  const symbols = symbolsOfRun(run, createTerms());
  return { target: targetOf(run), triples: exportedTriples(symbols, run, claims, runs) };
}

/** Builds them from the program and the run, in a term store of their own, and has them checked. */
export function proveExported(
  run: Run,
  claims: readonly FoldClaim[],
  runs: RunsClaim | null,
  options: CheckOptions = {},
): ProofCheck {
  const { cancellation = neverCancelled } = options;
  return unlessCancelled(() => {
    assertWanted(cancellation, "checking the proof");
    const terms = createTerms();
    return checkBuilt(terms, exportedTriples(symbolsOfRun(run, terms), run, claims, runs), options);
  }, proofNotChecked);
}
