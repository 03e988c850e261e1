import { present } from "../../../base/checked.ts";
import { unlessRefused } from "../../../base/errors.ts";
import { remembered } from "../../../base/memo.ts";
import type { Annotation } from "../../../cutpoints/houdini.ts";
import { loopInvariant } from "../../../cutpoints/loopInvariant.ts";
import { buildLoopSystem, formulasOf, type LoopSystem, writtenBy } from "../../../cutpoints/loopSystem.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../../logic/term.ts";
import { postOrder } from "../../../logic/traverse.ts";
import type { Prover } from "../../../solver/solver.ts";
import { type InlinedNode, nodeKey } from "../../../symbolic/followEdge.ts";
import { inState, type SymbolicState, valueOf, writeAll } from "../../../symbolic/symbolicState.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { BoundLoop } from "../explorer.ts";
import { roundEnvironment } from "./core.ts";

/** Limits on the numbers of a loop's body that are tried as bounds, and on all candidates. */
const mostNumbers = 24;
const mostCandidates = 400;

/**
 * Bounds and signs of differences that hold at a loop's entry and that every round preserves; written variables are
 * arbitrary within them. Null if a loop writes an unnamed place.
 */
export function createBounds(symbols: Symbols, prover: Prover, undefinedBehaviour: "stop" | "wrap"): BoundLoop {
  const systems = new Map<string, LoopSystem | null>();
  const systemAt = (node: InlinedNode): LoopSystem | null => {
    const key = nodeKey(node);
    return remembered(systems, key, () => loopSystem(symbols, node, undefinedBehaviour));
  };
  return (at) => {
    const system = systemAt(at.node);
    if (system === null) return null;
    const { places, anyMemory } = writtenBy(system);
    if (anyMemory || places.some((place) => symbols.objectWithBase(place) !== null)) return null;
    const known = candidatesFor(symbols, system, places, at.memory).filter((candidate) => {
      const here = inState(symbols, at.memory, candidate);
      return isTrue(here) || (!isFalse(here) && at.isFeasible([symbols.terms.not(here)]).kind === "infeasible");
    });
    const proposal: Annotation = new Map([...system.blocks.keys()].map((key) => [key, known]));
    const kept = present(loopInvariant(symbols, prover, system, proposal).get(nodeKey(system.root)));
    const memory = writeAll(
      at.memory,
      places.map((place) => [place, symbols.version(place)] as const),
    );
    return { memory, formulas: kept.map((formula) => inState(symbols, memory, formula)) };
  };
}

/** Null if the body has an operation without a formula. */
function loopSystem(symbols: Symbols, node: InlinedNode, undefinedBehaviour: "stop" | "wrap"): LoopSystem | null {
  const { environment, isExact } = roundEnvironment(symbols, undefinedBehaviour, (type) =>
    symbols.fresh("round", type),
  );
  // The caller's code is after the loop.
  const system = unlessRefused(() => buildLoopSystem(symbols, { ...node, context: null }, environment));
  return isExact() ? system : null;
}

/** Bounds at the entry values and at numbers of the body, and the order of two variables. */
function candidatesFor(
  symbols: Symbols,
  system: LoopSystem,
  places: readonly Variable[],
  memory: SymbolicState,
): readonly Term[] {
  const { terms } = symbols;
  const numbers = numbersIn(system);
  const ints = places.filter(({ sort }) => sort === "Int");
  const candidates: Term[] = [];
  for (const place of ints) {
    const entered = valueOf(symbols, memory, place);
    const own = entered.kind === "int" ? [entered.value] : [];
    for (const number of new Set([...own, ...numbers])) {
      candidates.push(terms.ge(place, terms.int(number)), terms.le(place, terms.int(number)));
    }
  }
  for (const [i, a] of ints.entries()) {
    for (const b of ints.slice(i + 1)) candidates.push(terms.le(a, b), terms.ge(a, b));
  }
  return candidates.slice(0, mostCandidates);
}

function numbersIn(system: LoopSystem): readonly bigint[] {
  const found = new Set<bigint>([0n, 1n]);
  for (const term of postOrder([...system.blocks.values()].flatMap(formulasOf))) {
    if (term.kind !== "le" && term.kind !== "eq") continue;
    for (const number of [term.bound, -term.bound]) for (const near of [-1n, 0n, 1n]) found.add(number + near);
  }
  // The ends of types are known anyway.
  const isUsual = (number: bigint) => number < 1n << 31n && number >= -(1n << 30n);
  return [...found].filter(isUsual).slice(0, mostNumbers);
}
