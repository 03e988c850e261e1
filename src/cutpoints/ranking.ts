import { present } from "../base/checked.ts";
import { reachableFrom } from "../ir/controlFlow.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { ProofSession, Prover } from "../solver/solver.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { Annotation } from "./houdini.ts";
import { type LoopEnd, type LoopSystem, transitionsOf } from "./loopSystem.ts";

/** One component of a ranking function: a number at each cut point; 0 at those that are not in it. */
export type RankComponent = ReadonlyMap<string, Term>;

/** The ways between a loop's cut points. */
export function waysOf(symbols: Symbols, system: LoopSystem): readonly LoopEnd[] {
  return transitionsOf(symbols, system).flatMap(({ ends }) => ends);
}

/**
 * That a way makes a lexicographic ranking function smaller: some component does not grow and loses at least one from a value that is
 * not negative, and no component before it grows. A run that goes on for ever would make the first of those that shrink
 * again and again smaller without end.
 */
export function decreases(terms: Terms, { from, to, guard, after }: LoopEnd, ranks: readonly RankComponent[]): Term {
  const zero = terms.int(0n);
  const notGrown: Term[] = [];
  const cases: Term[] = [];
  for (const rank of ranks) {
    const before = rank.get(from) ?? zero;
    const behind = after(rank.get(to) ?? zero);
    cases.push(terms.all([...notGrown, terms.ge(before, zero), terms.lt(behind, before)]));
    notGrown.push(terms.le(behind, before));
  }
  return terms.implies(guard, terms.any(cases));
}

/**
 * A lexicographic ranking function for all ways of a loop system, its components chosen among some terms: null where they do not
 * suffice. First come the ways that go round together: those between them lead from one such group to the next.
 */
export function rankLoop(
  symbols: Symbols,
  prover: Prover,
  system: LoopSystem,
  annotation: Annotation,
  candidates: readonly Term[],
): readonly RankComponent[] | null {
  const { terms } = symbols;
  const sessions = new Map<string, ProofSession>();
  for (const [key, { background }] of system.blocks) {
    sessions.set(key, prover.open([...background, ...(annotation.get(key) ?? [])]));
  }
  const holds = (way: LoopEnd, goal: (before: Term, after: Term) => Term, rank: Term): boolean => {
    return (
      present(sessions.get(way.from)).implies([], terms.implies(way.guard, goal(rank, way.after(rank)))).kind ===
      "proved"
    );
  };
  const shrinks = (way: LoopEnd, rank: Term) =>
    holds(way, (before, after) => terms.and(terms.ge(before, terms.int(0n)), terms.lt(after, before)), rank);
  const stays = (way: LoopEnd, rank: Term) => holds(way, (before, after) => terms.le(after, before), rank);
  /** The ways of one group that a candidate makes smaller, if it makes none larger. */
  const progress = (group: readonly LoopEnd[], rank: Term): readonly LoopEnd[] | null => {
    const smaller: LoopEnd[] = [];
    for (const way of group) {
      if (shrinks(way, rank)) smaller.push(way);
      else if (!stays(way, rank)) return null;
    }
    return smaller.length === 0 ? null : smaller;
  };
  try {
    const components: RankComponent[] = [];
    let open = waysOf(symbols, system).filter((way) => holds(way, () => terms.bool(false), terms.int(0n)) === false);
    while (open.length > 0) {
      const groups = groupsOf(open);
      const between = open.filter(({ from, to }) => groups.get(from) !== groups.get(to));
      if (between.length > 0) {
        components.push(new Map([...groups].map(([key, group]) => [key, terms.int(group)])));
        open = open.filter((way) => !between.includes(way));
        continue;
      }
      const component = new Map<string, Term>();
      const settled: LoopEnd[] = [];
      for (const group of new Set(open.map(({ from }) => present(groups.get(from))))) {
        const own = open.filter(({ from }) => groups.get(from) === group);
        const found = firstOf(candidates, (candidate) => progress(own, candidate));
        if (found === null) return null;
        for (const { from } of own) component.set(from, found.candidate);
        settled.push(...found.result);
      }
      components.push(component);
      open = open.filter((way) => !settled.includes(way));
    }
    return components;
  } finally {
    for (const session of sessions.values()) session.close();
  }
}

function firstOf<Result>(
  candidates: readonly Term[],
  test: (candidate: Term) => Result | null,
): { readonly candidate: Term; readonly result: Result } | null {
  for (const candidate of candidates) {
    const result = test(candidate);
    if (result !== null) return { candidate, result };
  }
  return null;
}

/** Numbers the cut points so that those that reach each other have one number, and ways between groups lead to a smaller one. */
function groupsOf(ways: readonly LoopEnd[]): ReadonlyMap<string, number> {
  const keys = [...new Set(ways.flatMap(({ from, to }) => [from, to]))];
  const next = (key: string) => ways.filter(({ from }) => from === key).map(({ to }) => to);
  const reached = new Map(keys.map((key) => [key, reachableFrom([key], next)]));
  const isOneGroup = (a: string, b: string) =>
    a === b || (present(reached.get(a)).has(b) && present(reached.get(b)).has(a));
  const numbers = new Map<string, number>();
  // A group comes before another in the order of how much it reaches.
  const byReach = keys.toSorted((a, b) => present(reached.get(a)).size - present(reached.get(b)).size);
  let number = 0;
  for (const key of byReach) {
    if (numbers.has(key)) continue;
    for (const other of keys) if (isOneGroup(key, other)) numbers.set(other, number);
    number++;
  }
  return numbers;
}
