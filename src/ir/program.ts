import type { SourceFile } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { LanguageName } from "./language.ts";
import type { Operation } from "./operation.ts";
import type { DataModelName, FunctionType, Type } from "./type.ts";

/** A transition system per function; immutable once `checkProgram` has accepted it. */
export type Program = {
  readonly files: readonly SourceFile[];
  readonly dataModel: DataModelName;
  readonly pointerBytes: 4 | 8;
  readonly functions: readonly Function[];
  readonly variables: readonly ProgramVariable[];
  /** Runs first: the explicit initialisers of statics, in order. Everything else starts as 0. */
  readonly initializer: FunctionId;
  readonly entry: FunctionId;
  /** The register that a reached error sets to 1, if errors do not end the run. */
  readonly errorFlag?: VariableId;
  /** The register with the last value (1 or 0) of the watched condition, if there is one. */
  readonly watched?: VariableId;
  /** The registers that select between versions of a statement, by site; see `c/changes/switchChanges.ts`. */
  readonly choices?: ReadonlyMap<number, VariableId>;
  /** Uninitialised memory holds inputs, drawn when first read. */
  readonly memoryIsInput?: true;
  /** The source language; C unless told. */
  readonly language?: LanguageName;
  /** Constructs that were accepted without being modelled exactly, each noted once. */
  readonly notes: readonly Note[];
};

export type Note = { readonly message: string; readonly range: SourceRange };

export type Function = {
  readonly id: FunctionId;
  readonly name: string;
  /** If several files have a function of this name: the shortest distinct name of its file. */
  readonly file?: string;
  readonly type: FunctionType;
  /** In order. A struct passed by value is a pointer parameter that the callee copies from. */
  readonly parameters: readonly VariableId[];
  readonly locals: readonly VariableId[];
  readonly entry: LocationId;
  /** All `return` and `fail` edges lead here; it has no outgoing edge. */
  readonly exit: LocationId;
  /** Number of locations; ids are `0 .. locations - 1`. */
  readonly locations: number;
  /** `edges[e].id === e`. Every edge but the entry's is reachable from the entry. */
  readonly edges: readonly Edge[];
  /** Statements of the source, outer before inner; absent if there is none. */
  readonly statements?: readonly SourceStatement[];
  readonly range: SourceRange;
};

export type Edge = {
  readonly id: EdgeId;
  readonly from: LocationId;
  readonly to: LocationId;
  readonly operation: Operation;
  /** The expression or statement that this edge comes from. */
  readonly range: SourceRange;
};

export type ProgramVariable = {
  readonly id: VariableId;
  /** As in the source; a flattened struct's part is `s.field`. */
  readonly name: string;
  /** Made by lowering: the name begins with `$` and is not in the source. */
  readonly madeUp?: true;
  /** A counter of created objects: it does not explain other values. */
  readonly numbers?: true;
  /** The struct that this is a part of, if it was flattened. */
  readonly partOf?: string;
  /** One field, or the elements, of all objects: row r is object `first` + r, with `width` cells. null for elements. */
  readonly rows?: { readonly first: number; readonly width: number; readonly member: string | null };
  readonly type: Type;
  /** `static` lives as long as the run, even if declared in a function. */
  readonly kind: "static" | "parameter" | "local" | "temporary";
  /** A register has a scalar type and no address; others are memory objects. */
  readonly storage: "register" | "memory";
  /** null for statics at file level. */
  readonly function: FunctionId | null;
  readonly file?: string;
  /** A string literal's bytes, with the terminating zero. Writing to it is undefined. */
  readonly literal?: Uint8Array;
  /** A static object that is const: only the initialiser may write it. */
  readonly isConst?: true;
  /** A static object shared with the C library: `errno`, or the object of a standard stream. */
  readonly role?: "errno" | "stdin" | "stdout" | "stderr";
  readonly range: SourceRange;
};

/** Ids are dense indices: of functions and variables in the program, of locations and edges in their function. */
declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

export type FunctionId = Id<"function">;
export type VariableId = Id<"variable">;
export type LocationId = Id<"location">;
export type EdgeId = Id<"edge">;

/** A statement of the source. `head` is its one-line view: all of it, or the controlling part (`while (i < n)`). */
export type SourceStatement = {
  readonly kind: "simple" | "declaration" | "return" | "if" | "loop" | "switch" | "jump";
  readonly range: SourceRange;
  readonly head: SourceRange;
};
