import type { SourceRange } from "../base/sourceRange.ts";

/**
 * A statement or declaration as the source has it. `head` is what a reader sees of it in one line: all of a simple
 * statement, of one with a body only what steers it (`while (i < n)`).
 */
export type SourceStatement = {
  readonly kind: "simple" | "declaration" | "return" | "if" | "loop" | "switch" | "jump";
  readonly range: SourceRange;
  readonly head: SourceRange;
};
