import { type ErrorDetails, TracefoldError } from "../../base/errors.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { type Emitter, emitRefusal, type Graph, newGraph, newLocation } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { FunctionId, Note, ProgramVariable, VariableId } from "../../ir/program.ts";
import type { BitField, DataModelName, FunctionType, IntType, ScalarType, StructType, Type } from "../../ir/type.ts";
import type { TypeSpecifier } from "../ast.ts";
import { type Externals, type FunctionEntity, newScope, type Scope, type StaticOwners } from "../declare/scope.ts";
import type { BasicTypes } from "../types/cType.ts";
import type { AddressTaken } from "./findAddressTaken.ts";

export type LowerOptions = {
  readonly dataModel: DataModelName;
  /** The function where the run begins; `main` unless told. */
  readonly entry?: string;
  /** What memory that nothing was written to holds: nothing that may be read, or, as in SV-COMP, inputs. */
  readonly uninitialized?: "undefined" | "input";
  /** A reached error sets the variable `err` and the run goes on. */
  readonly errorFlag?: boolean;
  /** What stands for a function or variable that no file defines: nothing may use it, or inputs. */
  readonly undefined?: "error" | "input";
  /** What is not supported is an error where it can be reached, which is the default, or only of a run that comes there. */
  readonly unsupported?: "refused" | "whenReached";
  /** Is an index outside of an array that is a part of something larger undefined? Unless told, yes. */
  readonly subobjectBounds?: boolean;
  /** Functions without parameters that are part of the program although nothing calls them. */
  readonly keeps?: (name: string) => boolean;
  readonly files: readonly SourceFile[];
};

/** What the files of a program share. Variables and functions have provisional ids until `compactProgram`. */
export type ProgramContext = {
  readonly options: LowerOptions;
  readonly types: BasicTypes;
  readonly units: UnitContext[];
  readonly externals: Externals;
  readonly variables: ProgramVariable[];
  readonly functions: FunctionEntity[];
  readonly statics: StaticOwners;
  readonly literals: Map<string, VariableId>;
  readonly notes: Map<string, Note>;
  /** A struct or enum specifier defines its type once, however often it is looked at. */
  readonly specifierTypes: Map<TypeSpecifier, Type>;
  readonly made: {
    statics: number;
    /** The variable that `errorFlag` asks for, once needed. */
    errorVariable: VariableId | null;
    /** The variable that says whether a watched condition held when it was last looked at. */
    watchVariable: VariableId | null;
    statedVariable: VariableId | null;
  };
};

/** One translation unit: a file with what it includes. Names and types of other files are unknown here. */
export type UnitContext = ProgramContext & {
  /** Its position among the units. */
  readonly file: number;
  readonly path: string;
  readonly fileScope: Scope;
  readonly addressTaken: AddressTaken;
  readonly rules: UnitRules;
};

/** How one file is to be read, beyond its text. */
export type UnitRules = {
  /** Ours, not the program's: it defines what nobody else does. */
  readonly library?: boolean;
  /** GNU's `inline` of before C99: with `extern` a body on offer, without it a definition. */
  readonly gnuInline?: boolean;
  /** `int x;` in several files is one variable (`-fcommon`). */
  readonly common?: boolean;
};

export type SwitchContext = {
  readonly selectorType: IntType;
  readonly cases: { readonly low: bigint; readonly high: bigint; readonly to: number; readonly range: SourceRange }[];
  default: { readonly to: number; readonly range: SourceRange } | null;
};

/** One function being lowered, or the initialiser of one static variable. */
export type Context = Emitter & {
  readonly unit: UnitContext;
  readonly graph: Graph;
  here: number;
  scope: Scope;
  readonly owner: FunctionId | null;
  readonly name: string;
  readonly type: FunctionType | null;
  readonly exit: number;
  /** Where a struct result goes. */
  resultPointer: VariableId | null;
  /** Where a variadic function finds its unnamed arguments. */
  argumentBlock: VariableId | null;
  breakTo: number | null;
  continueTo: number | null;
  switch: SwitchContext | null;
  readonly labels: Map<string, { readonly location: number; defined: boolean; readonly range: SourceRange }>;
  temporaries: number;
  /** Nothing that is emitted will be kept: only the type or the constant value of an expression is wanted. */
  readonly scratch: boolean;
};

