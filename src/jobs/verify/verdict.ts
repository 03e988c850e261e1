import type { EngineName } from "../../analyses/verify/engine.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import type { Obligation } from "../../cutpoints/obligation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Assumption } from "../../proof/assumptions.ts";

/** What is known about all runs of a program; narrowed, so that nobody reads a certificate of what was not proved. */
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

/** What one engine did. */
export type EngineLog = {
  readonly engine: EngineName;
  readonly result: "safe" | "unsafe" | "unknown" | "refused";
  readonly detail: string;
  readonly ms: number;
};
