import type { EngineName } from "../../analyses/verify/engine.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { ArithmeticMode, ObligationKind, Property } from "../../cutpoints/obligation.ts";
import type { CommonReport, Formula } from "../common/result.ts";
import type { RunInput, RunOutcome } from "../run/result.ts";

/** The result of `tracefold verify`. */
export type VerifyReport = CommonReport & {
  readonly command: "verify";
  readonly dataModel: "ILP32" | "LP64";
  readonly property: Property;
  /** What signed overflow does: it ends a run, wraps, or never happens. */
  readonly arithmetic: ArithmeticMode;
  readonly verdict: "safe" | "unsafe" | "unknown";
  /** The engine that decided; null if none did. */
  readonly engine: EngineName | "witness" | null;
  /** Invariants of loop heads: `safe` follows from them; with `unknown`, they are a part of what was proved. */
  readonly invariants: readonly HeadInvariant[];
  /** The check of the certificate; null if there is none. */
  readonly certificate: CheckedCertificate | null;
  /** `safe` holds for runs without this undefined behaviour. */
  readonly assumptions: readonly { readonly behaviour: string; readonly location: SourceRange }[];
  /** A run in which arithmetic does what `assumptions` exclude; null if none was found. */
  readonly exception: {
    readonly outcome: RunOutcome;
    readonly inputs: readonly RunInput[];
    readonly replay: string;
  } | null;
  readonly outcome: RunOutcome | null;
  readonly inputs: readonly RunInput[];
  /** A command that runs the failing run; null if there is none. */
  readonly replay: string | null;
  readonly engines: readonly EngineReport[];
  /** The number of loop heads and of regions between them. */
  readonly regions: number;
  /** Counts of the paper's algorithm, if it was used: nodes of its tree, and covered nodes. */
  readonly states: number;
  readonly subsumed: number;
  readonly witness: WitnessReport | null;
};

export type HeadInvariant = {
  readonly location: SourceRange;
  /** What is evaluated first at the head. */
  readonly begins: SourceRange;
  readonly function: string;
  readonly calls: readonly string[];
  readonly conjuncts: readonly Formula[];
};

export type CheckedCertificate = {
  readonly kind: "inductive" | "bounded" | "run";
  /** `inductive`: this many regions in a row exclude an error; `bounded`: every run ends within this many; `run`: the steps of the only run. */
  readonly depth: number;
  readonly checkedBy: readonly string[];
  readonly questions: number;
  /** The length of all conjuncts as SMT-LIB, in characters. */
  readonly size: number;
  readonly ms: number;
  /** What was proved: the verdict follows from these. At most 1000 are listed. */
  readonly obligations: readonly ProvedObligation[];
};

export type ProvedObligation = {
  readonly kind: ObligationKind;
  readonly text: string;
  /** The loop that it is about; null for none. */
  readonly location: SourceRange | null;
};

export type EngineReport = {
  readonly engine: EngineName;
  readonly result: "safe" | "unsafe" | "unknown" | "refused";
  readonly detail: string;
  readonly ms: number;
};

export type WitnessReport = {
  readonly invariants: readonly StatedVerdict[];
  /** Says whether the conditions that hold imply that no error is reached. */
  readonly suffices: "yes" | "no" | "unknown";
};

export type StatedVerdict = {
  readonly text: string;
  readonly location: SourceRange;
  readonly stated: SourceRange;
  readonly verdict: "holds" | "violated" | "unknown";
  readonly by: string;
  readonly inputs: readonly string[];
};
