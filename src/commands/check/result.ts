import type { ArithmeticMode, Property } from "../../cutpoints/obligation.ts";
import type { CheckedFolder, FileProblem, OtherRuns } from "../../proof/checkFolder.ts";
import type { ProvedProgram } from "../../proof/manifest.ts";
import { type About, type CommonReport, describeNotes, reportHead, type UnknownPart } from "../common/result.ts";
import type { VerifyReport } from "../verify/result.ts";

/**
 * The result of `tracefold check`. `status` is `failed` if something is wrong; `program` lists the proved files with
 * their hashes.
 */
export type CheckReport = CommonReport & {
  readonly command: "check";
  readonly manifest: string;
  readonly settings: Omit<ProvedProgram, "read" | "entry">;
  readonly claim: CheckedRunClaim | CheckedProgramClaim;
  readonly obligations: readonly CheckedObligation[];
  /** Program files that changed since the proof, and files of the folder that do not match it. */
  readonly problems: readonly FileProblem[];
  /** Why a proof about all runs is not accepted. */
  readonly refusal: string | null;
  /** Files in the folder that are no part of the proof and were not checked. */
  readonly notChecked: readonly string[];
  readonly checker: string | null;
  /** The proof holds for runs without this undefined behaviour. */
  readonly assumptions: VerifyReport["assumptions"];
};

export type CheckedRunClaim = {
  readonly kind: "run";
  readonly steps: number;
  readonly inputs: readonly string[];
  readonly arguments: readonly string[];
  readonly otherRuns: OtherRuns | null;
};

export type CheckedProgramClaim = {
  readonly kind: "program";
  readonly property: Property;
  /** What signed overflow does in the runs that the proof is about. */
  readonly arithmetic: ArithmeticMode;
  readonly certificate: { readonly kind: "inductive" | "bounded" | "run"; readonly depth: number };
};

export type CheckedObligation = {
  readonly name: string;
  /** `{ precondition } statements { postcondition }` in source syntax, or a sentence. */
  readonly text: string;
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  /** The solver that answered; null if no solver was needed. */
  readonly by: string | null;
};

export function describeCheck(checked: CheckedFolder, about: About): CheckReport {
  const { program, target, proof, problems } = checked;
  const { read, entry, ...settings } = checked.proved;
  const { verdicts } = proof;
  const isWrong =
    problems.length > 0 ||
    checked.refusal?.isWrong === true ||
    verdicts.some(({ answer }) => answer === "refuted" || answer === "vacuous");
  return {
    ...reportHead("check", about),
    status: isWrong ? "failed" : proof.checked && checked.refusal === null ? "ok" : "unknown",
    program: { files: read, entry },
    target: target === null ? null : { formula: target.text, location: target.range },
    manifest: checked.path,
    settings,
    claim: claimOf(checked),
    obligations: verdicts.map(({ obligation: { name, text }, answer, by }) => ({ name, text, answer, by })),
    problems,
    refusal: checked.refusal?.reason ?? null,
    notChecked: checked.notChecked,
    checker: proof.checker,
    assumptions: checked.assumptions.map(({ behaviour, range }) => ({ behaviour, location: range })),
    notes: describeNotes(program?.notes ?? []),
    stats: { ms: about.ms, solver: { queries: verdicts.length, ms: 0 } },
    unknowns: isWrong ? [] : unknownsOf(checked),
  };
}

function claimOf({ manifest: { claim }, otherRuns }: CheckedFolder): CheckReport["claim"] {
  if (claim.kind === "run") {
    const { steps, inputs, arguments: args } = claim.run;
    return { kind: "run", steps, inputs, arguments: args, otherRuns };
  }
  const { property, arithmetic, certificate } = claim;
  return { kind: "program", property, arithmetic, certificate: { kind: certificate.kind, depth: certificate.depth } };
}

const anotherSolver = "Another solver may decide it: --solver z3, --solver cvc5.";

function unknownsOf({ proof: { verdicts, obligations }, refusal }: CheckedFolder): UnknownPart[] {
  const unknowns: UnknownPart[] = verdicts
    .filter(({ answer }) => answer === "unknown")
    .map(({ obligation, by }) => ({
      reason: `${by} does not decide ${obligation.name}`,
      where: obligation.range,
      help: anotherSolver,
    }));
  if (refusal !== null && unknowns.length === 0) {
    unknowns.push({ reason: refusal.reason, where: null, help: anotherSolver });
  }
  if (refusal === null && verdicts.length < obligations.length) {
    const left = obligations.length - verdicts.length;
    const reason = `the check was stopped with ${left} obligations left`;
    unknowns.push({ reason, where: null, help: "Run it again." });
  }
  return unknowns;
}
