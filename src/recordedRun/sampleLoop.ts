import { nth } from "../base/checked.ts";
import { lastAtOrBefore } from "../base/sourceFile.ts";
import { rankPlaces, type Samples } from "../cutpoints/candidates.ts";
import type { ExitObligation } from "../cutpoints/generalize.ts";
import { formulasOf, type LoopSystem, placesOf } from "../cutpoints/loopSystem.ts";
import { rangeOf } from "../logic/range.ts";
import { isAtom, type Term, type Variable } from "../logic/term.ts";
import { childrenOf, freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import { objectDistance, type SymbolicObject, type Symbols } from "../symbolic/symbols.ts";
import type { Activation, Run } from "./run.ts";

/** The samples of one cut point: values of the observables and truth of the hints, by step. */
export type Observations = {
  readonly observables: readonly Ranked[];
  readonly hints: readonly Ranked[];
  readonly rows: readonly {
    readonly step: number;
    /** null where an observable had no value (yet). */
    readonly values: readonly (bigint | null)[];
    readonly truth: readonly boolean[];
  }[];
};

export type Ranked = { readonly term: Term; readonly rank: number };

/** At most this many arrivals are sampled at the beginning, at the end, and evenly in between. */
const early = 48;
const late = 16;
const between = 64;
const innerArrivals = 200;
/** Formulas and cells larger than this are not looked at: nobody would read such an invariant. */
const hintSize = 24;
const cellSize = 8;
const hintLimit = 200;
const observableLimit = 60;

export type SampledLoop = {
  readonly activation: Activation;
  readonly system: LoopSystem;
  /** The count of its rounds, where it has one. */
  readonly rounds: Variable | null;
  /** The formula that is asked after the loop. */
  readonly obligation: ExitObligation;
  /** Objects that pointers pointed into. */
  pointsTo(places: readonly Variable[]): readonly (readonly SymbolicObject[])[];
};

/** Samples the first arrivals at an inner loop, then fewer and fewer: their number is unknown. */
function everFewer(): () => boolean {
  let arrivals = 0;
  let next = 0;
  return () => {
    if (arrivals++ < next) return false;
    next = arrivals < innerArrivals ? arrivals : Math.ceil(arrivals * 1.05);
    return true;
  };
}

/** Values at the cut points of a loop system while the activation ran, for all attempts at once. */
export function sampleLoop(symbols: Symbols, run: Run, loop: SampledLoop): ReadonlyMap<string, Observations> {
  const { activation, system, obligation, rounds } = loop;
  const needed = [obligation.conclusion, ...obligation.hypotheses];
  const ranks = rankPlaces(system, obligation);
  const rankOf = (term: Term) =>
    freeVariablesOf([term]).reduce(
      (most, variable) =>
        symbols.objectWithBase(variable) !== null ? most : Math.max(most, ranks.get(variable) ?? Infinity),
      0,
    );
  const wantedVisits = chosenVisits(activation.visits);
  const first = nth(activation.visits, 0);
  const last = nth(activation.visits, activation.visits.length - 1);
  const plans = [...system.blocks].map(([key, block]) => {
    // Needed terms come first: if there are too many, the rest is left out.
    const formulas = [...needed, ...formulasOf(block)];
    const hints = [...hintsOf(symbols, formulas), ...nullHints(symbols, formulas)];
    const observables = [...(rounds === null ? [] : [rounds]), ...observablesOf(symbols, formulas, hints, loop)]
      .filter((term, i, all) => all.indexOf(term) === i)
      .map((term) => ({ term, rank: term === rounds ? 0 : rankOf(term) }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, observableLimit);
    return { key, block, hints: hints.map((term) => ({ term, rank: rankOf(term) })), observables };
  });
  const sampled = run.sample(
    symbols,
    plans.map(({ key, block, hints, observables }) => {
      const isChosen = everFewer();
      return {
        node: block.start,
        stack: activation.stack,
        terms: [...observables, ...hints].map(({ term }) => term),
        wanted: (step: number) =>
          key === nodeKey(system.root) ? wantedVisits.has(step) : step >= first && step < last && isChosen(),
      };
    }),
    last + 1,
  );
  return new Map(
    plans.map(({ key, hints, observables }, p) => {
      const rows = nth(sampled, p).map(({ step, values }) => ({
        step,
        values: observables.map(({ term }, o) =>
          term === rounds ? roundsAt(activation, step) : observed(symbols, term, values[o]),
        ),
        truth: values.slice(observables.length).map((value) => value === true),
      }));
      return [key, { observables, hints, rows }];
    }),
  );
}

/** The number of rounds so far: the number of the last arrival at the head. */
function roundsAt({ visits }: Activation, step: number): bigint {
  return BigInt(lastAtOrBefore(visits, step));
}

/** An offset from an object that the pointer is not in says nothing. */
function observed(symbols: Symbols, term: Term, value: unknown): bigint | null {
  if (typeof value !== "bigint") return null;
  const isOffset = term.kind === "sum" && term.monomials.some(({ term: part }) => isBase(symbols, part));
  return isOffset && (value >= objectDistance || value <= -objectDistance) ? null : value;
}

function isBase(symbols: Symbols, term: Term): boolean {
  return term.kind === "variable" && symbols.objectWithBase(term) !== null;
}

/**
 * The samples from a step on, of what is not farther away than `rank`: the observables that had a value in all of them,
 * and the hints that held.
 */
export function samplesFrom(
  observations: Observations,
  step: number,
  rank: number,
  counted: { readonly rounds: Variable | null; readonly from: number },
): { samples: Samples; hints: Term[] } {
  const rows = observations.rows.filter((row) => row.step >= step);
  const chosen = observations.observables.map(
    (observable, o) => observable.rank <= rank && rows.every(({ values }) => values[o] !== null),
  );
  // They are counted from where the loop is folded.
  const isRounds = observations.observables.map(({ term }) => term === counted.rounds);
  const hints = observations.hints.filter((hint, h) => hint.rank <= rank && rows.every(({ truth }) => truth[h]));
  return {
    samples: {
      observables: observations.observables.filter((_, o) => chosen[o]).map(({ term }) => term),
      rows: rows.map(({ values }) =>
        values.map((value, o) => (isRounds[o] ? value! - BigInt(counted.from) : value!)).filter((_, o) => chosen[o]),
      ),
    },
    hints: hints.map(({ term }) => term),
  };
}

function chosenVisits(visits: readonly number[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  const count = visits.length;
  for (let i = 0; i < Math.min(early, count); i++) chosen.add(nth(visits, i));
  for (let i = Math.max(0, count - late); i < count; i++) chosen.add(nth(visits, i));
  for (let i = 1; i <= between; i++) chosen.add(nth(visits, Math.floor((count - 1) * (i / (between + 1)))));
  return chosen;
}

/** Atoms about places that the formulas ask, and their negations. */
function hintsOf(symbols: Symbols, formulas: readonly Term[]): readonly Term[] {
  const hints = new Set<Term>();
  for (const term of postOrder(formulas)) {
    if (hints.size >= hintLimit) break;
    if (term.sort !== "Bool" || !(isAtom(term) || term.kind === "or" || term.kind === "and")) continue;
    if (term.kind === "bool" || !isReadable(symbols, term, hintSize)) continue;
    if (isAlwaysTrue(symbols, term)) continue;
    hints.add(term);
    if (isAtom(term)) hints.add(symbols.terms.not(term));
  }
  return [...hints];
}

/** Pointers that were never null, or always. */
function nullHints(symbols: Symbols, formulas: readonly Term[]): readonly Term[] {
  const { terms } = symbols;
  return placesOf(symbols, formulas)
    .filter((place) => kindOfPlace(symbols, place) === "pointer")
    .slice(0, hintLimit)
    .flatMap((place) => [terms.ne(place, terms.int(0n)), terms.eq(place, terms.int(0n))]);
}

/** By the types alone: that nothing overflows where it cannot. */
function isAlwaysTrue(symbols: Symbols, term: Term): boolean {
  if (term.kind !== "le") return false;
  const { max } = rangeOf(term.sum, symbols.range);
  return max !== null && max <= term.bound;
}

function isAboutPlaces(symbols: Symbols, term: Term): boolean {
  return freeVariablesOf([term]).every((variable) => symbols.cellOf(variable) !== null);
}

/** Short, about places alone, and without cases: those come from several steps in a row, written as one. */
function isReadable(symbols: Symbols, term: Term, limit: number): boolean {
  const parts = postOrder([term]);
  return parts.length <= limit && isAboutPlaces(symbols, term) && !parts.some(({ kind }) => kind === "ite");
}

/** Scalar places, the array cells that formulas read, the sums that their comparisons are about, offsets of pointers. */
function observablesOf(
  symbols: Symbols,
  formulas: readonly Term[],
  hints: readonly Term[],
  loop: SampledLoop,
): readonly Term[] {
  const observables = new Set<Term>();
  const pointers: Variable[] = [];
  for (const place of placesOf(symbols, formulas)) {
    const kind = kindOfPlace(symbols, place);
    if (kind === "number") observables.add(place);
    else if (kind === "pointer") pointers.push(place);
  }
  for (const term of postOrder(formulas)) {
    if (term.kind !== "select" || term.array.kind !== "variable") continue;
    if (!isReadable(symbols, term, cellSize)) continue;
    const cell = symbols.cellOf(term.array);
    if (cell?.kind === "region" && isNumber(cell.region.type.kind)) observables.add(term);
  }
  for (const hint of hints) {
    const atom = hint.kind === "not" ? hint.operand : hint;
    if ((atom.kind === "le" || atom.kind === "eq") && atom.sum.kind === "sum" && isSumOfNumbers(symbols, atom.sum)) {
      if (childrenOf(atom.sum).length > 1) observables.add(atom.sum);
    }
  }
  for (const [i, objects] of loop.pointsTo(pointers).entries()) {
    const [object] = objects;
    if (object !== undefined) observables.add(symbols.terms.sub(nth(pointers, i), object.base));
  }
  return [...observables];
}

function isSumOfNumbers(symbols: Symbols, sum: Term): boolean {
  return childrenOf(sum).every((child) => {
    if (child.kind === "select") return true;
    return child.kind === "variable" && kindOfPlace(symbols, child) === "number";
  });
}

function kindOfPlace(symbols: Symbols, place: Variable): "number" | "pointer" | null {
  const cell = symbols.cellOf(place);
  if (cell === null || place.sort !== "Int" || cell.kind === "address") return null;
  if (cell.kind === "size" || cell.kind === "rounds" || cell.kind === "input") return "number";
  const { kind } = cell.kind === "register" ? cell.type : cell.region.type;
  return isNumber(kind) ? "number" : kind === "pointer" ? "pointer" : null;
}

function isNumber(kind: string): boolean {
  return kind === "int" || kind === "bool";
}
