import { lastAtOrBefore, rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";

/** The author of a file: the user, the compiler's authors, or Tracefold. */
export type FileOrigin = "user" | "compiler" | "builtin";

/** A file as the preprocessor reads it: a line ending in a backslash is joined with the next one. */
export type SplicedFile = {
  /** As printed in messages; `<stdio.h>` for a built-in header. */
  readonly path: string;
  readonly origin: FileOrigin;
  readonly text: string;
  /** The range in the file of `text.slice(start, end)`. */
  readonly rangeOf: (start: number, end: number) => SourceRange;
};

const SPLICE = /\\[ \t]*\r?\n/g;

export function spliceFile(path: string, text: string, origin: FileOrigin = "user"): SplicedFile {
  const file = { path, text };
  if (!text.includes("\\")) {
    return { path, origin, text, rangeOf: (start, end) => rangeBetweenOffsets(file, start, end) };
  }
  // Offsets in the joined text where something was removed, and the total removed up to there.
  const breaks: number[] = [];
  const removed: number[] = [];
  let total = 0;
  const spliced = text.replace(SPLICE, (splice, at: number) => {
    breaks.push(at - total);
    total += splice.length;
    removed.push(total);
    return "";
  });
  const toFile = (offset: number): number => offset + (removed[lastAtOrBefore(breaks, offset)] ?? 0);
  const rangeOf = (start: number, end: number): SourceRange => {
    const from = toFile(start);
    return rangeBetweenOffsets(file, from, end > start ? toFile(end - 1) + 1 : from);
  };
  return { path, origin, text: spliced, rangeOf };
}
