import type { RunReport } from "../../formats/runReport.ts";

/** How an error crosses the thread boundary, where classes get lost. */
export type EngineError =
  | { readonly kind: "tracefold"; readonly text: string; readonly code: string; readonly limit: boolean }
  | { readonly kind: "defect"; readonly message: string; readonly stack: string };

/** What the engine hands back. */
export type EngineMessage =
  | {
      readonly kind: "run";
      readonly report: RunReport;
      readonly sources: ReadonlyMap<string, string>;
      readonly output: Uint8Array;
    }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly error: EngineError };
