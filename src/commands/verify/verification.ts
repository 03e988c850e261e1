import type { EngineName, VerifyEngine } from "../../analyses/verify/engine.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import type { Obligation, Question } from "../../cutpoints/obligation.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Term } from "../../logic/term.ts";
import type { Assumption } from "../../proof/assumptions.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";
import type { EngineReport } from "./result.ts";

/** The verdict about all runs of a program. Only a proof has a certificate. */
export type Verdict =
  | {
      readonly kind: "safe";
      /** `witness`: the invariants were given. */
      readonly engine: EngineName | "witness";
      readonly certificate: Certificate;
      /** The solvers that proved the certificate again, and the number of their queries. */
      readonly checkedBy: readonly string[];
      readonly questions: number;
      /** All proved obligations; each is a separate script in a proof folder. */
      readonly obligations: readonly Obligation[];
      readonly assumptions: readonly Assumption[];
      /** A run in which arithmetic does what they exclude; null if none was found. */
      readonly exception: Trace | null;
      readonly checkMs: number;
    }
  | { readonly kind: "unsafe"; readonly engine: EngineName; readonly trace: Trace }
  | { readonly kind: "unknown"; readonly reasons: readonly VerdictReason[] };

export type VerdictReason = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

export type VerifyOptions = Question & {
  /** null: all engines, cheapest first. */
  readonly engines: readonly EngineName[] | null;
  readonly solver: BackendChoice;
  readonly seed: number;
  readonly milliseconds: number;
  /** The memory limit of each solver; the default is 3000, and 1700 for the embedded one. */
  readonly megabytes?: number;
  /** False to run the paper's algorithm without interpolation, for comparison. */
  readonly interpolation?: boolean;
  readonly run: Omit<RunOptions, "inputs" | "undefinedBehaviour">;
  /** A replacement for `enginePlan`. */
  readonly plan?: readonly { readonly engine: VerifyEngine; readonly share: number }[];
  readonly cancellation?: Cancellation;
  readonly progress?: (phase: EngineName | "checking") => void;
};

export type Verification = {
  readonly verdict: Verdict;
  readonly log: readonly EngineReport[];
  readonly model: ProgramModel | null;
  /** Formulas that were proved at loop heads; they may not suffice for a verdict. */
  readonly known: ReadonlyMap<string, readonly Term[]>;
  readonly solver: { readonly queries: number; readonly ms: number };
  readonly tree: { readonly states: number; readonly subsumed: number } | null;
};
