import type { SourceRange } from "../base/sourceRange.ts";
import type { CommonReport, JsonNumber } from "../jobs/commonReport.ts";
import type { CompressResult, Variable } from "../jobs/compress/compressReport.ts";
import type { InputText } from "./describeText.ts";
import type { InputCondition } from "./explanation.ts";

/**
 * The result of `tracefold explain` (`schema/explain.schema.json`): text, HTML, SARIF and witnesses are made from this
 * and nothing else.
 */
export type ExplainReport = CommonReport &
  Omit<CompressResult, "steps"> & {
    readonly command: "explain";
    readonly dataModel: "ILP32" | "LP64";
    readonly explanation: {
      /** Those that change what is known. */
      readonly statements: number;
      /** Those between which the same fact holds. */
      readonly between: number;
      /** Facts between the statements. */
      readonly invariants: number;
      /** Variables that occur in a fact or kept statement. */
      readonly variables: number;
    };
    readonly steps: readonly ExplanationStep[];
    readonly inputCondition: InputCondition;
    readonly reproducer: Reproducer | null;
    /** Steps of the folded run that do not matter. */
    readonly dropped: number;
    /** Those steps; absent where the report does not come from a run. */
    readonly droppedSteps?: readonly DroppedStep[];
  };

export type DroppedStep = {
  /** Its number on the recorded run. */
  readonly step: number;
  readonly function: string;
  readonly text: string;
  readonly location: SourceRange;
};

export type ExplanationStep =
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
      readonly writes: readonly Variable[];
      /** Ids of the facts and statements that it is needed for, and why, in words. */
      readonly because: readonly Because[];
    }
  | {
      readonly kind: "loop";
      readonly id: number;
      readonly step: number;
      readonly depth?: number;
      readonly function: string;
      /** `while (i != n)`. */
      readonly text: string;
      readonly formula: string;
      readonly iterations: number;
      readonly location: SourceRange;
      readonly because: readonly Because[];
    }
  | {
      readonly kind: "fact";
      readonly id: number;
      /** The function whose variables it speaks about. */
      readonly function: string;
      readonly formula: string;
      readonly variables: readonly Variable[];
      /** Where it holds: the statement that it follows. */
      readonly location: SourceRange | null;
      readonly because: readonly Because[];
    }
  | {
      readonly kind: "target";
      readonly id: number;
      readonly depth?: number;
      readonly function: string;
      readonly text: string;
      readonly formula: string;
      readonly location: SourceRange;
      readonly because: readonly Because[];
    };

export type Because = { readonly for: number; readonly text: string };

export type Reproducer = InputText & {
  readonly inputs: readonly JsonNumber[];
  /** The command line that replays it. */
  readonly command: string;
  readonly steps: number;
  /** It was run once more, and failed in the same way at the same place. */
  readonly confirmed: boolean;
};

/** The report says why a condition holds, not why the run fails. */
export function answersQuestion({ target, outcome, steps }: ExplainReport): boolean {
  return target?.asked === true || (outcome.kind === "exit" && steps.length > 0);
}
