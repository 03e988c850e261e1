import type { CommonReport } from "../commonReport.ts";
import type { VerifyReport } from "../verify/verifyReport.ts";

/** The result of `tracefold check` (`schema/check.schema.json`). `status` is `failed` where something is wrong. */
export type CheckReport = CommonReport & {
  readonly command: "check";
  readonly manifest: string;
  readonly trace: { readonly steps: number };
  readonly triples: readonly CheckedTriple[];
  /** Exported files, or the list of triples in the manifest, that are not what the program and the claims give. */
  readonly scripts: readonly { readonly name: string; readonly problem: "differs" | "missing" }[];
  /** Files in the folder that are no part of the proof and were not checked. */
  readonly notChecked: readonly string[];
  readonly checker: string | null;
  /** A certificate holds for runs without this undefined behaviour. */
  readonly assumptions: VerifyReport["assumptions"];
};

export type CheckedTriple = {
  readonly name: string;
  /** In source syntax: `{ precondition } statements { postcondition }`. */
  readonly text: string;
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  /** The solver that gave the answer. */
  readonly by: string;
};
