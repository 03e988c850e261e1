import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Node } from "../../../recorder/syntax.ts";
import { type Repr, reprOf } from "../encoding.ts";
import { tagsOf } from "../evidence.ts";
import type { Context } from "./context.ts";

export function rangeAt(cx: Context, node: Pick<Node, "start" | "end"> & Partial<Node>): SourceRange {
  // A declared name comes with its type.
  if (node.type === "Identifier")
    return cx.function.file.rangeOf({ start: node.start, end: node.start + node.name!.length });
  return cx.function.file.rangeOf(node);
}

/** The kinds of values that a node had. */
export function tagsAt(cx: Context, node: Node): ReturnType<typeof tagsOf> {
  return tagsOf(cx.model.evidence.values.get(node));
}

export function reprAt(cx: Context, node: Node): Repr {
  return reprOf(tagsAt(cx, node));
}

export function wasExecuted(cx: Context, node: Node): boolean {
  return cx.model.evidence.values.has(node);
}
