import type { SourceRange } from "../base/sourceRange.ts";
import type { Unknown } from "../jobs/commonReport.ts";
import type { VariableValue } from "../jobs/compress/compressReport.ts";
import type { Formula } from "../jobs/formula.ts";

/** The statements that the failure follows from, with proved facts between them. */
export type Argument = {
  /** What follows; `asked`: someone asked why it holds, otherwise it is why the run fails. */
  readonly target: {
    readonly formula: string;
    readonly location: SourceRange;
    readonly asked: boolean;
    /** Of a condition that was asked for, where the run came to its line several times: the last of them at which it holds. */
    readonly visit?: { readonly number: number; readonly of: number };
  };
  readonly steps: readonly ArgumentStep[];
  readonly size: ArgumentSize;
  /** Kept steps and folded loops, each counted as one. */
  readonly folded: { readonly steps: number };
  /** Iterations of outermost loops, and of loops inside them, that were unrolled before folding. */
  readonly unrolls: number;
  readonly innerUnrolls: number;
  /** Steps of the folded run that do not matter. */
  readonly dropped: number;
  readonly droppedSteps: readonly DroppedStep[];
  /** What keeps it from being complete or proved. */
  readonly unknowns: readonly Unknown[];
};

export type ArgumentSize = {
  /** Statements that change what is known. */
  readonly statements: number;
  /** Those between which the same fact holds. */
  readonly between: number;
  /** Facts between the statements. */
  readonly facts: number;
  /** Variables that occur in a fact or kept statement. */
  readonly variables: number;
};

export type DroppedStep = {
  /** Its number on the recorded run. */
  readonly step: number;
  readonly function: string;
  readonly text: string;
  readonly location: SourceRange;
};

export type ArgumentStep =
  | {
      readonly kind: "statement";
      /** Unique in the report: what `because` refers to. */
      readonly id: number;
      /**
       * `between`: it matters, but the fact around it holds again behind it. `way`: a condition because of which the next
       * statement was reached; no part of the proof. Absent: a statement that changes what is known.
       */
      readonly role?: "between" | "way";
      readonly step: number;
      /** Call depth, 0 in the entry function; where absent, it is told from the functions' order. */
      readonly depth?: number;
      readonly function: string;
      readonly text: string;
      readonly location: SourceRange;
      /** What it wrote on this run, where a fact speaks of it. */
      readonly writes: readonly VariableValue[];
      /** Ids of the facts and statements that it is needed for, and why, in words. */
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "loop";
      readonly id: number;
      readonly step: number;
      readonly depth?: number;
      readonly function: string;
      /** `while (i != n)`. */
      readonly text: string;
      readonly invariant: readonly Formula[];
      readonly iterations: number;
      readonly location: SourceRange;
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "fact";
      readonly id: number;
      /** The function whose variables it speaks about. */
      readonly function: string;
      /** Conjuncts. */
      readonly formulas: readonly Formula[];
      /** Of the variables that it fixes. */
      readonly values: readonly VariableValue[];
      /** Where it holds: the statement that it follows. */
      readonly location: SourceRange | null;
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "target";
      readonly id: number;
      readonly depth?: number;
      readonly function: string;
      readonly text: string;
      readonly formula: Formula;
      readonly location: SourceRange;
      readonly because: readonly StepReason[];
    };

/** What a step is needed for: the id of a later one, and why, in words. */
export type StepReason = { readonly for: number; readonly text: string };
