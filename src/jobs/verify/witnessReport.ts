import type { SourceRange } from "../../base/sourceRange.ts";

/** What was found about a correctness witness. */
export type WitnessReport = {
  readonly invariants: readonly StatedVerdict[];
  /** Does it follow from those that hold that no error is reached? */
  readonly suffices: "yes" | "no" | "unknown";
};

export type StatedVerdict = {
  /** As the witness has it. */
  readonly text: string;
  readonly location: SourceRange;
  /** Where the witness says it. */
  readonly stated: SourceRange;
  readonly verdict: "holds" | "violated" | "unknown";
  /** How that was found, or why it is not known. */
  readonly by: string;
  /** Of a run that violates it. */
  readonly inputs: readonly string[];
};
