import { present } from "../../base/checked.ts";
import { lastAtOrBefore } from "../../base/sourceFile.ts";
import { type Assignment, evaluate, readArray, type Value } from "../../logic/evaluate.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import { freeVariables, freeVariablesOf, postOrder, sizeOf, substitute } from "../../logic/traverse.ts";
import { supportOf, type TraceFormula, type Transition } from "../../recordedRun/traceFormula.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Reasoner } from "./reasoner.ts";

/**
 * The known facts at each position of a trace formula; position `k` is right before transition `k`, the last one right
 * before the target. They are atoms over places (not versions), each implied by the transitions before.
 */
export type Positions = {
  readonly count: number;
  atomsAt(position: number): ReadonlySet<Term>;
  /** A formula over places, rewritten to the current versions at the position. */
  at(position: number, formula: Term): Term;
};

/** The number of cells of each array that facts may mention. */
const cellLimit = 24;

export type PositionOptions = {
  readonly suggested: readonly Term[];
  /** The values that facts may mention. */
  readonly values: Assignment;
  /** The precondition of the target after each relevant transition, over versions. */
  readonly needed?: readonly Term[] | undefined;
};

export function positionsOf(
  symbols: Symbols,
  reasoner: Reasoner,
  formula: TraceFormula,
  relevant: readonly Transition[],
  { suggested, values, needed = [] }: PositionOptions,
): Positions {
  const { terms } = symbols;
  const { transitions } = formula;
  const afterFold = versionsAfterFolds(formula);
  const support = supportOf(formula);
  const places = relevantPlaces(formula, relevant);
  const cells = cellsOf(formula, relevant, reasoner.values);
  const { current, written, at, asPlaces } = currentVersions(terms, formula);
  const known: (ReadonlySet<Term> | undefined)[] = [];
  const extra = [...suggested, ...placesOnly(formula, written, terms)];
  const valuesOf = fixedValues(terms, values, cells);

  const compute = (position: number): ReadonlySet<Term> => {
    const atoms = new Set<Term>();
    for (const place of places) {
      const version = current(position, place);
      if (version === undefined) continue;
      for (const atom of valuesOf(version, place)) atoms.add(substitute(terms, atom, new Map([[version, place]])));
    }
    // Add the statements of transitions about versions that are still current.
    for (const transition of relevant) {
      if (transition.index >= position) break;
      if (transition.writes.length > 0 && !transition.writes.some(({ version }) => afterFold.has(version))) continue;
      for (const part of conjuncts(transition.formula)) {
        const atom = asPlaces(position, part);
        if (atom !== null && isShort(atom)) atoms.add(atom);
      }
    }
    const behind = relevant.filter(({ index }) => index < position).length;
    const suffices = conjuncts(needed[behind - 1] ?? terms.bool(true)).flatMap(
      (part) => asPlaces(position, part) ?? [],
    );
    for (const atom of [...extra, ...suffices]) {
      const goal = at(position, atom);
      if (atoms.has(atom)) continue;
      // If the definitions fix all values, they decide. Later values are still unknown.
      const truth = evaluate(goal, (variable) =>
        written.has(variable) && current(position, variable) === undefined ? undefined : reasoner.values(variable),
      );
      if (truth === true) atoms.add(atom);
      if (typeof truth === "boolean") continue;
      if (
        reasoner.follows(support.definitions([goal], position), [], goal) ||
        reasoner.follows(support.everything([goal], position), [], goal)
      ) {
        atoms.add(atom);
      }
    }
    return atoms;
  };

  return {
    count: transitions.length + 1,
    at,
    atomsAt(position) {
      let atoms = known[position];
      if (atoms === undefined) {
        atoms = compute(position);
        known[position] = atoms;
      }
      return atoms;
    },
  };
}

