import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { isBranch } from "../../ir/branches.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import type { TraceFormula, Transition } from "../../recordedRun/traceFormula.ts";
import { storesElsewhere } from "./keepStatements.ts";
import type { Positions } from "./positions.ts";
import type { Reasoner } from "./reasoner.ts";

/** A stretch with one fact that is an error invariant at both ends, and the transition that ends it. */
export type FactStretch = {
  readonly from: number;
  readonly to: number;
  /** Over places. Empty: nothing must be known. */
  readonly fact: readonly Term[];
  /** Relevant transitions inside of the stretch: they may violate the fact, but it holds again at the end. */
  readonly within: readonly Transition[];
  /** null for the last stretch, which ends at the target. */
  readonly kept: Transition | null;
};

/**
 * A minimal cover (003 §5): from the start, always the longest stretch that one fact covers, then the transition that
 * ends it. Positions between relevant transitions are skipped, and a fact may be violated for a while (the paper's `j =
 * 1`) as long as it is an error invariant at both ends. Greedy is optimal, because a fact for a longer stretch covers
 * no less. null if some position has no fact among its atoms.
 */
export function coverTrace(
  reasoner: Reasoner,
  positions: Positions,
  formula: TraceFormula,
  relevant: readonly Transition[],
): readonly FactStretch[] | null {
  const last = positions.count - 1;
  const stretches: FactStretch[] = [];
  const judge = createJudge(reasoner, positions, formula, relevant);
  const isElsewhere = storesElsewhere(formula, relevant, reasoner.values);
  let from = 0;
  for (;;) {
    const ends = untilShown(relevant.filter(({ index }) => index >= from)) ?? [
      ...relevant.filter(({ index }) => index >= from).map(({ index }) => index),
      last,
    ];
    const to = farthest(ends, (end) => judge.common(from, end) !== null);
    if (to === null) return null;
    const fact = judge.weaken(from, to, judge.common(from, to)!);
    const within = relevant.filter(({ index }) => index >= from && index < to).filter((each) => !isElsewhere(each));
    if (to === last) {
      stretches.push({ from, to, fact, within, kept: null });
      return stretches;
    }
    const kept = nth(formula.transitions, to);
    stretches.push({ from, to, fact, within, kept });
    from = to + 1;
  }
}

/**
 * Stretches end at relevant folded loops, and at branches that skipped a change of the outcome, because both are shown.
 */
function untilShown(rest: readonly Transition[]): readonly number[] | null {
  const first = rest.findIndex(({ origin, writes }) => {
    if (origin.kind === "fold") return true;
    return origin.kind === "step" && isBranch(origin.edge) && writes.length > 0;
  });
  return first === -1 ? null : rest.slice(0, first + 1).map(({ index }) => index);
}

/** The number of atoms that are tried alone. */
const singleLimit = 12;

/** Tries all of few ends, farthest first; for many ends, doubles the distance and then bisects. */
function farthest(ends: readonly number[], works: (end: number) => boolean): number | null {
  if (ends.length <= 24) return ends.findLast(works) ?? null;
  let good = -1;
  for (let i = 0; i < ends.length && works(nth(ends, i)); i = i * 2 + 1) good = i;
  if (good === -1) return null;
  let low = good;
  let high = Math.min(ends.length - 1, good * 2 + 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (works(nth(ends, middle))) low = middle;
    else high = middle - 1;
  }
  return nth(ends, low);
}

function createJudge(reasoner: Reasoner, positions: Positions, formula: TraceFormula, relevant: readonly Transition[]) {
  const known = new Map<string, boolean>();
  const live = livenessOf(formula, relevant);
  /** True if the fact at the position and the relevant transitions after it imply the target. */
  const suffices = (position: number, fact: readonly Term[]): boolean => {
    const key = `${position}:${fact.map(({ id }) => id).sort((x, y) => x - y)}`;
    return remembered(known, key, () => {
      const behind = relevant.filter(({ index }) => index >= position);
      const here = fact.map((atom) => positions.at(position, atom));
      return reasoner.follows(behind, here, formula.target);
    });
  };
  /** An atom about values that are not used later is useless. */
  const isUseful = (atom: Term, position: number) =>
    freeVariablesOf([positions.at(position, atom)]).some((version) => live(version, position));
  return {
    /** All atoms that hold at both ends, if they suffice at both. */
    common(from: number, to: number): readonly Term[] | null {
      const there = positions.atomsAt(to);
      const atoms = [...positions.atomsAt(from)].filter(
        (atom) => there.has(atom) && (isUseful(atom, from) || (isUseful(atom, to) && isTelling(atom))),
      );
      return suffices(from, atoms) && suffices(to, atoms) ? atoms : null;
    },
    weaken(from: number, to: number, atoms: readonly Term[]): readonly Term[] {
      const works = (fact: readonly Term[]) => suffices(to, fact) && suffices(from, fact);
      let fact = atoms;
      if (works([])) return [];
      const single = atoms
        .filter((atom) => freeVariablesOf([atom]).length > 0)
        .toSorted((a, b) => freeVariablesOf([a]).length - freeVariablesOf([b]).length || a.id - b.id)
        .slice(0, singleLimit)
        .find((atom) => works([atom]));
      if (single !== undefined) return [single];
      for (const half of halves(fact)) if (works(half)) fact = half;
      const order = fact.toSorted((a, b) => freeVariablesOf([b]).length - freeVariablesOf([a]).length || b.id - a.id);
      for (const atom of order) {
        const rest = fact.filter((other) => other !== atom);
        if (works(rest)) fact = rest;
      }
      return fact;
    },
  };

  /** Most atoms are irrelevant. */
  function halves(fact: readonly Term[]): (readonly Term[])[] {
    if (fact.length < 8) return [];
    const middle = fact.length >> 1;
    return [fact.slice(0, middle), fact.slice(middle)];
  }
}

/**
 * True if an atom that is only useful at the far end may cover a stretch: an equality may, a disequality (`x != 150`)
 * says nothing.
 */
function isTelling(atom: Term): boolean {
  return atom.kind === "eq" || atom.kind === "variable";
}

/** Tells whether a relevant transition at or after a position, or the target, mentions a version. */
function livenessOf(formula: TraceFormula, relevant: readonly Transition[]) {
  const lastUse = new Map<Variable, number>();
  for (const { index, formula: body } of relevant)
    for (const version of freeVariablesOf([body])) lastUse.set(version, index);
  for (const version of freeVariablesOf([formula.target])) lastUse.set(version, Number.POSITIVE_INFINITY);
  return (version: Variable, position: number) => (lastUse.get(version) ?? -1) >= position;
}
