import { neverCancelled, throwIfCancelled, unlessCancelled } from "../base/cancellation.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { createTerms } from "../logic/terms.ts";
import type { Run } from "../recordedRun/run.ts";
import { symbolsOfRun } from "../recordedRun/runOf.ts";
import { targetOf } from "../recordedRun/target.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { checkObligations, type ProofCheck, type ProofOptions, proofNotChecked } from "./checkObligations.ts";
import type { FoldClaim } from "./claim.ts";
import { foldObligations } from "./foldObligations.ts";
import { type RunsClaim, runsObligations } from "./runsObligations.ts";

/** Builds the obligations of a folded run and has them checked; `more` are others, such as those of facts. */
export function proveRun(
  run: Run,
  claims: readonly FoldClaim[],
  options: ProofOptions = {},
  more: (symbols: Symbols) => readonly Obligation[] = () => [],
): ProofCheck {
  return prove(run, options, (symbols, wanted) => {
    const others = more(symbols);
    // Without loops, facts from the start of the run to its target are the whole proof.
    const isWhole = claims.length === 0 && others.length > 0;
    return [...(isWhole ? [] : foldObligations(symbols, run, targetOf(run), claims, wanted)), ...others];
  });
}

/** The same for what is claimed of other runs: it is no claim unless all of it is proved. */
export function proveClaim(
  run: Run,
  folds: readonly FoldClaim[],
  claim: RunsClaim,
  options: ProofOptions = {},
): ProofCheck {
  const { cancellation = neverCancelled } = options;
  return prove(run, { ...options, allOrNothing: true }, (symbols) =>
    runsObligations(symbols, run, targetOf(run), folds, claim, cancellation),
  );
}

/** The same for all that a proof folder claims: the folded run, and other runs. */
export function proveExported(
  run: Run,
  claims: readonly FoldClaim[],
  runs: RunsClaim | null,
  options: ProofOptions = {},
): ProofCheck {
  return prove(run, options, (symbols) => exportedObligations(symbols, run, claims, runs));
}

export function exportedObligations(
  symbols: Symbols,
  run: Run,
  claims: readonly FoldClaim[],
  runs: RunsClaim | null,
): readonly Obligation[] {
  const target = targetOf(run);
  const own = foldObligations(symbols, run, target, claims);
  return runs === null ? own : [...own, ...runsObligations(symbols.again(), run, target, claims, runs, neverCancelled)];
}

/** Builds obligations from the program, the run and the claims alone, in a term store of their own, and has them checked. */
function prove(
  run: Run,
  options: ProofOptions,
  build: (symbols: Symbols, wanted: () => void) => readonly Obligation[],
): ProofCheck {
  const { cancellation = neverCancelled } = options;
  return unlessCancelled(() => {
    const wanted = () => throwIfCancelled(cancellation, "checking the proof");
    wanted();
    const terms = createTerms();
    return checkObligations(terms, build(symbolsOfRun(run, terms), wanted), options);
  }, proofNotChecked);
}
