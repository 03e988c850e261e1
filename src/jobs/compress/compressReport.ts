import type { SourceRange } from "../../base/sourceRange.ts";
import type { CommonReport, JsonNumber } from "../commonReport.ts";
import type { Formula } from "../formula.ts";
import type { RunInput, RunOutcome } from "../run/runReport.ts";

/** The result of `tracefold compress` (`schema/compress.schema.json`). `status` is never `failed`: how the run ends is its `outcome`. */
export type CompressReport = CommonReport & CompressResult & { readonly command: "compress" };

/** What folding a run's loops gave; `explain` reports it too. */
export type CompressResult = {
  readonly outcome: RunOutcome;
  readonly inputs: readonly RecordedInput[];
  readonly trace: { readonly steps: number };
  /** Kept steps and folded loops, each counted as one. */
  readonly folded: { readonly steps: number };
  /** Iterations of outermost loops, and of loops inside them, that were unrolled before folding. */
  readonly unrolls: number;
  readonly innerUnrolls: number;
  readonly loops: readonly LoopResult[];
  /** Of more than 20,000 the first and the last ones, unless all are asked for. */
  readonly steps: readonly FoldedStep[];
  readonly proof: ProofResult;
};

/** An input with its place on the run, where that is known: witnesses order what happened by it. */
export type RecordedInput = RunInput & { readonly step?: number };

/** One activation of a loop on the run. */
export type LoopResult = {
  readonly location: SourceRange;
  readonly function: string;
  /** Times that control came to the loop's head, less one. */
  readonly iterations: number;
  /** Iterations before the fold; null where the loop was not folded. */
  readonly foldedFrom: number | null;
  /** Conjuncts, at the loop's head. */
  readonly invariant: readonly Formula[];
  /** How often the loop goes round behind the fold, where the invariant speaks of it as `#rounds`; absent elsewhere. */
  readonly rounds?: number;
  /** What holds where the loop was left, where the way out is a part of the fold: whichever of its ways is taken. */
  readonly left?: readonly Formula[];
  /**
   * True where the invariant was proved for every run of the program, not only for those that come to the loop in the
   * way this one did.
   */
  readonly everyRun?: boolean;
  /** Invariants of the loops inside a folded one. */
  readonly inner: readonly { readonly location: SourceRange; readonly invariant: readonly Formula[] }[];
  readonly proof: { readonly triples: number; readonly checked: boolean };
  /** Why it was not folded, what was tried, and the best invariant that was not safe. */
  readonly failure: LoopFailure | null;
};

export type LoopFailure = {
  readonly reason: string;
  /** Iterations after which folding was tried, and with how many candidates. */
  readonly tried: readonly { readonly from: number; readonly candidates: number }[];
  /** Conjuncts that hold from an iteration on and are not enough; null where none was sought. */
  readonly best: { readonly from: number; readonly invariant: readonly Formula[] } | null;
  /** A fact that would have been enough, and a statement after which it need not hold any more. */
  readonly lost: { readonly fact: Formula; readonly text: string; readonly location: SourceRange } | null;
};

export type FoldedStep =
  | {
      readonly kind: "step";
      /** Its number on the recorded run. */
      readonly step: number;
      readonly depth: number;
      readonly function: string;
      readonly text: string;
      readonly value?: string;
      readonly location: SourceRange;
    }
  | {
      readonly kind: "loop";
      readonly step: number;
      readonly depth: number;
      readonly function: string;
      /** Index in `loops`. */
      readonly loop: number;
      /** Iterations that this one step stands for on the recorded run, and the steps they took. */
      readonly iterations: number;
      readonly steps: number;
      readonly invariant: readonly Formula[];
      /** As in its loop. */
      readonly left?: readonly Formula[];
      readonly location: SourceRange;
    };

export type ProofResult = {
  readonly triples: number;
  /** All triples were rebuilt from the program and proved by a solver that took no part in finding them. */
  readonly checked: boolean;
  /** Which solver checked: `cvc5`, `z3`, `z3 (embedded)`; null when nothing was checked. */
  readonly checker: string | null;
  /** Triples that the checker did not accept, with its answer. */
  readonly failures: readonly { readonly name: string; readonly answer: string }[];
};

export type VariableValue = { readonly name: string; readonly value: JsonNumber };
