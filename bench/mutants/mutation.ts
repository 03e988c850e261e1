import type { ForbiddenEdit } from "./forbiddenEdits.ts";

export type MutationKind =
  | "comparison"
  | "arithmetic"
  | "constant"
  | "condition"
  | "index"
  | "order"
  | "variable"
  | "increment"
  /** A statement that does something. */
  | "deleted statement"
  /** An `else`, or a conditional `return`, `break` or `continue`. */
  | "deleted branch"
  | "removed break";

export const mutationKinds: readonly MutationKind[] = [
  "comparison",
  "arithmetic",
  "constant",
  "condition",
  "index",
  "order",
  "variable",
  "increment",
  "deleted statement",
  "deleted branch",
  "removed break",
];

/** Nothing is left on the line that was changed: where it stood, what stands beside it and its function are looked for. */
export function isOmission(kind: MutationKind): boolean {
  return kind === "deleted statement" || kind === "deleted branch" || kind === "removed break";
}

/** One change of a program's text. */
export type Mutation = {
  readonly kind: MutationKind;
  /** The stretch of text that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** `i < n -> i <= n`. */
  readonly description: string;
  /** The lines that differ; of an omission those where it stood. */
  readonly lines: readonly number[];
  /** Of an omission: the nearest lines of code before and behind it. */
  readonly neighbours: readonly number[];
  /** null at file level. */
  readonly function: string | null;
  /** Edits that would undo this kind of mutation: an explainer that is measured may not try them. */
  readonly forbidden: readonly ForbiddenEdit[];
};

export function mutatedText(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
