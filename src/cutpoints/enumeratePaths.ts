import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Edge } from "../ir/program.ts";
import { isFalse, type Term } from "../logic/term.ts";
import { follow, type InlinedNode } from "../symbolic/followEdge.ts";
import { originState, type SymbolicState } from "../symbolic/symbolicState.ts";
import { assumptionsOf } from "../symbolic/symbolicStep.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type BlockOptions, isCutPoint } from "./encodeBlock.ts";

/** One way from a cut point to the next. */
export type Path = {
  readonly edges: readonly Edge[];
  readonly end: InlinedNode;
  readonly assumptions: readonly Term[];
  readonly state: SymbolicState;
};

/**
 * The ways from a cut point to the next ones, one by one, without those whose conditions contradict each other on sight;
 * null where there are more than `limit`.
 */
export function enumeratePaths(
  symbols: Symbols,
  start: InlinedNode,
  options: BlockOptions,
  limit: number,
): readonly Path[] | null {
  const paths: Path[] = [];
  const stack: Path[] = [{ edges: [], end: start, assumptions: [], state: originState }];
  let visited = 0;
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    // Ways that lead nowhere cost time too.
    if (++visited > limit * 200) return null;
    options.environment.wanted?.();
    const node = current.end;
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!.toReversed()) {
      for (const successor of follow(symbols, node, edge)) {
        if (!options.isInside(successor.node)) continue;
        const step = successor.step(current.state, options.environment);
        const path: Path = {
          edges: [...current.edges, edge],
          end: successor.node,
          assumptions: [...current.assumptions, ...assumptionsOf(step)],
          state: step.state,
        };
        if (isFalse(symbols.terms.all(path.assumptions))) continue;
        if (!isCutPoint(successor.node)) stack.push(path);
        else if (paths.push(path) > limit) return null;
      }
    }
  }
  return paths;
}
