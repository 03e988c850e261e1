import type { Fold } from "../analysis/compress/compressTrace.ts";
import { writtenBy } from "../loops/loopSystem.ts";
import type { FoldedLoop } from "../model/traceFormula.ts";
import { nodeKey } from "../symbolic/inlinedNode.ts";

/** A fold as one transition of the folded run: what its blocks write, it may write. */
export function foldedLoop(fold: Fold): FoldedLoop {
  const { activation, system, annotation, from } = fold;
  const { places, anyMemory } = writtenBy(system);
  return {
    activation,
    begin: activation.visits[from]!,
    end: activation.visits[activation.visits.length - 1]!,
    invariant: annotation.get(nodeKey(system.root))!,
    written: places,
    writesAnyMemory: anyMemory,
  };
}
