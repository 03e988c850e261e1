import type { Property } from "../../cutpoints/property.ts";
import type { FileProblem, OtherRuns } from "../../proof/checkFolder.ts";
import type { ProvedProgram } from "../../proof/manifest.ts";
import type { CommonReport } from "../commonReport.ts";
import type { VerifyReport } from "../verify/verifyReport.ts";

/**
 * The result of `tracefold check`. `status` is `failed` if something is wrong. `program` has the
 * files that the proof is about, with their hashes then.
 */
export type CheckReport = CommonReport & {
  readonly command: "check";
  readonly manifest: string;
  /** How the program was read. */
  readonly settings: Omit<ProvedProgram, "read" | "entry">;
  readonly claim: CheckedRunClaim | CheckedProgramClaim;
  readonly obligations: readonly CheckedObligation[];
  /** Files of the program that are not what the proof is about, and files of the folder that do not fit to it. */
  readonly problems: readonly FileProblem[];
  /** Why a proof about all runs is not accepted. */
  readonly refusal: string | null;
  /** Files in the folder that are no part of the proof and were not checked. */
  readonly notChecked: readonly string[];
  readonly checker: string | null;
  /** The proof holds for runs without this undefined behaviour. */
  readonly assumptions: VerifyReport["assumptions"];
};

/** One recorded run comes to the target. */
export type CheckedRunClaim = {
  readonly kind: "run";
  readonly steps: number;
  readonly inputs: readonly string[];
  readonly arguments: readonly string[];
  readonly otherRuns: OtherRuns | null;
};

/** No run violates the property. */
export type CheckedProgramClaim = {
  readonly kind: "program";
  readonly property: Property;
  readonly certificate: { readonly kind: "inductive" | "bounded"; readonly depth: number };
};

export type CheckedObligation = {
  readonly name: string;
  /** `{ precondition } statements { postcondition }` in source syntax, or a sentence. */
  readonly text: string;
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  /** The solver that gave the answer; null: it is plain without one. */
  readonly by: string | null;
};
