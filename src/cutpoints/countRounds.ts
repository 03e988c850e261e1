import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import { write } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { LoopBlock, LoopSystem } from "./loopSystem.ts";

/**
 * The same system with a count of its rounds, which begins with 0 where the loop is folded: every way back to the head adds
 * one, and those after `count` rounds do not matter. Where no relation between the program's own variables is inductive, one
 * with the count may be: `mod(head - #rounds, 8) == 0`.
 */
export function countRounds(symbols: Symbols, system: LoopSystem, count: number): LoopSystem {
  const { terms } = symbols;
  const rounds = symbols.rounds(system.root);
  const root = nodeKey(system.root);
  const counted = (block: LoopBlock): LoopBlock => {
    const ends = block.ends.map(({ node, guard, state }) => ({
      node,
      guard: terms.and(guard, terms.lt(rounds, terms.int(count))),
      state: nodeKey(node) === root ? write(state, rounds, terms.add(rounds, terms.int(1n))) : state,
    }));
    return { ...block, ends, names: new Map(block.ends.map((end, i) => [ends[i]!, block.names.get(end)!])) };
  };
  return { ...system, blocks: new Map([...system.blocks].map(([key, block]) => [key, counted(block)])) };
}

/** Formulas about a loop's head after so many rounds. */
export function afterRounds(
  symbols: Symbols,
  rounds: Variable,
  count: number,
  formulas: readonly Term[],
): readonly Term[] {
  if (!freeVariablesOf(formulas).includes(rounds)) return formulas;
  const replacements = new Map<Variable, Term>([[rounds, symbols.terms.int(count)]]);
  return formulas.map((formula) => substitute(symbols.terms, formula, replacements));
}
