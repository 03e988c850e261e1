/**
 * What an explainer may change at one place of a program, for all visits of it, to see whether the run passes then:
 * another comparison, another arithmetic operator, another constant; a condition negated; `&&` for `||`, a conjunct more
 * or less; another value assigned, returned or passed; another index; `++` for `--`; another variable or field; two
 * operands, arguments or statements in the other order; a statement more, or one less.
 */
export type EditKind =
  | "comparison"
  | "arithmetic"
  | "constant"
  | "negation"
  | "connective"
  | "value"
  | "index"
  | "direction"
  | "variable"
  | "order"
  | "insert"
  | "skip";

/** An edit that is not tried, on one line or, where `line` is null, anywhere. */
export type ForbiddenEdit = { readonly edit: EditKind; readonly line: number | null };

export const anywhere = (...edits: readonly EditKind[]): ForbiddenEdit[] => edits.map((edit) => ({ edit, line: null }));

export const onLine = (line: number, ...edits: readonly EditKind[]): ForbiddenEdit[] =>
  edits.map((edit) => ({ edit, line }));
