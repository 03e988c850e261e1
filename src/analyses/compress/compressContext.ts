import type { Run } from "../../recordedRun/run.ts";
import type { Prover } from "../../solver/solver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** What all work on the loops of one run shares. */
export type CompressContext = {
  readonly symbols: Symbols;
  /** Once it is cancelled, loops that nobody has looked at stay as they are. */
  readonly prover: Prover;
  readonly run: Run;
  readonly options: FoldOptions;
};

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** Attempts after which a loop is left as it is. */
  readonly maxAttempts: number;
};
