import type { Fold } from "../analysis/compress/compressTrace.ts";
import type { FoldedLoop } from "../analysis/errorInvariants/traceFormula.ts";
import type { Variable } from "../logic/term.ts";
import { nodeKey } from "../symbolic/inlinedNode.ts";

/** A fold as one transition of the folded run: what its blocks write, it may write. */
export function foldedLoop(fold: Fold): FoldedLoop {
  const { activation, system, annotation, from } = fold;
  const written = new Set<Variable>();
  let writesAnyMemory = false;
  for (const block of system.blocks.values()) {
    for (const end of block.ends) {
      if (end.state.clobbers.length > 0) writesAnyMemory = true;
      for (const place of end.state.values.keys()) written.add(place);
    }
  }
  return {
    activation,
    begin: activation.visits[from]!,
    end: activation.visits[activation.visits.length - 1]!,
    invariant: annotation.get(nodeKey(system.root))!,
    written: [...written],
    writesAnyMemory,
  };
}
