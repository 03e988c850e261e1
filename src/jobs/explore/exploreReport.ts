import type { SourceRange } from "../../base/sourceRange.ts";
import type { CommonReport, JsonNumber } from "../commonReport.ts";

/** What `tracefold explore --format json` prints. */
export type ExploreReport = CommonReport & {
  readonly command: "explore";
  readonly mode: "classic" | "concolic" | "compact" | "bounded" | "merged";
  /** Every path was followed to its end, and every question answered. */
  readonly complete: boolean;
  readonly tree: { readonly nodes: number; readonly leaves: number; readonly failedLeaves: number };
  /** Program states that were visited. */
  readonly states: number;
  /** The most branches on one path. */
  readonly depth: number;
  readonly cycles: number;
  /** Templates that were computed, and how often one was applied. */
  readonly templates: number;
  readonly applied: number;
  /** Concrete runs, those before symbolic execution included. */
  readonly runs: number;
  readonly targets: readonly ReportedTarget[];
  readonly failures: readonly ReportedFailure[];
  readonly tests: readonly (readonly JsonNumber[])[];
};

export type ReportedTarget = {
  readonly kind: "assertion" | "error-location" | "undefined-behaviour" | "line" | "branch";
  readonly text: string;
  readonly location: SourceRange;
  readonly status: "reached" | "unreachable" | "unknown";
  /** Of a run that reached it. */
  readonly inputs?: readonly JsonNumber[];
  readonly reason?: string;
};

/** A way to fail, confirmed by a run. */
export type ReportedFailure = {
  readonly message: string;
  readonly location: SourceRange | null;
  /** With `--all`: for which inputs runs fail like this one. */
  readonly reason?: string;
  readonly inputs: readonly JsonNumber[];
  readonly steps: number;
};
