import type { AbstractErrorTrace } from "../../../analyses/errorInvariants/abstractErrorTrace.ts";
import { claimRuns } from "../../../analyses/inputCondition/claimRuns.ts";
import {
  type ConditionOnInputs,
  coveredInputs,
  isSettled,
  noCondition,
} from "../../../analyses/inputCondition/inputCondition.ts";
import { type Cancellation, unlessCancelled } from "../../../base/cancellation.ts";
import { nth } from "../../../base/checked.ts";
import { TracefoldError } from "../../../base/errors.ts";
import type { Outcome } from "../../../interpreter/outcome.ts";
import type { Trace } from "../../../interpreter/trace.ts";
import { evaluate } from "../../../logic/evaluate.ts";
import { printSource } from "../../../logic/printSource.ts";
import { postOrder } from "../../../logic/traverse.ts";
import { type ProofCheck, proofNotChecked } from "../../../proof/checkObligations.ts";
import { claimOf, type FoldClaim } from "../../../proof/claim.ts";
import { type FactClaim, factClaim, factObligations } from "../../../proof/factObligations.ts";
import { proveClaim, proveRun } from "../../../proof/proveRun.ts";
import { type RunsClaim, runsClaimOf } from "../../../proof/runsObligations.ts";
import { inputBytes } from "../../../recordedRun/runOf.ts";
import { findCounterexample, quickCounterexample } from "../../../search/findCounterexample.ts";
import type { LogicWork } from "../proveExplanation.ts";
import type { Abstracted, Folded } from "./folding.ts";
import type { Stage } from "./stage.ts";

type Proved = {
  readonly claims: readonly FoldClaim[];
  readonly proof: ProofCheck;
  readonly conditionProof: ProofCheck;
};

/** Rebuilds everything from the program and checks it with solvers that did not find it. */
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
    // Only accepted claims are exported.
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

/** If no statements imply the target, the target is an open question, not a rejected proof. */
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

/** Without facts, the claim is that the statements alone imply the target. */
function claimsOf({ stretches, explained }: AbstractErrorTrace): readonly FactClaim[] {
  return explained ? stretches.map(factClaim) : [{ from: 0, to: 0, formulas: [], sorts: {} }];
}

export type Conditioned = {
  readonly condition: ConditionOnInputs;
  /** The claim to prove; null if nothing is claimed. */
  readonly runsClaim: RunsClaim | null;
};

export const inputs: Stage<LogicWork & Folded, Conditioned> = {
  name: "inputs",
  make(work) {
    const { trace, cancellation } = work;
    const names = work.symbols.again();
    const readsNothing = trace.inputs.length === 0 && inputBytes(work.run).length === 0;
    const found = readsNothing ? noInputs : conditionFor({ ...work, names });
    const tried = triedOut(trace, found, cancellation);
    const condition = tried.kind === "none" && trace.inputs.length === 0 ? noInputs : tried;
    const runsClaim = condition.kind === "claimed" ? runsClaimOf(names, condition.pieces, condition.plan) : null;
    return { condition, runsClaim };
  },
  problems({ trace, condition: { formulas, inputs, bytes } }) {
    const recorded = new Map(inputs.map((variable, i) => [variable, nth(trace.inputs, i).value]));
    for (const { variable, value } of bytes) recorded.set(variable, BigInt(value));
    const own = formulas.filter((formula) => {
      const value = evaluate(formula, (variable) => {
        const input = recorded.get(variable);
        return typeof input === "bigint" ? input : undefined;
      });
      return value === false;
    });
    return own.map((formula) => `the run's own inputs do not satisfy ${printSource(formula)}`);
  },
  print({ condition }) {
    const lines = condition.formulas.map((formula) => printSource(formula));
    const open = condition.kind === "claimed" ? condition.open.map(({ key }) => `open: ${key}`) : [];
    return `${[condition.kind, ...lines, ...open].join("\n")}\n`;
  },
};

const noInputs: ConditionOnInputs = { kind: "noInputs", formulas: [], inputs: [], bytes: [] };

/** Up to this length, runs are followed round by round if runs with other round numbers are unknown. */
const mostSteps = 400;

/** Claims nothing about failures without a formula, or about conditions that the user asked for. */
function conditionFor(work: LogicWork & Folded & { readonly names: LogicWork["symbols"] }): ConditionOnInputs {
  const { trace, run, target, folds, symbols, names } = work;
  const { watched, errorFlag } = trace.program;
  const nothing = noCondition(trace.inputs.length);
  if (watched !== undefined || errorFlag !== undefined) return nothing;
  const claim = (own: LogicWork["symbols"], loops: typeof folds) =>
    unlessCancelled(() => claimRuns(own, work.proverFor(own), symbols, { run, target, folds: loops }), nothing);
  try {
    const folded = claim(names, folds);
    if (isSettled(folded) || folds.length === 0 || run.steps > mostSteps) return folded;
    const single = claim(symbols.again(), []);
    if (single.kind !== "claimed" || !isSettled(single)) return folded;
    // Other runs need not satisfy the invariants of the folded loops.
    return { ...single, onlyThisRun: { has: () => true } };
  } catch (error) {
    if (error instanceof TracefoldError && error.kind === "unsupported") return nothing;
    throw error;
  }
}

/** Drops a claim that another run refutes. */
function triedOut(trace: Trace, condition: ConditionOnInputs, cancellation: Cancellation): ConditionOnInputs {
  if (condition.kind !== "claimed" || !isSettled(condition)) return condition;
  const numbers = postOrder(condition.formulas).flatMap((term) =>
    term.kind === "le" || term.kind === "eq" ? [term.bound, -term.bound] : [],
  );
  const isOpen = (outcome: Outcome) => {
    if (outcome.kind !== "undefined-behaviour") return false;
    const { file, line } = outcome.at.range;
    return condition.open.some(({ kind, range }) => kind === "undefined" && range.file === file && range.line === line);
  };
  const bytes = condition.bytes.length;
  const claim = { covers: coveredInputs(trace.inputs, condition), bytes, numbers, isOpen };
  const counterexample = findCounterexample(trace, claim, { ...quickCounterexample, cancellation });
  return counterexample === null ? condition : noCondition(trace.inputs.length);
}
