import { loopsOf } from "../../ir/loops.ts";
import { freeVariablesOf } from "../../logic/freeVariables.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { type Block, type BlockEnd, encodeBlock } from "../../symbolic/encodeBlock.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import { inState } from "../../symbolic/inState.ts";
import type { Surroundings } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/**
 * A loop as a system of cut points: its header, the headers of the loops inside it (also inside the functions it
 * calls), and one block of code from each to the next ones. An invariant of the loop is a formula at each cut point
 * that every block carries on; inner loops need no unrolling and no order of their own (000 §II-A).
 */
export type LoopSystem = {
  readonly root: InlinedNode;
  readonly blocks: ReadonlyMap<string, Block>;
};

export function buildLoopSystem(symbols: Symbols, root: InlinedNode, surroundings: Surroundings): LoopSystem {
  const loop = loopsOf(root.function).loopWithHeader(root.location)!;
  // Inside: in a frame that the loop's body called, or in its own frame and body.
  const isInside = (node: InlinedNode) => node.frame !== root.frame || loop.body.has(node.location);
  const blocks = new Map<string, Block>();
  const work: InlinedNode[] = [root];
  while (work.length > 0) {
    const node = work.pop()!;
    if (blocks.has(nodeKey(node))) continue;
    const block = encodeBlock(symbols, node, { isInside, surroundings });
    blocks.set(nodeKey(node), block);
    for (const end of block.ends) work.push(end.node);
  }
  return { root, blocks };
}

/** A formula over a cut point's places, as a formula about the state that a block leaves there. */
export function afterBlock(symbols: Symbols, end: BlockEnd, formula: Term): Term {
  return inState(symbols, end.state, formula);
}

/** The places whose values at the start of a block its formulas mention: what an invariant may have to speak about. */
export function placesOf(symbols: Symbols, formulas: Iterable<Term>): readonly Variable[] {
  return freeVariablesOf(formulas).filter((variable) => symbols.cellOf(variable) !== null);
}

/** Everything that a block says, for collecting places and conditions. */
export function formulasOf(block: Block): readonly Term[] {
  return [...block.definitions, ...block.ends.flatMap((end) => [end.guard, ...end.state.values.values()])];
}
