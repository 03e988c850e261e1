import { assertWanted, unlessCancelled } from "../base/assertWanted.ts";
import { neverCancelled } from "../base/cancellation.ts";
import { createTerms } from "../logic/terms.ts";
import { targetOf } from "../model/target.ts";
import type { Run } from "../run/run.ts";
import { symbolsOfRun } from "../run/symbolsOfRun.ts";
import type { FoldClaim } from "./claim.ts";
import { type CheckOptions, checkBuilt, type ProofCheck, proofNotChecked } from "./proveRun.ts";
import type { RunsClaim } from "./runsClaim.ts";
import { runsTriples } from "./runsTriples.ts";

/** Builds the triples of a claim about other runs from the program and the run, in a term store of their own, and has them checked. */
export function proveClaim(
  run: Run,
  folds: readonly FoldClaim[],
  claim: RunsClaim,
  options: CheckOptions = {},
): ProofCheck {
  const { cancellation = neverCancelled } = options;
  return unlessCancelled(() => {
    assertWanted(cancellation, "checking the proof");
    const terms = createTerms();
    const symbols = symbolsOfRun(run, terms);
    const triples = runsTriples(symbols, run, targetOf(run), folds, claim, cancellation);
    return checkBuilt(terms, triples, { ...options, allOrNothing: true });
  }, proofNotChecked);
}
