import { isAtom, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import type { Obligation } from "./generalize.ts";
import type { LoopSystem } from "./loopSystem.ts";

/**
 * How far places are from what is needed after a loop: 0 for those in the conclusion, and one more for those that a
 * nearer one is computed from, or is tested together with. What is far away seldom belongs in the invariant.
 */
export function rankPlaces(system: LoopSystem, obligation: Obligation): ReadonlyMap<Variable, number> {
  const ranks = new Map<Variable, number>();
  const neighbours = neighboursIn(system, obligation);
  let front = freeVariablesOf([obligation.conclusion]);
  for (let rank = 0; front.length > 0; rank++) {
    for (const variable of front) ranks.set(variable, rank);
    const next = new Set<Variable>();
    for (const variable of front) {
      for (const other of neighbours.get(variable) ?? []) if (!ranks.has(other)) next.add(other);
    }
    front = [...next];
  }
  return ranks;
}

function neighboursIn(system: LoopSystem, obligation: Obligation): ReadonlyMap<Variable, ReadonlySet<Variable>> {
  const neighbours = new Map<Variable, Set<Variable>>();
  const connect = (from: Variable, others: Iterable<Variable>) => {
    const known = neighbours.get(from) ?? new Set();
    for (const other of others) known.add(other);
    neighbours.set(from, known);
  };
  const tests: Term[] = [...obligation.hypotheses];
  for (const block of system.blocks.values()) {
    tests.push(...block.definitions);
    for (const end of block.ends) {
      tests.push(end.guard);
      for (const [place, value] of end.state.values) connect(place, freeVariablesOf([value]));
    }
  }
  for (const atom of postOrder(tests)) {
    if (atom.sort !== "Bool" || !isAtom(atom) || atom.kind === "bool") continue;
    const variables = freeVariablesOf([atom]);
    for (const variable of variables) connect(variable, variables);
  }
  return neighbours;
}
