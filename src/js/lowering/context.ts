import type { Graph } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { FunctionId, Note, ProgramVariable } from "../../ir/program.ts";
import type { Binding } from "../recorder/scopes.ts";
import type { Node } from "../recorder/syntax.ts";
import type { Encoding, Repr } from "../replay/encoding.ts";
import type { ReplayEvidence } from "../replay/evidence.ts";
import type { Globals } from "../replay/globals.ts";
import type { RecordedFile, RecordedFunction } from "../replay/recordedFile.ts";

/** A value of the program and how it is held. */
export type ModelValue = { readonly repr: Repr; readonly expr: Expression };

/** The tables that objects live in: one for each name of a field, one for the elements of all arrays. */
export type Tables = {
  readonly field: (name: string) => Table;
  /** The same where the program has one; null where nothing of it uses the name. */
  readonly known: (name: string) => Table | null;
  readonly elements: Table;
  /** Maps and Sets: is there an entry, and what is its value? Null where they would take too much room. */
  readonly entries: { readonly present: Table; readonly values: Table } | null;
  /** Elements of an array at most; a row of the table. */
  readonly capacity: number;
};

/** `exact` holds numbers with fractions, where there are any. */
export type Table = { readonly repr: Repr; readonly memory: ProgramVariable; readonly exact: ProgramVariable | null };

/** Decisions about the lowering that are made before it starts. */
export type LoweringChoices = {
  /** Nodes whose values are taken from the log, because the model computed others. */
  readonly demoted: ReadonlySet<Node>;
  readonly difference: ObjectDifference | null;
};

/** The program while it is being built. */
export type ModelContext = {
  readonly evidence: ReplayEvidence;
  readonly encoding: Encoding;
  readonly globals: Globals;
  readonly variables: ProgramVariable[];
  readonly functions: Map<RecordedFunction, FunctionShape>;
  readonly tables: Tables;
  /** Expressions whose value is to be taken from the log. */
  readonly demoted: ReadonlySet<Node>;
  /** Variables that live as long as the run: of files, and those that inner functions use. */
  readonly shared: Map<Binding, ProgramVariable>;
  /** The `this` of an arrow function. */
  readonly outerSelf: Map<Node, ProgramVariable>;
  readonly captured: ReadonlySet<Binding>;
  readonly sharedReprs: ReadonlyMap<Binding, Repr>;
  /** Names of all fields that were read. */
  readonly fieldNames: ReadonlySet<string>;
  /** Fields that an object made by a node was read from before they were written. */
  readonly emptyFields: ReadonlySet<string>;
  /** Which node an expression is the value of. */
  readonly nodeOf: Map<Expression, Node>;
  /** Which node an input is read for; `throws`: whether its evaluation threw. */
  readonly inputs: InputPlan[];
  /** Variables that hold what the model counts. */
  readonly counters: { readonly objects: ProgramVariable; readonly arrays: ProgramVariable };
  /** Objects that the files make before the test. */
  readonly initial: { object: number; array: number };
  readonly exception: { readonly thrown: ProgramVariable; readonly error: ProgramVariable };
  readonly notes: Map<string, Note>;
  classOf(name: string): ClassOfFile | null;
  readonly failing: Node | null;
  readonly difference: ObjectDifference | null;
};

export type ClassOfFile = { readonly node: Node; readonly file: RecordedFunction["file"] };

/** The first difference of two values that should have been equal. */
export type ObjectDifference = {
  readonly path: readonly DifferenceStep[];
  /** The last step is the number of elements of an array. */
  readonly isLength: boolean;
  readonly isDouble: boolean;
};

/** A field, an element, or the entry of a Map or Set: what it holds, or whether there is one. */
export type DifferenceStep =
  | string
  | number
  | { readonly of: "values" | "present"; readonly slot: number; readonly text: string };

export type InputPlan = {
  readonly node: Node;
  readonly of: "value" | "throws" | "callee" | "goesOn" | "element";
  readonly repr: Repr;
};

export type FunctionShape = {
  readonly id: FunctionId;
  readonly function: RecordedFunction;
  readonly self: ProgramVariable | null;
  readonly parameters: readonly ProgramVariable[];
  readonly result: Repr | null;
};

/** A function while it is being built. */
export type JsContext = {
  readonly model: ModelContext;
  readonly shape: FunctionShape | null;
  readonly function: { readonly file: RecordedFile };
  readonly id: FunctionId;
  readonly graph: Graph;
  here: number;
  readonly exit: number;
  readonly locals: Map<Binding, ProgramVariable>;
  readonly targets: JumpTarget[];
  readonly handlers: number[];
  /** `finally` blocks around what is being lowered: whoever leaves them runs them. */
  readonly finalizers: Finalizer[];
};

/** `handlers` and `targets`: how many of them are around the whole `try`. */
export type Finalizer = { readonly block: Node; readonly handlers: number; readonly targets: number };

export type JumpTarget = { readonly label: string | null; readonly breaks: number; readonly continues: number | null };
