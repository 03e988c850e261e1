import type { ChangeKind } from "./kinds.ts";

/** Replaces the text between two offsets; offsets start at 0 and count UTF-16 units. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/** A small change of the source text of one file. */
export type Change = {
  readonly kind: ChangeKind;
  readonly file: string;
  /** Sorted by offset; they do not overlap. */
  readonly edits: readonly TextEdit[];
  /** The lines that it blames; it is shown at the first one. Missing code has no line, so an insertion has two. */
  readonly lines: readonly number[];
};

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Sorts edits; null if two of them overlap. */
export function orderedEdits(edits: readonly TextEdit[]): readonly TextEdit[] | null {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const edit of sorted) {
    if (edit.start < end) return null;
    end = edit.end;
  }
  return sorted;
}
