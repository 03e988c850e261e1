/**
 * A recorded run in tables and columns. It knows no language: the page, the debugger and agents ask it the same
 * questions about C and JavaScript. Steps are numbered from 0 here; `first` is the number of the first one in the run.
 */
export type Recording = {
  /** What a step is called in print: a step of C counts edges, one of JavaScript counts values. */
  readonly stepName: "step" | "event";
  /** Steps of the run before the recorded ones. */
  readonly first: number;
  /** The number of the first execution, if nodes of a report name executions; null if they name steps. */
  readonly executionsFrom: number | null;
  readonly files: readonly string[];
  readonly functions: readonly string[];
  readonly statements: readonly RecordedStatement[];
  readonly places: readonly RecordedPlaceOfStep[];
  /** Printed values; index 0 is no value. */
  readonly values: readonly string[];
  /** Names of variables, elements and fields; index 0 is none. Different cells may have one name. */
  readonly cells: readonly string[];
  /** By cell: the call that the variable belongs to; -1 for memory of no variable, and for variables of files. */
  readonly cellOwners: Int32Array;
  /** By cell: its name in the call of its owner, if it was first written by another call, as `*p`; else empty. */
  readonly ownNames: readonly string[];
  readonly steps: StepColumns;
  readonly reads: ReadColumns;
  readonly executions: ExecutionColumns;
  readonly activations: ActivationColumns;
  readonly effects: EffectColumns;
  /** Conditions that were run again with the other outcome. */
  readonly flips: readonly RecordedFlip[];
  /** What the recording leaves out, one sentence each. */
  readonly limits: readonly string[];
};

/** Lines and columns count from 1; the end is exclusive. */
export type SourceExtent = readonly [line: number, column: number, endLine: number, endColumn: number];

export type RecordedStatement = {
  readonly kind: "simple" | "declaration" | "condition" | "loop" | "switch" | "return" | "jump";
  readonly file: number;
  readonly function: number;
  /** The statement, or its head: `while (i < n)`. */
  readonly at: SourceExtent;
  /** With its body. */
  readonly whole: SourceExtent;
  readonly text: string;
};

/** The place in the source where a step happens. */
export type RecordedPlaceOfStep = {
  /** Index of its statement; -1 if the source has none. */
  readonly statement: number;
  readonly kind: "write" | "condition" | "call" | "return" | "throw" | "parameter" | "input" | "library" | "other";
  readonly at: SourceExtent | null;
  /** The written variable or field, as the source names it; for calls the callee. */
  readonly name: string;
  /** For calls: the variable that gets the result. */
  readonly target?: string;
  /** What its reads are called in the source, by `ReadColumns.part`. */
  readonly reads: readonly { readonly text: string; readonly at: SourceExtent | null }[];
};

/** One entry for each step. */
export type StepColumns = {
  readonly place: Int32Array;
  /** Index of the execution of its statement; -1 for none. */
  readonly execution: Int32Array;
  readonly activation: Int32Array;
  /** The step of the condition or call that caused it; -1 for none. */
  readonly control: Int32Array;
  /** The written, returned or tested value: an index in `values`. */
  readonly value: Int32Array;
  /** The cell that it wrote: an index in `cells`. */
  readonly cell: Int32Array;
  /** Where its reads begin; one entry more than there are steps. */
  readonly firstRead: Int32Array;
};

/** The origins of values of which no step is known. */
export const fromTheStart = -1;
export const beforeTheWindow = -2;

export const readRoles = ["data", "identity", "omission"] as const;
export type ReadRole = (typeof readRoles)[number];

/** One entry for each read. */
export type ReadColumns = {
  /** The step that wrote it; below 0 if that is not a recorded step. */
  readonly writer: Int32Array;
  readonly value: Int32Array;
  /** Index in the `reads` of the step's place; -1 if the source has no text for it. */
  readonly part: Int32Array;
  /** Index in `readRoles`. */
  readonly role: Int32Array;
};

/** One execution of a statement, in the order of their first steps. */
export type ExecutionColumns = {
  readonly statement: Int32Array;
  readonly activation: Int32Array;
  readonly firstStep: Int32Array;
};

/** Writes besides those in `steps`, by step: copies of structs, library functions. Value 0: what it holds is not known. */
export type EffectColumns = {
  readonly step: Int32Array;
  readonly cell: Int32Array;
  readonly value: Int32Array;
};

/** One call of a function. */
export type ActivationColumns = {
  readonly function: Int32Array;
  /** The step of the call; -1 where the run begins. */
  readonly call: Int32Array;
};

/** `passes`: with the other outcome the run passes; `getsPast`: it fails elsewhere or later; `same`: neither. */
export type RecordedFlip = { readonly step: number; readonly end: "same" | "getsPast" | "passes" };
