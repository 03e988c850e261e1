import type { SourceRange } from "../base/sourceRange.ts";

/** `cart.ts:12`. */
export function placeOf({ file, line }: Pick<SourceRange, "file" | "line">): string {
  return `${file}:${line}`;
}
