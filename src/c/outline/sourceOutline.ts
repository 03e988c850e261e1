import type { SourceRange } from "../../base/sourceRange.ts";

/** The statements, loops, names and calls of a source file, in its order: for places in a file, not in the program model. */
export type SourceOutline = {
  readonly statements: readonly OutlinedStatement[];
  readonly loops: readonly OutlinedLoop[];
  readonly names: readonly OutlinedName[];
  readonly calls: readonly OutlinedCall[];
};

/** A statement, or a full expression that steers one: then it begins no statement. */
export type OutlinedStatement = {
  readonly range: SourceRange;
  readonly steers: boolean;
  /** The first declarator of a declaration: nothing is evaluated before it. */
  readonly declarator: SourceRange | null;
};

export type OutlinedLoop = {
  readonly keyword: "for" | "while" | "do";
  readonly range: SourceRange;
  readonly body: SourceRange;
};

/** A variable that is visible from its declaration to the end of its scope; null: to the end of the file. */
export type OutlinedName = {
  readonly name: string;
  readonly declared: SourceRange;
  readonly scope: SourceRange | null;
};

export type OutlinedCall = {
  readonly name: string;
  readonly callee: SourceRange;
  /** The closing parenthesis. */
  readonly end: { readonly line: number; readonly column: number };
  /** The call is a statement of its own. */
  readonly isStatement: boolean;
};
