import { nth, present } from "../base/checked.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, postOrder, substitute } from "../logic/traverse.ts";
import { type InlinedNode, nodeKey } from "../symbolic/followEdge.ts";
import type { StepEnvironment } from "../symbolic/stepEnvironment.ts";
import { valueOf, write } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Block, type BlockEnd, encodeBlock, visitCutPoints } from "./block.ts";
import type { BlockTransition, TransitionEnd } from "./houdini.ts";

/**
 * A loop as a system of cut points: its header, the headers of the loops inside it (also inside the functions it
 * calls), and one block of code from each to the next ones. An invariant of the loop is a formula at each cut point
 * that every block carries on; inner loops need no unrolling and no order of their own (000 §II-A).
 */
export type LoopSystem = {
  readonly root: InlinedNode;
  readonly blocks: ReadonlyMap<string, LoopBlock>;
};

export type LoopBlock = Block & {
  /**
   * Every question about the block assumes this: its definitions, and names for the values that it leaves behind, so
   * that a solver is told about them once and not with every question.
   */
  readonly background: readonly Term[];
  /** The names, by end and place. */
  readonly names: ReadonlyMap<BlockEnd, ReadonlyMap<Variable, Variable>>;
};

/** Values up to this size are repeated rather than named. */
const smallValue = 4;

export function buildLoopSystem(symbols: Symbols, root: InlinedNode, environment: StepEnvironment): LoopSystem {
  const isInside = insideOf(root);
  const blocks = new Map<string, LoopBlock>();
  visitCutPoints(root, (node) => {
    const block = encodeBlock(symbols, node, { isInside, environment });
    blocks.set(nodeKey(node), withNames(symbols, block));
    return block.ends.map((end) => end.node);
  });
  return { root, blocks };
}

/** Is a node in a frame that the loop's body called, or in the loop's own frame and body? */
export function insideOf(root: InlinedNode): (node: InlinedNode) => boolean {
  const loop = present(loopsOf(root.function).loopWithHeader(root.location));
  return (node) => node.frame !== root.frame || loop.body.has(node.location);
}

/** Gives names to what a block leaves behind. */
export function withNames(symbols: Symbols, block: Block): LoopBlock {
  const { terms } = symbols;
  const background = [...block.definitions];
  const names = new Map<BlockEnd, Map<Variable, Variable>>();
  for (const end of block.ends) {
    const own = new Map<Variable, Variable>();
    for (const [place, value] of end.state.values) {
      if (postOrder([value]).length <= smallValue) continue;
      // No range is known of it: where the end is not reached, its value may be one that no place could hold.
      const name = terms.fresh("after", place.sort);
      own.set(place, name);
      background.push(terms.eq(name, value));
    }
    names.set(end, own);
  }
  return { ...block, background, names };
}

/** A formula over a cut point's places, as a formula about the state that a block leaves there. */
function afterBlock(symbols: Symbols, block: LoopBlock, end: BlockEnd, formula: Term): Term {
  const names = present(block.names.get(end));
  const replacements = new Map<Variable, Term>();
  for (const place of freeVariablesOf([formula])) {
    const value = names.get(place) ?? valueOf(symbols, end.state, place);
    if (value !== place) replacements.set(place, value);
  }
  return replacements.size === 0 ? formula : substitute(symbols.terms, formula, replacements);
}

/** The blocks of a loop as transitions between its cut points. */
export function transitionsOf(
  symbols: Symbols,
  system: LoopSystem,
): readonly (BlockTransition & { readonly from: string; readonly ends: readonly LoopEnd[] })[] {
  return [...system.blocks].map(([from, block]) => ({
    from,
    background: block.background,
    ends: block.ends.map((end) => ({
      from,
      to: nodeKey(end.node),
      guard: end.guard,
      after: (formula: Term) => afterBlock(symbols, block, end, formula),
    })),
  }));
}

export type LoopEnd = TransitionEnd & { readonly from: string };

/** The places that the loop's blocks may write; `anyMemory`: memory that no place names, too. */
export function writtenBy(system: LoopSystem): { readonly places: readonly Variable[]; readonly anyMemory: boolean } {
  const ends = [...system.blocks.values()].flatMap((block) => block.ends);
  return {
    places: [...new Set(ends.flatMap(({ state }) => [...state.values.keys()]))],
    anyMemory: ends.some(({ state }) => state.clobbers.length > 0),
  };
}

/** The places whose values at the start of a block its formulas mention: what an invariant may have to speak about. */
export function placesOf(symbols: Symbols, formulas: Iterable<Term>): readonly Variable[] {
  return freeVariablesOf(formulas).filter((variable) => symbols.cellOf(variable) !== null);
}

/** Everything that a block says, for collecting places and conditions. */
export function formulasOf(block: Block): readonly Term[] {
  return [...block.definitions, ...block.ends.flatMap((end) => [end.guard, ...end.state.values.values()])];
}

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
    return {
      ...block,
      ends,
      names: new Map(block.ends.map((end, i) => [nth(ends, i), present(block.names.get(end))])),
    };
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
