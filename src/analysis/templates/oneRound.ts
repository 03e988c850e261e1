import type { ScalarType } from "../../ir/type.ts";
import { isFalse, type Term, type Variable } from "../../logic/term.ts";
import { follow } from "../../symbolic/followEdge.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import { originState, type SymbolicState } from "../../symbolic/symbolicState.ts";
import { assumptionsOf } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Core } from "./core.ts";
import { roundSurroundings } from "./roundSurroundings.ts";

/** `executePath` of 004's Algorithm 1 for a core: θ and φ of one round, over the values at its beginning. */
export type OneRound = {
  readonly state: SymbolicState;
  /** In the order of the way. */
  readonly assumptions: readonly Term[];
  /** What is read or unknown anew in each round. */
  readonly drawn: readonly DrawnInRound[];
};

export type DrawnInRound = { readonly variable: Variable; readonly type: ScalarType; readonly isInput: boolean };

/** Null where a round does something that no closed form describes: allocates, writes through a pointer that is not resolved. */
export function oneRound(
  symbols: Symbols,
  head: InlinedNode,
  core: Core,
  undefinedBehaviour: "stop" | "wrap",
): OneRound | null {
  const drawn: DrawnInRound[] = [];
  const draw = (type: ScalarType, isInput: boolean): Variable => {
    const variable = symbols.fresh("round", type);
    drawn.push({ variable, type, isInput });
    return variable;
  };
  const { surroundings, isExact } = roundSurroundings(symbols, undefinedBehaviour, draw);
  let node = head;
  let state = originState;
  const assumptions: Term[] = [];
  for (const { edge, to } of core) {
    const successor = follow(symbols, node, edge).find((each) => nodeKey(each.node) === to);
    if (successor === undefined) return null;
    const step = successor.step(state, surroundings);
    assumptions.push(...assumptionsOf(step));
    state = step.state;
    node = successor.node;
    if (!isExact() || assumptions.some(isFalse)) return null;
  }
  return state.clobbers.length > 0 ? null : { state, assumptions, drawn };
}
