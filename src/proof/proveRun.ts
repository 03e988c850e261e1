import { assertWanted, unlessCancelled } from "../base/assertWanted.ts";
import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { createTerms, type Terms } from "../logic/terms.ts";
import { targetOf } from "../model/target.ts";
import type { Run } from "../run/run.ts";
import { symbolsOfRun } from "../run/symbolsOfRun.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { buildTriples } from "./buildTriples.ts";
import { type Checkers, startCheckers } from "./checkers.ts";
import { checkTriples, type TripleVerdict } from "./checkTriples.ts";
import type { FoldClaim } from "./claim.ts";
import type { Triple } from "./triple.ts";

export type CheckOptions = {
  /** Who checks; by default solvers that are started for it. */
  readonly checkers?: Checkers;
  readonly cancellation?: Cancellation;
};

/** What independent solvers said about a proof. */
export type ProofCheck = {
  readonly triples: readonly Triple[];
  readonly verdicts: readonly TripleVerdict[];
  readonly checked: boolean;
  /** The check was ended before every triple had a verdict, or before they were made. */
  readonly interrupted: boolean;
  /** The solvers that decided something. */
  readonly checker: string | null;
};

/** Builds the triples of the claims from the program and the run, in a term store of their own, and has them checked. */
export function proveRun(
  run: Run,
  claims: readonly FoldClaim[],
  options: CheckOptions = {},
  more: (symbols: Symbols) => readonly Triple[] = () => [],
): ProofCheck {
  const { cancellation = neverCancelled } = options;
  return unlessCancelled(() => {
    assertWanted(cancellation, "checking the proof");
    return proveTriples(run, claims, options, more);
  }, proofNotChecked);
}

export const proofNotChecked: ProofCheck = {
  triples: [],
  verdicts: [],
  checked: false,
  interrupted: true,
  checker: null,
};

function proveTriples(
  run: Run,
  claims: readonly FoldClaim[],
  options: CheckOptions,
  more: (symbols: Symbols) => readonly Triple[],
): ProofCheck {
  const terms = createTerms();
  const symbols = symbolsOfRun(run, terms);
  const others = more(symbols);
  // Without loops, facts from the start of the run to its target are the whole proof.
  const { cancellation = neverCancelled } = options;
  const wanted = () => assertWanted(cancellation, "checking the proof");
  const isWhole = claims.length === 0 && others.length > 0;
  const own = isWhole ? [] : buildTriples(symbols, run, targetOf(run), claims, wanted);
  return checkBuilt(terms, [...own, ...others], options);
}

/** Has triples checked that were built over these terms. */
export function checkBuilt(
  terms: Terms,
  triples: readonly Triple[],
  options: CheckOptions & { readonly allOrNothing?: boolean },
): ProofCheck {
  const verdicts = verdictsOn(terms, triples, options);
  const deciders = new Set(verdicts.filter(({ answer }) => answer !== "unknown").map(({ by }) => by));
  return {
    triples,
    verdicts,
    interrupted: verdicts.length < triples.length,
    checked: verdicts.length === triples.length && verdicts.every(({ answer }) => answer === "proved"),
    checker: deciders.size === 0 ? null : [...deciders].join(" and "),
  };
}

function verdictsOn(
  terms: Terms,
  triples: readonly Triple[],
  options: Parameters<typeof checkBuilt>[2],
): readonly TripleVerdict[] {
  const checkers = options.checkers ?? startCheckers();
  try {
    return checkTriples(terms, checkers.solvers, triples, options);
  } finally {
    if (options.checkers === undefined) checkers.dispose();
  }
}