/** The current version of each place at each position, and conversions of formulas between both. */
function currentVersions(terms: Symbols["terms"], { transitions, placeOf }: TraceFormula) {
  // Each place has a list of versions with their first positions: a map for each position would be far larger.
  const histories = new Map<Variable, { readonly from: number[]; readonly versions: Variable[] }>();
  for (const [i, { writes }] of transitions.entries()) {
    for (const { place, version } of writes) {
      const history = histories.get(place) ?? { from: [], versions: [] };
      histories.set(place, history);
      history.from.push(i + 1);
      history.versions.push(version);
    }
  }
  const current = (position: number, place: Variable): Variable | undefined => {
    const history = histories.get(place);
    if (history === undefined) return undefined;
    return history.versions[lastAtOrBefore(history.from, position)];
  };
  return {
    current,
    written: new Map([...histories].map(([place, { versions }]) => [place, present(versions.at(-1))])),
    at(position: number, atom: Term): Term {
      const substitution = new Map<Variable, Term>();
      for (const place of freeVariables(atom)) {
        const version = current(position, place);
        if (version !== undefined && version !== place) substitution.set(place, version);
      }
      return substitute(terms, atom, substitution);
    },
    /** Converts versions back to places; null if one of them is not current. */
    asPlaces(position: number, atom: Term): Term | null {
      const substitution = new Map<Variable, Term>();
      for (const version of freeVariables(atom)) {
        const place = placeOf.get(version) ?? version;
        const now = current(position, place) ?? place;
        if (now !== version) return null;
        substitution.set(version, place);
      }
      return substitute(terms, atom, substitution);
    },
  };
}

/** The value of a version on the run, or the values of an array's cells. */
function fixedValues(
  terms: Symbols["terms"],
  values: Assignment,
  cells: ReadonlyMap<Variable, readonly bigint[]>,
): (version: Variable, place: Variable) => readonly Term[] {
  const fixed = new Map<Variable, readonly Term[]>();
  return (version, place) => {
    const known = fixed.get(version);
    if (known !== undefined) return known;
    const value = values(version);
    let atoms: readonly Term[] = [];
    if (value === true) atoms = [version];
    else if (typeof value === "bigint") atoms = [terms.eq(version, terms.int(value))];
    else if (typeof value === "object") {
      atoms = (cells.get(place) ?? []).flatMap((index) => {
        const cell = readArray(value, index);
        return cell === null ? [] : [terms.eq(terms.select(version, terms.int(index)), terms.int(cell))];
      });
    }
    fixed.set(version, atoms);
    return atoms;
  };
}

/** The target's conjuncts over places. */
function placesOnly(
  formula: TraceFormula,
  last: ReadonlyMap<Variable, Variable>,
  terms: Symbols["terms"],
): readonly Term[] {
  const back = new Map<Variable, Term>();
  for (const [place, version] of last) if (version !== place) back.set(version, place);
  return conjuncts(substitute(terms, formula.target, back));
}

/** Facts about whole arrays are left out: they are too long to read. */
function isShort(atom: Term): boolean {
  return postOrder([atom]).every((term) => term.kind !== "store" && term.kind !== "arrayEq") && sizeOf(atom) <= 16;
}

/** Versions that depend on writes of a folded loop: their values are not fixed. */
function versionsAfterFolds(formula: TraceFormula): ReadonlySet<Variable> {
  const tainted = new Set<Variable>();
  for (const { origin, formula: body, writes } of formula.transitions) {
    if (origin.kind === "fold" || freeVariables(body).some((variable) => tainted.has(variable))) {
      for (const { version } of writes) tainted.add(version);
    }
  }
  return tainted;
}

/** Places that the relevant transitions and the target mention. */
function relevantPlaces(formula: TraceFormula, relevant: readonly Transition[]): readonly Variable[] {
  const versions = freeVariablesOf([...relevant.map((transition) => transition.formula), formula.target]);
  return [...new Set(versions.map((version) => formula.placeOf.get(version) ?? version))];
}

/** For each array place, the indices that the relevant transitions and the target access on this run. */
function cellsOf(
  formula: TraceFormula,
  relevant: readonly Transition[],
  values: Assignment,
): ReadonlyMap<Variable, readonly bigint[]> {
  const cells = new Map<Variable, Set<bigint>>();
  for (const term of postOrder([...relevant.map((transition) => transition.formula), formula.target])) {
    if (term.kind !== "select" && term.kind !== "store") continue;
    const index: Value | null = evaluate(term.index, values);
    if (typeof index !== "bigint") continue;
    for (const version of freeVariables(term.array)) {
      if (version.sort !== "Array") continue;
      const place = formula.placeOf.get(version) ?? version;
      const known = cells.get(place) ?? new Set();
      if (known.size < cellLimit) known.add(index);
      cells.set(place, known);
    }
  }
  return new Map([...cells].map(([place, indices]) => [place, [...indices]]));
}
