import { freeVariablesOf } from "../logic/freeVariables.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import type { Sort, Term } from "../logic/term.ts";

/** A fact of an explanation: it holds before two transitions of the folded run, and from either the run fails. */
export type FactClaim = {
  readonly from: number;
  readonly to: number;
  /** SMT-LIB terms over the program's places. */
  readonly formulas: readonly string[];
  readonly sorts: Readonly<Record<string, Sort>>;
};

export function factClaim(claimed: {
  readonly from: number;
  readonly to: number;
  readonly fact: readonly Term[];
}): FactClaim {
  const { from, to, fact } = claimed;
  return {
    from,
    to,
    formulas: fact.map(printSmtLib),
    sorts: Object.fromEntries(freeVariablesOf(fact).map(({ name, sort }) => [name, sort])),
  };
}
