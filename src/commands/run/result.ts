import type { SourceRange } from "../../base/sourceRange.ts";
import type { CommonReport, JsonNumber, ReportHead } from "../common/result.ts";

export type RunReport = CommonReport & {
  readonly command: "run";
  readonly outcome: RunOutcome;
  readonly inputs: readonly RunInput[];
  readonly output: string;
  /** The exact bytes, if they are not UTF-8. */
  readonly outputBase64?: string;
  /** The program's standard error, if it is not empty. */
  readonly errorOutput?: string;
  readonly trace: {
    readonly steps: number;
    readonly list?: readonly RunStep[];
  };
};

/** The result of `tracefold run --tests`. */
export type TestsReport = ReportHead & { readonly command: "run"; readonly tests: readonly TestReport[] };

export type TestReport = {
  readonly name: string;
  readonly passes: boolean;
  readonly outcome: RunOutcome;
  readonly steps: number;
};

export type RunOutcome = {
  readonly kind:
    | "exit"
    | "assertion"
    | "error-location"
    | "abort"
    | "assumption"
    | "undefined-behaviour"
    | "wrong-output"
    | "wrong-exit"
    | "limit";
  readonly message: string;
  readonly location: SourceRange | null;
  readonly function?: string;
  /** `exit`, `wrong-exit`: the exit status of the program. */
  readonly code?: number;
  /** `wrong-output`: the first difference from the expected output. */
  readonly difference?: OutputDifference;
  /** `error-location`: the function or label that was reached. */
  readonly error?: string;
  /** `undefined-behaviour`: its kind. */
  readonly behaviour?: string;
  /** `undefined-behaviour`: what is wrong, in one sentence. */
  readonly problem?: string;
  /** `limit`: the limit that was exceeded. */
  readonly limit?: string;
};

export type OutputDifference = {
  /** `stdout`, or the name of a file. */
  readonly stream: string;
  /** The number of equal bytes before the first difference. */
  readonly offset: number;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
  /** The quoted lines; null if the line does not exist. */
  readonly expected: string | null;
  readonly found: string | null;
  /** If whole lines are missing or were printed in addition, from this one on, and all others are as expected: how many. */
  readonly lines?: { readonly kind: "missing" | "extra"; readonly count: number };
};

export type RunInput = {
  readonly value: JsonNumber;
  readonly type: string;
  readonly source: string;
  readonly location: SourceRange;
};

/** An input with its step on the run; witnesses order events by it. */
export type TimedInput = RunInput & { readonly step: number };

export type RunStep = {
  readonly step: number;
  readonly depth: number;
  readonly function: string;
  readonly text: string;
  readonly value?: string;
  readonly location: SourceRange;
};
