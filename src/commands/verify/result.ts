import type { EngineName } from "../../analyses/verify/engine.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Property } from "../../cutpoints/obligation.ts";
import type { CommonReport, Formula } from "../common/result.ts";
import type { RunInput, RunOutcome } from "../run/result.ts";

/** The result of `tracefold verify`. */
export type VerifyReport = CommonReport & {
  readonly command: "verify";
  readonly dataModel: "ILP32" | "LP64";
  readonly property: Property;
  readonly verdict: "safe" | "unsafe" | "unknown";
  /** The engine that decided; null where none did. */
  readonly engine: EngineName | "witness" | null;
  /** What holds whenever a run comes to a loop: `safe` follows from it; with `unknown`, some of what was proved. */
  readonly invariants: readonly HeadInvariant[];
  /** How the certificate was checked; null where there is none. */
  readonly certificate: CheckedCertificate | null;
  /** `safe` holds for runs without this undefined behaviour. */
  readonly assumptions: readonly { readonly behaviour: string; readonly location: SourceRange }[];
  /** The outcome of the failing run. */
  readonly outcome: RunOutcome | null;
  readonly inputs: readonly RunInput[];
  /** A command that runs the failing run; null where there is none. */
  readonly replay: string | null;
  readonly engines: readonly EngineReport[];
  /** Loop heads and what is between them. */
  readonly regions: number;
  /** Counts of the paper's algorithm, if it was used: nodes of its tree, and those that another one covers. */
  readonly states: number;
  readonly subsumed: number;
  /** Results for a correctness witness; null if none was given. */
  readonly witness: WitnessReport | null;
};

export type HeadInvariant = {
  /** The loop's condition; of a place that is no loop, what is done there. */
  readonly location: SourceRange;
  readonly function: string;
  /** The calls through which the loop is reached, outermost first. */
  readonly calls: readonly string[];
  readonly conjuncts: readonly Formula[];
};

export type CheckedCertificate = {
  readonly kind: "inductive" | "bounded";
  /** `inductive`: so many regions in a row exclude an error; `bounded`: every run ends within so many. */
  readonly depth: number;
  readonly checkedBy: readonly string[];
  readonly questions: number;
  /** Characters of all conjuncts as SMT-LIB. */
  readonly size: number;
  readonly ms: number;
};

export type EngineReport = {
  readonly engine: EngineName;
  readonly result: "safe" | "unsafe" | "unknown" | "refused";
  readonly detail: string;
  readonly ms: number;
};

/** Results for a correctness witness. */
export type WitnessReport = {
  readonly invariants: readonly StatedVerdict[];
  /** Does it follow from those that hold that no error is reached? */
  readonly suffices: "yes" | "no" | "unknown";
};

export type StatedVerdict = {
  /** As the witness has it. */
  readonly text: string;
  readonly location: SourceRange;
  /** The place in the witness. */
  readonly stated: SourceRange;
  readonly verdict: "holds" | "violated" | "unknown";
  /** How that was found, or why it is not known. */
  readonly by: string;
  /** Inputs of a run that violates it. */
  readonly inputs: readonly string[];
};
