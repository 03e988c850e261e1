import type { Term, Variable } from "../../logic/term.ts";
import type { ByteOfRuns, Piece } from "../../model/everyRun/encodedRuns.ts";
import type { RunsPlan } from "../../model/everyRun/planObligations.ts";
import type { OpenPoint } from "../../model/everyRun/runObligation.ts";

/** Some terms, or all. */
export type SomeTerms = Pick<ReadonlySet<Term>, "has">;

/** What is found out about runs with other inputs. */
export type ConditionOnInputs =
  | (OnInputs & {
      readonly kind: "claimed";
      /** Inputs that have to be what they were. */
      readonly fixed: ReadonlySet<number>;
      /** What the claim leaves open. */
      readonly open: readonly OpenPoint[];
      /** Conjuncts of the folds' invariants that need not hold on all of the runs that the condition covers. */
      readonly onlyThisRun: SomeTerms;
      /** With what it can be proved, and for which pieces of the run. */
      readonly plan: RunsPlan;
      readonly pieces: readonly Piece[];
    })
  /** The program reads none: every run is this one. */
  | (OnInputs & { readonly kind: "noInputs" })
  /** Nothing is claimed. */
  | (OnInputs & { readonly kind: "none" });

type OnInputs = {
  /** Over the variables in `inputs`. */
  readonly formulas: readonly Term[];
  /** One for each recorded input; null for those that are read inside of a folded loop, which may have any value. */
  readonly inputs: readonly (Variable | null)[];
  /** The first bytes of standard input, one for each; see `EncodedRuns`. */
  readonly bytes: readonly ByteOfRuns[];
};

/** Is a claim made that leaves no branch open? */
export function isSettled(condition: ConditionOnInputs): boolean {
  return condition.kind === "claimed" && !condition.open.some(({ kind }) => kind === "way");
}

export function noCondition(inputs: number): ConditionOnInputs {
  return { kind: "none", formulas: [], inputs: new Array(inputs).fill(null), bytes: [] };
}
