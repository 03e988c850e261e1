import { TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { emitRefusal, newLocation } from "../../../ir/builder.ts";
import type { Context } from "./context.ts";

/**
 * Something unsupported is an error only if its place can be reached, which is known when the function is complete; or, where
 * that is asked for, only of a run that comes there.
 */
export function refuse(cx: Context, error: unknown, range: SourceRange): void {
  if (!(error instanceof TracefoldError) || error.kind !== "unsupported" || cx.scratch) throw error;
  if (cx.unit.options.unsupported === "whenReached") return emitRefusal(cx, error, range);
  cx.graph.edges.push({ from: cx.here, to: cx.exit, operation: { kind: "skip" }, range, refused: error });
  cx.here = newLocation(cx);
}
