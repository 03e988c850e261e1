import { isTrue, type Term, type Variable } from "../../../logic/term.ts";
import { inState, originState } from "../../../symbolic/symbolicState.ts";
import { constraintsOf, equalPlaces, slackened } from "./constraints.ts";
import { entails, traverse } from "./traverse.ts";
import type { Explored, HeadEntry, Segment, Tree, TreePosition } from "./tree.ts";

export type HeadContext = {
  readonly places: readonly Variable[];
  /** The heads above that are being explored: the looping parents, innermost last. */
  readonly ancestors: readonly Ancestor[];
};

type Ancestor = { readonly key: string; readonly annotated: Annotated };

/**
 * The constraints of a head that are not deleted; the locked ones must stay (the paper's annotations).
 */
type Annotated = { kept: readonly Term[]; readonly locked: Set<Term> };

const mostUnrolled = 60;

/**
 * A state at a head: subsumed by a looping parent (001 §4, parent-child), by an explored sibling, or a new head.
 * Parent-child subsumption deletes the parent's constraints that are not individually invariant, unless they are
 * locked; then the loop is unrolled here.
 */
export function exploreHead(tree: Tree, outer: Segment, position: TreePosition, around: HeadContext): Explored {
  const { counts } = tree;
  const { terms } = tree.context.symbols;
  const key = tree.context.keyOf(position.node);
  for (const parent of around.ancestors.toReversed()) {
    if (parent.key !== key) continue;
    const lost = parent.annotated.kept.filter((constraint) => !entails(tree, outer, position, constraint));
    if (lost.some((constraint) => parent.annotated.locked.has(constraint))) continue;
    parent.annotated.kept = parent.annotated.kept.filter((constraint) => !lost.includes(constraint));
    counts.subsumed++;
    return { kind: "safe", interpolant: terms.all(parent.annotated.kept) };
  }
  for (const { constraints } of tree.heads.get(key) ?? []) {
    const all = terms.all(constraints);
    if (!entails(tree, outer, position, all)) continue;
    counts.subsumed++;
    return { kind: "safe", interpolant: all };
  }
  if (around.ancestors.filter((ancestor) => ancestor.key === key).length > mostUnrolled) {
    return { kind: "unknown", reason: `a loop that is unrolled more than ${mostUnrolled} times` };
  }
  return exploreOwn(tree, outer, position, around, key);
}

function exploreOwn(tree: Tree, outer: Segment, position: TreePosition, around: HeadContext, key: string): Explored {
  const { context, prover } = tree;
  const { symbols } = context;
  const { terms } = symbols;
  const known = [...outer.assumed, ...position.conditions];
  const constraints = constraintsOf(symbols, around.places, position.state, known);
  const all = [...slackened(terms, constraints), ...equalPlaces(terms, constraints)].filter(
    (constraint) => !isTrue(constraint) && entails(tree, outer, position, constraint),
  );
  const locked = new Set<Term>();
  const before = new Map([...tree.heads].map(([head, entries]) => [head, [...entries]] as const));
  const memo = new Map(tree.memo);
  // Each round locks a constraint or ends.
  for (;;) {
    let annotated: Annotated = { kept: all, locked };
    for (;;) {
      restore(tree.heads, before);
      restore(tree.memo, memo);
      const kept = annotated.kept;
      const entry: HeadEntry = { constraints: kept };
      tree.heads.set(key, [...(before.get(key) ?? [])]);
      context.setStart(false);
      const session = prover.open(kept);
      const own = { ...annotated };
      const segment: Segment = {
        session,
        falsity: terms.bool(false),
        assumed: kept,
        places: around.places,
        arrive: (arrival) =>
          exploreHead(tree, segment, arrival, { ...around, ancestors: [...around.ancestors, { key, annotated: own }] }),
      };
      const result = traverse(tree, segment, {
        node: position.node,
        state: originState,
        conditions: [],
        inputs: [],
        examples: [],
      });
      session.close();
      if (own.kept.length < kept.length && result.kind !== "unknown") {
        annotated = { kept: own.kept, locked };
        continue;
      }
      if (result.kind === "safe") {
        tree.heads.set(key, [...(tree.heads.get(key) ?? []), entry]);
        return { kind: "safe", interpolant: terms.all(kept) };
      }
      if (result.kind === "unknown") return result;
      // If the error is excluded by all known facts here, those facts must not be deleted.
      const needed = excluding(tree, all, result.path.conditions);
      const lost = needed?.filter((constraint) => !kept.includes(constraint)) ?? [];
      if (needed === null || lost.length === 0) {
        const here = (terms: readonly Term[]) => terms.map((term) => inState(symbols, position.state, term));
        const conditions = [...position.conditions, ...here(result.path.conditions)];
        return { kind: "error", path: { conditions, inputs: [...position.inputs, ...here(result.path.inputs)] } };
      }
      for (const constraint of lost) locked.add(constraint);
      break;
    }
  }
}

function restore<Value>(target: Map<string, Value>, saved: ReadonlyMap<string, Value>): void {
  target.clear();
  for (const [key, value] of saved) target.set(key, value);
}

/** Constraints that contradict an error path; null if it is feasible with all of them. */
function excluding({ prover, context }: Tree, all: readonly Term[], path: readonly Term[]): readonly Term[] | null {
  const session = prover.open(path);
  const answer = session.implies(all, context.symbols.terms.bool(false));
  session.close();
  return answer.kind === "proved" ? answer.used : null;
}
