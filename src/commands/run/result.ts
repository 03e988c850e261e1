import type { SourceRange } from "../../base/sourceRange.ts";
import type { CommonReport, JsonNumber } from "../common/result.ts";

/** The result of `tracefold run`: what `--format json` prints and what the text is made from. */
export type RunReport = CommonReport & {
  readonly command: "run";
  readonly outcome: RunOutcome;
  readonly inputs: readonly RunInput[];
  /** What the program wrote to its standard output. */
  readonly output: string;
  /** The same byte for byte, where it is not UTF-8. */
  readonly outputBase64?: string;
  /** What it wrote to its standard error, where it did. */
  readonly errorOutput?: string;
  readonly trace: {
    readonly steps: number;
    /** Every step, where asked for. */
    readonly list?: readonly RunStep[];
  };
  readonly ir?: string;
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
  /** One sentence without the place. */
  readonly message: string;
  readonly location: SourceRange | null;
  readonly function?: string;
  /** `exit`, `wrong-exit`: the status that the program ends with. */
  readonly code?: number;
  /** `wrong-output`: where it differs from what was expected. */
  readonly difference?: OutputDifference;
  /** `error-location`: the function or label that was reached. */
  readonly error?: string;
  /** `undefined-behaviour`: its kind. */
  readonly behaviour?: string;
  /** `undefined-behaviour`: what is wrong, in one sentence. */
  readonly problem?: string;
  /** `limit`: which one. */
  readonly limit?: string;
};

export type OutputDifference = {
  /** `stdout`, or the name of a file. */
  readonly stream: string;
  /** Bytes before the first one that differs. */
  readonly offset: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The lines, quoted; null where there is none. */
  readonly expected: string | null;
  readonly found: string | null;
};

export type RunInput = {
  readonly value: JsonNumber;
  readonly type: string;
  readonly source: string;
  readonly location: SourceRange;
};

/** An input with its place on the run, where that is known: witnesses order what happened by it. */
export type TimedInput = RunInput & { readonly step?: number };

export type RunStep = {
  readonly step: number;
  readonly depth: number;
  readonly function: string;
  readonly text: string;
  readonly value?: string;
  readonly location: SourceRange;
};
