import type { AbstractErrorTrace } from "../../../analyses/errorInvariants/abstractErrorTrace.ts";
import { type ProofCheck, proofNotChecked } from "../../../proof/checkObligations.ts";
import { claimOf, type FoldClaim } from "../../../proof/claim.ts";
import { type FactClaim, factClaim, factObligations } from "../../../proof/factObligations.ts";
import { proveClaim, proveRun } from "../../../proof/proveRun.ts";
import type { LogicWork } from "../proveExplanation.ts";
import type { Abstracted, Folded } from "./folding.ts";
import type { Conditioned } from "./inputs.ts";
import type { Stage } from "./stage.ts";

type Proved = {
  readonly claims: readonly FoldClaim[];
  readonly proof: ProofCheck;
  /** That of the claim about other inputs. */
  readonly conditionProof: ProofCheck;
};

/** All of it, rebuilt from the program and checked by solvers that took no part in finding it. */
export const proof: Stage<LogicWork & Folded & Abstracted & Conditioned, Proved> = {
  name: "proof",
  make({ symbols, run, target, folds, abstraction, runsClaim, checkers, cancellation, options }) {
    options.progress?.("checking");
    const claims = folds.map((each) => claimOf(symbols, each));
    const factClaims: readonly FactClaim[] = abstraction === null ? [] : claimsOf(abstraction);
    const relevant = abstraction === null ? [] : abstraction.relevant.map(({ index }) => index);
    const flow = { flowSensitive: options.flowSensitive ?? false, cancellation };
    const asked = proveRun(run, claims, { checkers, cancellation }, (fresh) =>
      factObligations(fresh, run, target, claims, factClaims, relevant, flow),
    );
    const proof = abstraction === null ? withoutOpenTarget(asked) : asked;
    const others = { checkers, cancellation };
    const conditionProof = runsClaim === null ? proofNotChecked : proveClaim(run, claims, runsClaim, others);
    // What solvers do not accept is not handed on.
    options.proved?.({ claims, runs: conditionProof.checked ? runsClaim : null });
    return { claims, proof, conditionProof };
  },
  problems({ proof: { obligations, verdicts, checked, interrupted } }) {
    const all = verdicts.length === obligations.length && verdicts.every(({ answer }) => answer === "proved");
    return [
      ...(checked && !all
        ? [`it counts as checked, but ${obligations.length} obligations have ${verdicts.length} verdicts`]
        : []),
      ...(checked && interrupted ? ["it counts as checked and as interrupted"] : []),
    ];
  },
  print: ({ proof, conditionProof }) =>
    [proof, conditionProof]
      .flatMap(({ obligations, verdicts }) =>
        obligations.map((obligation) => {
          const verdict = verdicts.find((each) => each.obligation === obligation);
          return `${obligation.name}: ${verdict === undefined ? "not asked" : `${verdict.answer} (${verdict.by})`}\n`;
        }),
      )
      .join(""),
};

/** Where no statements were found that imply the target nobody claims that it follows: it is open, and no proof of it is rejected. */
function withoutOpenTarget(proof: ProofCheck): ProofCheck {
  const open = new Set(
    proof.verdicts
      .filter(({ obligation: { kind }, answer }) => answer !== "proved" && kind === "target")
      .map(({ obligation }) => obligation),
  );
  if (open.size === 0) return proof;
  return {
    ...proof,
    obligations: proof.obligations.filter((obligation) => !open.has(obligation)),
    verdicts: proof.verdicts.filter(({ obligation }) => !open.has(obligation)),
  };
}

/** Without facts what is claimed is that the statements alone imply the target. */
function claimsOf({ stretches, explained }: AbstractErrorTrace): readonly FactClaim[] {
  return explained ? stretches.map(factClaim) : [{ from: 0, to: 0, formulas: [], sorts: {} }];
}
