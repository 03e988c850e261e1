import { liveRegistersOf } from "../ir/dataFlow.ts";
import type { Variable } from "../logic/term.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import { forget, type SymbolicState } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/** The state without what nothing will read: registers of the node's own frame that are dead at its location. */
export function withoutDead(symbols: Symbols, node: InlinedNode, state: SymbolicState): SymbolicState {
  const live = liveRegistersOf(node.function)[node.location]!;
  const dead: Variable[] = [];
  for (const place of state.values.keys()) {
    const cell = symbols.cellOf(place);
    if (cell?.kind !== "register" || cell.frame !== node.frame || live.has(cell.variable)) continue;
    dead.push(place);
  }
  return dead.length === 0 ? state : forget(state, dead);
}
