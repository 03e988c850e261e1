import { present } from "../../base/checked.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, postOrder, substitute } from "../../logic/traverse.ts";
import type { OpenPoint } from "../../recordedRun/generalized/runObligation.ts";
import type { Run } from "../../recordedRun/run.ts";
import type { ProofSession, Prover } from "../../solver/solver.ts";
import { objectDistance, type Symbols } from "../../symbolic/symbols.ts";

/** The search for conditions on the inputs that make a claim about every run true, with its open points. */
export type Search = {
  readonly symbols: Symbols;
  readonly prover: Prover;
  readonly run: Run;
  /** The inputs that may have other values. */
  readonly recorded: readonly RecordedValue[];
  readonly condition: Set<Term>;
  readonly open: Map<string, OpenPoint>;
  /**
   * True to also require what the folds say about places that their loops do not write; otherwise only if something
   * needs it.
   */
  readonly asFolded: boolean;
};

export function isAboutInputs({ symbols }: Search, formula: Term): boolean {
  return freeVariables(formula).every((variable) => symbols.cellOf(variable)?.kind === "input");
}

/** Adds a formula over the inputs to the condition; false if the recorded inputs violate it. */
export function ask(search: Search, formula: Term): boolean {
  if (formula.kind === "bool") return formula.value;
  if (!holdsOnRun(search, formula)) return false;
  for (const part of conjuncts(formula)) search.condition.add(part);
  return true;
}

function holdsOnRun({ recorded }: Search, formula: Term): boolean {
  const values = new Map(recorded.map(({ input, value }) => [input, value]));
  return evaluate(formula, (variable) => values.get(variable)) === true;
}

export type KnownHere = { readonly session: ProofSession; readonly assumed: readonly Term[] };

/** True if the goal follows from the known facts and the condition. */
export function follows({ condition }: Search, { session, assumed }: KnownHere, goal: Term): boolean {
  return session.implies([...condition, ...assumed], goal).kind === "proved";
}

/** Strengthens the condition until a goal follows: by the goal's part about inputs, or by bounds. */
export function strengthenFor(search: Search, place: KnownHere, goal: Term): boolean {
  const direct = ofInputs(search, goal);
  if (direct !== null && holdsOnRun(search, direct) && follows(search, withAssumed(place, direct), goal)) {
    return ask(search, direct);
  }
  const involved = involvedInputs(search, [...search.condition, ...place.assumed, goal]);
  const bounds = widenBox(search.symbols, involved, (box) => follows(search, withAssumed(place, ...box), goal));
  if (bounds === null) return false;
  for (const bound of bounds) search.condition.add(bound);
  return true;
}

/** The same with recorded values, as a last resort. */
export function fixFor(search: Search, { session, assumed }: KnownHere, goal: Term): boolean {
  const { terms } = search.symbols;
  const values = search.recorded.map(({ input, value }) => terms.eq(input, terms.int(value)));
  const answer = session.implies([...search.condition, ...assumed, ...values], goal);
  if (answer.kind !== "proved") return false;
  for (const value of values) if (answer.used.includes(value)) search.condition.add(value);
  return true;
}

function withAssumed({ session, assumed }: KnownHere, ...more: readonly Term[]): KnownHere {
  return { session, assumed: [...assumed, ...more] };
}

/** More inputs are not bounded one by one. */
const mostInputs = 6;

function involvedInputs({ recorded }: Search, formulas: readonly Term[]): readonly RecordedValue[] {
  const mentioned = new Set<Variable>(formulas.flatMap((formula) => freeVariables(formula)));
  const involved = recorded.filter(({ input }) => mentioned.has(input));
  return involved.length === 0 || involved.length > mostInputs ? recorded.slice(0, mostInputs) : involved;
}

/**
 * A guess: the goal in terms of inputs, with arbitrary addresses for objects and a value for unwritten cells; null if
 * it mentions anything else.
 */
function ofInputs(search: Search, goal: Term): Term | null {
  const { symbols } = search;
  const { terms } = symbols;
  const chosen = new Map<Variable, Term>();
  for (const variable of freeVariables(goal)) {
    if (variable.sort === "Array") chosen.set(variable, terms.constantArray(terms.int(0n)));
    else if (symbols.objectWithBase(variable) !== null)
      chosen.set(variable, terms.int(objectDistance * BigInt(2 * (chosen.size + 1))));
  }
  const formula = chosenCells(terms, substitute(terms, goal, chosen));
  return formula.kind !== "bool" && isAboutInputs(search, formula) ? formula : null;
}

