import type { ExplainReport } from "../../explain/explainReport.ts";
import type { Explanation } from "../../explain/explanation.ts";
import type { CheckReport } from "../../jobs/check/checkReport.ts";
import type { CompressReport } from "../../jobs/compress/compressReport.ts";
import type { RunOutcome, RunReport } from "../../jobs/run/runReport.ts";

/** How an error crosses the thread boundary, where classes get lost. */
export type EngineError =
  | { readonly kind: "tracefold"; readonly text: string; readonly limit: boolean }
  | { readonly kind: "defect"; readonly message: string; readonly stack: string };

/** What the engine hands back at its end; the program's output and the trace it has printed itself. */
export type EngineMessage =
  | { readonly kind: "run"; readonly report: RunReport; readonly sources: ReadonlyMap<string, string> }
  | { readonly kind: "compress"; readonly report: CompressReport; readonly sources: ReadonlyMap<string, string> }
  | {
      readonly kind: "explain";
      readonly explanation: Explanation;
      readonly report: ExplainReport;
      readonly sources: ReadonlyMap<string, string>;
    }
  | { readonly kind: "check"; readonly report: CheckReport }
  | { readonly kind: "printed" }
  | { readonly kind: "error"; readonly error: EngineError };

/** What the engine says before its answer, so that nobody waits for what is known already. */
export type EngineNews = { readonly kind: "failed"; readonly outcome: RunOutcome };
