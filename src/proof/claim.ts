import { present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { parseSmtLib } from "../logic/parseSmtLib.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { isMadeUpName, type Sort, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { FoldedLoop } from "../recordedRun/foldedRun.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/**
 * All that a proof says beyond the program and the run: between two arrivals at a loop's head the run is replaced by
 * formulas at the loop's cut points. Text, so that whoever checks it shares nothing with whoever found it.
 */
export type FoldClaim = {
  /** The steps that come right after the first and the last arrival that the fold stands for. */
  readonly begin: number;
  readonly end: number;
  readonly invariants: readonly {
    /** The cut point: activation and location. */
    readonly at: string;
    /** SMT-LIB terms over the program's places. */
    readonly formulas: readonly string[];
  }[];
  /**
   * Set if the way out of the loop is replaced too: the step before which it ends, which is at a location of the loop's own
   * activation, and what holds there.
   */
  readonly left?: { readonly step: number; readonly formulas: readonly string[] };
  /** Sorts of the places that the formulas mention. */
  readonly sorts: Readonly<Record<string, Sort>>;
};

export function cutPointLabel(symbols: Symbols, node: InlinedNode): string {
  return `${symbols.frameLabel(node.frame)}:${node.location}`;
}

export function claimOf(
  symbols: Symbols,
  fold: FoldedLoop,
  left?: { readonly step: number; readonly facts: readonly Term[] },
): FoldClaim {
  const { annotation, system, begin, end } = fold;
  const formulas = [...annotation.values()].flat().concat(left?.facts ?? []);
  return {
    begin,
    end,
    invariants: [...annotation].map(([key, conjunction]) => ({
      at: cutPointLabel(symbols, present(system.blocks.get(key)).start),
      formulas: conjunction.map(printSmtLib),
    })),
    ...(left === undefined ? {} : { left: { step: left.step, formulas: left.facts.map(printSmtLib) } }),
    sorts: Object.fromEntries(freeVariablesOf(formulas).map(({ name, sort }) => [name, sort])),
  };
}

/**
 * The formulas of a claim at a cut point; none said means `true`. A claim speaks of places of the program only: with the
 * unknowns that the conditions introduce it could say more than it has to prove.
 */
export function claimedAt(symbols: Symbols, claim: FoldClaim, at: string): readonly Term[] {
  const formulas = claim.invariants.find((invariant) => invariant.at === at)?.formulas ?? [];
  return formulas.map((text) => parseFormula(symbols.terms, claim, text));
}

/** The source of formulas: it has the sorts of the places that they mention. */
export type Formulas = Pick<FoldClaim, "sorts">;

export function parseFormula(terms: Terms, claim: Formulas, text: string): Term {
  const term = parseClaimed(terms, claim, text);
  if (term.sort !== "Bool") throw noFormula(`a proof claims ${text.slice(0, 200)}, which is neither true nor false`);
  return term;
}

export function parseNumber(terms: Terms, claim: Formulas, text: string): Term {
  const term = parseClaimed(terms, claim, text);
  if (term.sort !== "Int") throw noFormula(`a proof counts with ${text.slice(0, 200)}, which is no number`);
  return term;
}

function parseClaimed(terms: Terms, claim: Formulas, text: string): Term {
  const unknown = Object.keys(claim.sorts).find(isMadeUpName);
  if (unknown !== undefined) throw noFormula(`a proof's formula mentions ${unknown}, which is no place`);
  let term: Term;
  try {
    term = parseSmtLib(terms, text, (name) => (Object.hasOwn(claim.sorts, name) ? claim.sorts[name]! : null));
  } catch (error) {
    // The reader relies on its text being well-formed and well-sorted; this one is anybody's.
    if (error instanceof TracefoldError) throw error;
    throw noFormula(`a proof's formula cannot be read: ${text.slice(0, 200)} (${(error as Error).message})`);
  }
  return term;
}

function noFormula(message: string): TracefoldError {
  return new TracefoldError({
    code: "TF148",
    message,
    help: "Make the proof again, with --proof DIR.",
  });
}