export type RecordedValue = { readonly input: Variable; readonly value: bigint };

/**
 * Bounds of inputs for which something holds: starts with the recorded values, drops irrelevant inputs, and moves each
 * bound of the others as far as possible. Null if it fails for the recorded values, or holds only for them.
 */
export function widenBox(
  symbols: Symbols,
  recorded: readonly RecordedValue[],
  holds: (bounds: readonly Term[]) => boolean,
): readonly Term[] | null {
  const { terms } = symbols;
  const sides = new Map<Variable, readonly Term[]>();
  for (const { input, value } of recorded) sides.set(input, [terms.eq(input, terms.int(value))]);
  const holdsNow = () => holds([...sides.values()].flat());
  if (!holdsNow()) return null;
  for (const { input } of recorded) {
    const own = present(sides.get(input));
    sides.delete(input);
    if (!holdsNow()) sides.set(input, own);
  }
  for (const { input, value } of recorded) {
    if (!sides.has(input)) continue;
    const { min, max } = symbols.range(input);
    const within = (low: bigint | null, high: bigint | null): readonly Term[] => [
      ...(low === null ? [] : [terms.ge(input, terms.int(low))]),
      ...(high === null ? [] : [terms.le(input, terms.int(high))]),
    ];
    const test = (low: bigint | null, high: bigint | null): boolean => {
      sides.set(input, within(low, high));
      return holdsNow();
    };
    const high = test(value, null) ? null : farthest(value, max ?? value, (bound) => test(value, bound));
    const low = test(null, high) ? null : farthest(value, min ?? value, (bound) => test(bound, high));
    // A claim about a single value is not worth stating.
    if (low === value && high === value) return null;
    sides.set(input, within(low, high));
  }
  return [...sides.values()].flat();
}

/** Searches the bound farthest from a good one, in the direction of `limit`, such that it and those before are good. */
export function farthest(good: bigint, limit: bigint, isGood: (bound: bigint) => boolean): bigint {
  let [near, far] = [good, limit];
  const step = limit >= good ? 1n : -1n;
  if (near !== far && isGood(far)) return far;
  while ((far - near) * step > 1n) {
    const middle = (near + far) / 2n;
    if (isGood(middle)) near = middle;
    else far = middle;
  }
  return near;
}

/** Rewrites a comparison of a known array's cell to its index: `t[k] == 7` is `k == 1` if only cell 1 of t is 7. */
function chosenCells(terms: Terms, formula: Term): Term {
  const replaced = new Map<Term, Term>();
  for (const atom of postOrder([formula])) {
    const other = ofIndex(terms, atom);
    if (other !== null) replaced.set(atom, other);
  }
  return substitute(terms, formula, replaced);
}

function ofIndex(terms: Terms, atom: Term): Term | null {
  if ((atom.kind !== "eq" && atom.kind !== "le") || atom.sum.kind !== "select") return null;
  const { array, index } = atom.sum;
  const cells = knownCells(array);
  if (cells === null) return null;
  const { kind, bound } = atom;
  const holds = (value: bigint) => (kind === "eq" ? value === bound : value <= bound);
  const at = (wanted: boolean) => [...cells.entries].filter(([, value]) => holds(value) === wanted).map(([i]) => i);
  const among = (indices: readonly bigint[]) => terms.any(indices.map((i) => terms.eq(index, terms.int(i))));
  return holds(cells.otherwise) ? terms.not(among(at(false))) : among(at(true));
}

function knownCells(array: Term): { readonly entries: ReadonlyMap<bigint, bigint>; readonly otherwise: bigint } | null {
  const entries = new Map<bigint, bigint>();
  let rest = array;
  for (; rest.kind === "store"; rest = rest.array) {
    if (rest.index.kind !== "int" || rest.value.kind !== "int") return null;
    if (!entries.has(rest.index.value)) entries.set(rest.index.value, rest.value.value);
  }
  if (rest.kind !== "constantArray" || rest.value.kind !== "int") return null;
  return { entries, otherwise: rest.value.value };
}
