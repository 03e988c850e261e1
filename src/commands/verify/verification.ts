import type { EngineName, VerifyEngine } from "../../analyses/verify/engine.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import type { Obligation, Property } from "../../cutpoints/obligation.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Term } from "../../logic/term.ts";
import type { Assumption } from "../../proof/assumptions.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";

/** The verdict about all runs of a program; narrowed, so that only a proof has a certificate. */
export type Verdict =
  | {
      readonly kind: "safe";
      /** `witness`: the invariants were given. */
      readonly engine: EngineName | "witness";
      readonly certificate: Certificate;
      /** The solvers that re-proved the certificate, and the questions that it took. */
      readonly checkedBy: readonly string[];
      readonly questions: number;
      /** All that was shown: each is a script of its own in a proof folder. */
      readonly obligations: readonly Obligation[];
      readonly assumptions: readonly Assumption[];
      readonly checkMs: number;
    }
  | { readonly kind: "unsafe"; readonly engine: EngineName; readonly trace: Trace }
  | { readonly kind: "unknown"; readonly reasons: readonly VerdictReason[] };

export type VerdictReason = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

/** The work of one engine. */
export type EngineLog = {
  readonly engine: EngineName;
  readonly result: "safe" | "unsafe" | "unknown" | "refused";
  readonly detail: string;
  readonly ms: number;
};

export type VerifyOptions = {
  readonly property: Property;
  /** null: all of them, in the order of what they cost. */
  readonly engines: readonly EngineName[] | null;
  readonly solver: BackendChoice;
  readonly seed: number;
  /** For everything. */
  readonly milliseconds: number;
  /** Memory that each solver may take; by default 3000, and 1700 the embedded one. */
  readonly megabytes?: number;
  /** The paper's algorithm without interpolation, to see what that is worth. */
  readonly interpolation?: boolean;
  readonly run: Omit<RunOptions, "inputs" | "undefinedBehaviour">;
  /** Other engines than those of `enginePlan`. */
  readonly plan?: readonly { readonly engine: VerifyEngine; readonly share: number }[];
  readonly cancellation?: Cancellation;
  readonly progress?: (phase: EngineName | "checking") => void;
};

export type Verification = {
  readonly verdict: Verdict;
  readonly log: readonly EngineLog[];
  readonly model: ProgramModel | null;
  /** Formulas that were proved to hold at heads, whatever the verdict: they need not be enough for one. */
  readonly known: ReadonlyMap<string, readonly Term[]>;
  readonly solver: { readonly queries: number; readonly ms: number };
  /** Counts of the paper's algorithm, if it was used. */
  readonly tree: { readonly states: number; readonly subsumed: number } | null;
};
