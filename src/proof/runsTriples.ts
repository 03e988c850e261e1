import type { Cancellation } from "../base/cancellation.ts";
import { isTrue } from "../logic/term.ts";
import { type Duty, dutiesOf } from "../model/everyRun/duties.ts";
import { encodeRuns } from "../model/everyRun/encodeRuns.ts";
import type { Target } from "../model/target.ts";
import type { Run } from "../run/run.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { FoldClaim } from "./claim.ts";
import { foldedLoopOf } from "./factTriples.ts";
import { type RunsClaim, runsPlanOf } from "./runsClaim.ts";
import type { Triple } from "./triple.ts";
import { closeTriple } from "./tripleText.ts";

/**
 * The triples that prove what is claimed of every run like the recorded one, termination included: made from the program, the run and
 * the claims alone.
 */
export function runsTriples(
  symbols: Symbols,
  run: Run,
  target: Target,
  folds: readonly FoldClaim[],
  claim: RunsClaim,
  cancellation: Cancellation,
): readonly Triple[] {
  // With names of their own: blocks that are written there may have other sizes on other runs.
  const loops = claim.roundByRound ? [] : folds.map((fold) => foldedLoopOf(symbols.again(), run, fold));
  const encoded = encodeRuns(symbols, run, loops, target, cancellation);
  const duties = dutiesOf(symbols, encoded, runsPlanOf(symbols, encoded, claim));
  return duties.filter(({ conclusion }) => !isTrue(conclusion)).map((duty) => tripleOf(symbols, duty));
}

function tripleOf(symbols: Symbols, { name, text, range, hypotheses, conclusion }: Duty): Triple {
  const role = name.endsWith("-entry") ? "entry" : name.endsWith("-steps") ? "target" : "body";
  // The recorded run takes the steps and comes to the loops.
  const witness = role === "body" ? {} : { witnessed: name };
  return closeTriple(symbols, { name, role, range, text, hypotheses, conclusion, ...witness });
}
