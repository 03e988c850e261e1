import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopRange, loopsOf } from "../ir/loops.ts";
import type { Head } from "./programModel.ts";

/** Where the source has the loop of a head. */
export function headRange({ node }: Pick<Head, "node">): SourceRange {
  const loop = loopsOf(node.function).loopWithHeader(node.location);
  return loop === null
    ? nth(nth(controlFlowOf(node.function).outgoing, node.location), 0).range
    : loopRange(node.function, loop);
}