export function newContext(
  unit: UnitContext,
  owner: FunctionId | null,
  name: string,
  type: FunctionType | null,
  scope: Scope,
): Context {
  const graph = newGraph();
  graph.locations = 2;
  return {
    unit,
    graph,
    here: 0,
    exit: 1,
    scope: newScope(scope),
    owner,
    name,
    type,
    resultPointer: null,
    argumentBlock: null,
    breakTo: null,
    continueTo: null,
    switch: null,
    labels: new Map(),
    temporaries: 0,
    scratch: false,
  };
}

/** A context in the same scope whose graph is thrown away: for `sizeof`, `typeof` and constant expressions. */
export function scratchOf(cx: Context): Context {
  const graph = newGraph();
  graph.locations = 2;
  return { ...cx, graph, here: 0, exit: 1, labels: new Map(), scratch: true };
}

export function inputError(code: ErrorDetails["code"], message: string, range: SourceRange, help?: string): never {
  throw new TracefoldError({ code, message, range, help });
}

export function unsupported(code: ErrorDetails["code"], message: string, range: SourceRange, help?: string): never {
  throw new TracefoldError({ code, message, range, help });
}

/** Says something once. */
export function note(cx: Context, message: string, range: SourceRange): void {
  if (!cx.scratch && !cx.unit.notes.has(message)) cx.unit.notes.set(message, { message, range });
}

export function addVariable(unit: UnitContext, variable: Omit<ProgramVariable, "id">): ProgramVariable {
  const added: ProgramVariable = { ...variable, id: unit.variables.length as VariableId };
  unit.variables.push(added);
  return added;
}

export function newTemporary(cx: Context, type: ScalarType, range: SourceRange): ProgramVariable {
  return addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    type,
    madeUp: true,
    kind: "temporary",
    storage: "register",
    function: cx.owner,
    range,
  });
}

/** An `int` of the whole program that no source declares. */
export function newProgramRegister(unit: UnitContext, name: string, range: SourceRange): ProgramVariable {
  const shape = { madeUp: true, kind: "static", storage: "register", function: null } as const;
  return addVariable(unit, { name, type: unit.types.int, ...shape, range });
}

/** A memory object without a name: a struct that an expression produces, a block of variadic arguments. */
export function newMemoryTemporary(cx: Context, type: Type, range: SourceRange): ProgramVariable {
  return addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    type,
    madeUp: true,
    kind: "temporary",
    storage: "memory",
    function: cx.owner,
    range,
  });
}

/** Something that can be read and, mostly, assigned: C's lvalue, or a struct that an expression produced. */
export type Place = RegisterPlace | MemoryPlace | FlatPlace;

export type RegisterPlace = { readonly kind: "register"; readonly type: ScalarType; readonly variable: VariableId };

export type MemoryPlace = {
  readonly kind: "memory";
  readonly type: Type;
  readonly address: Expression;
  readonly bitField?: BitField;
};

/** A struct whose parts are registers. Its parts, in the order of the fields, are registers or flat structs again. */
export type FlatPlace = { readonly kind: "flat"; readonly type: StructType; readonly parts: readonly Place[] };

/** What an expression has as its value. Arrays and functions have already turned into pointers. */
export type LoweredValue =
  | { readonly kind: "scalar"; readonly expression: Expression }
  | { readonly kind: "struct"; readonly type: StructType; readonly place: MemoryPlace | FlatPlace }
  | { readonly kind: "void" };

export const voidValue: LoweredValue = { kind: "void" };

export function scalar(expression: Expression): LoweredValue {
  return { kind: "scalar", expression };
}

/**
 * Something unsupported is an error only if its place can be reached, which is known when the function is complete; or, where
 * that is asked for, only of a run that comes there.
 */
export function refuse(cx: Context, error: unknown, range: SourceRange): void {
  if (!(error instanceof TracefoldError) || error.kind !== "unsupported" || cx.scratch) throw error;
  if (cx.unit.options.unsupported === "whenReached") return emitRefusal(cx, error, range);
  cx.graph.edges.push({ from: cx.here, to: cx.exit, operation: { kind: "skip" }, range, refused: error });
  cx.here = newLocation(cx);
}
