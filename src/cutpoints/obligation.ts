import type { SourceRange } from "../base/sourceRange.ts";
import type { Term } from "../logic/term.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/**
 * One implication that a proof rests on: whatever satisfies the hypotheses satisfies the conclusion. All variables are
 * universal. A Hoare triple is one: its hypotheses are the precondition and the statements, as equations between the
 * values before and after. Proofs of `compress`, `explain` and `verify` are lists of these.
 */
export type Obligation = {
  readonly kind: ObligationKind;
  /** Unique in its proof: `loop1-entry`, `loop1-body-3`, `target`. */
  readonly name: string;
  /** For a reader: `{ j >= i } i = i + 1; j = j + 2 { j >= i }` in source syntax, or a sentence. */
  readonly text: string;
  /** Null: it is about no single place. */
  readonly range: SourceRange | null;
  readonly hypotheses: readonly Term[];
  readonly conclusion: Term;
  /** Which of the proof's folded loops it is about, from 0. */
  readonly fold?: number;
  /**
   * The recorded run satisfies the hypotheses of this obligation, or of at least one of those with the same name here.
   * If they contradict each other, the obligation says nothing, and it is no proof.
   */
  readonly witnessed?: string;
  /**
   * Something on the way here is taken as unknown although the run knows it. The obligation may hold without that, so a
   * counterexample says nothing.
   */
  readonly isInexact?: boolean;
};

/**
 * - `entry`: runs come to a cut point with what is claimed there;
 * - `keeps`: code between cut points carries the claims on;
 * - `exit`: a way out of a loop leads to what is claimed behind it;
 * - `defined`: an operation does nothing undefined, and a loop is left as on the recorded run;
 * - `ends`: a way round makes the rank of a loop smaller;
 * - `target`: the target follows, or no error is reached.
 */
export type ObligationKind = "entry" | "keeps" | "exit" | "defined" | "ends" | "target";

/** Adds what holds of every variable by its type, so that the obligation stands alone. */
export function closeObligation(symbols: Symbols, obligation: Obligation): Obligation {
  const axioms = axiomsFor(symbols, [...obligation.hypotheses, obligation.conclusion], new Set());
  return { ...obligation, hypotheses: [...axioms, ...obligation.hypotheses] };
}
