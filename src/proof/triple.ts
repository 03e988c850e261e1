import type { SourceRange } from "../base/sourceRange.ts";
import type { Term } from "../logic/term.ts";

/**
 * A Hoare triple as the implication that proves it: whatever satisfies the hypotheses (the precondition and the
 * statements, as equations between the values before and after) satisfies the conclusion. All variables are universal.
 */
export type Triple = {
  /** Unique in its proof: `loop1-entry`, `loop1-body-3`, `target`. */
  readonly name: string;
  readonly role: TripleRole;
  readonly range: SourceRange;
  /** `{ j >= i } i = i + 1; j = j + 2 { j >= i }`, in source syntax, for a reader. */
  readonly text: string;
  readonly hypotheses: readonly Term[];
  readonly conclusion: Term;
  /**
   * The recorded run satisfies the hypotheses of these triples, or of at least one of those with the same name here. If
   * they contradict each other, the triple says nothing, and it is no proof.
   */
  readonly witnessed?: string;
  /**
   * Something on the way here, or in it, is taken as unknown that the run knows: without it the triple may hold, so that
   * a counterexample says nothing.
   */
  readonly isInexact?: boolean;
};

/** `entry`: the run up to a loop establishes its invariant; `body`: one way round keeps it; `left`: a way out; `target`: the rest. */
export type TripleRole = "entry" | "body" | "left" | "target";
