import type { SourceFile } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Operation } from "./operation.ts";
import type { DataModelName, FunctionType, Type } from "./type.ts";

/** A transition system per function; the whole program is immutable once `checkProgram` has accepted it. */
export type Program = {
  readonly files: readonly SourceFile[];
  readonly dataModel: DataModelName;
  readonly pointerBytes: 4 | 8;
  readonly functions: readonly Function[];
  readonly variables: readonly ProgramVariable[];
  /** Runs first: the explicit initialisers of variables with static storage, in order. Everything else starts as 0. */
  readonly initializer: FunctionId;
  readonly entry: FunctionId;
  /** Where errors are recorded instead of ending the run: the register that a reached error sets to 1. */
  readonly errorFlag?: VariableId;
  /** Where someone asks about a condition: the register that is 1 or 0 as the condition held when last looked at. */
  readonly watched?: VariableId;
  /** Memory that nothing was written to holds inputs, which are drawn when they are first read. */
  readonly memoryIsInput?: true;
  /** How operators are spelled where the source does not say: `===` in TypeScript. C unless told. */
  readonly language?: "typescript";
  /** What the front end could not model exactly but accepted, each said once. */
  readonly notes: readonly Note[];
};

export type Note = { readonly message: string; readonly range: SourceRange };

export type Function = {
  readonly id: FunctionId;
  readonly name: string;
  /** Where several files have a function of this name: the file whose own it is, in as few words as tell it. */
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
  /** Of the source, outer ones before inner ones; absent where there is none. */
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
  /** Lowering made it: the name, which then begins with `$`, is none of the source. */
  readonly madeUp?: true;
  /** It numbers what a program makes: that one thing was made explains no other. */
  readonly numbers?: true;
  /** The name of the struct that this is a part of, where the struct was flattened. */
  readonly partOf?: string;
  /**
   * A table that keeps one field, or the elements, of all objects: row r belongs to the object with the number `first` + r and has
   * `width` cells. `member` is the field; null for elements.
   */
  readonly rows?: { readonly first: number; readonly width: number; readonly member: string | null };
  readonly type: Type;
  /** `static` lives as long as the run, whether declared in a function or not. */
  readonly kind: "static" | "parameter" | "local" | "temporary";
  /** A register has a scalar type and no address; everything else is a memory object of its own. */
  readonly storage: "register" | "memory";
  /** The function it belongs to; null for statics at file level. */
  readonly function: FunctionId | null;
  /** As `Function.file`, for statics at file level. */
  readonly file?: string;
  /** A string literal's bytes, with the terminating zero. Writing to it is undefined behaviour. */
  readonly literal?: Uint8Array;
  /** A static object that program and C library share: `errno`, or what a standard stream is the address of. */
  readonly role?: "errno" | "stdin" | "stdout" | "stderr";
  readonly range: SourceRange;
};

/** Ids are dense indices: of a function and a variable in the program, of a location and an edge in their function. */
declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

export type FunctionId = Id<"function">;
export type VariableId = Id<"variable">;
export type LocationId = Id<"location">;
export type EdgeId = Id<"edge">;

/** A program in which one function has other edges. */
export function withEdges(program: Program, fn: Function, change: (edge: Edge) => Edge): Program {
  const changed = { ...fn, edges: fn.edges.map(change) };
  return { ...program, functions: program.functions.map((each) => (each === fn ? changed : each)) };
}

/**
 * A statement or declaration as the source has it. `head` is what a reader sees of it in one line: all of a simple
 * statement, of one with a body only what steers it (`while (i < n)`).
 */
export type SourceStatement = {
  readonly kind: "simple" | "declaration" | "return" | "if" | "loop" | "switch" | "jump";
  readonly range: SourceRange;
  readonly head: SourceRange;
};
