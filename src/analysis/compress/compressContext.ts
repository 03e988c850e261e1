import type { Run } from "../../run/run.ts";
import type { Prover } from "../../solver/prover.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** What all work on the loops of one run shares. */
export type CompressContext = {
  readonly symbols: Symbols;
  readonly prover: Prover;
  readonly run: Run;
  readonly options: FoldOptions;
  /** Loops that nobody has looked at by then stay as they are. */
  isInterrupted?(): boolean;
};

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** Attempts after which a loop is left as it is. */
  readonly maxAttempts: number;
};
