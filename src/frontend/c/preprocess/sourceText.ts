import { lastAtOrBefore } from "./lastAtOrBefore.ts";
import { createLineMap, type LineMap } from "./lineMap.ts";

/** One file as the preprocessor reads it: lines ending in a backslash are joined, offsets lead back to the file. */
export type SourceText = {
  /** As printed in messages; `<stdio.h>` for a built-in header. */
  readonly path: string;
  readonly builtin: boolean;
  /** With spliced lines. */
  readonly text: string;
  /** An offset in `text` to the offset in the file. */
  readonly toFile: (offset: number) => number;
  readonly rangeOf: LineMap;
};

const SPLICE = /\\[ \t]*\r?\n/g;

export function createSourceText(path: string, text: string, builtin = false): SourceText {
  const rangeOf = createLineMap(path, text);
  if (!text.includes("\\")) return { path, builtin, text, toFile: (offset) => offset, rangeOf };
  // Offsets in the spliced text at which a splice was taken out, and how much had been taken out by then.
  const breaks: number[] = [];
  const removed: number[] = [];
  let total = 0;
  const spliced = text.replace(SPLICE, (splice, at: number) => {
    breaks.push(at - total);
    total += splice.length;
    removed.push(total);
    return "";
  });
  const toFile = (offset: number): number => {
    const taken = lastAtOrBefore(breaks, offset);
    return taken < 0 ? offset : offset + removed[taken]!;
  };
  return { path, builtin, text: spliced, toFile, rangeOf };
}
