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
  /** The function where the run begins; default `main`. */
  readonly entry?: string;
  /** Uninitialised memory: undefined to read, or inputs as in SV-COMP. */
  readonly uninitialized?: "undefined" | "input";
  /** A reached error sets the variable `err` and the run continues. */
  readonly errorFlag?: boolean;
  /** Functions and variables that no file defines: an error, or inputs. */
  readonly undefined?: "error" | "input";
  /** Unsupported constructs are refused if reachable (default), or only when a run reaches them. */
  readonly unsupported?: "refused" | "whenReached";
  /** Is an index outside of an array that is part of a larger object undefined? Default true. */
  readonly subobjectBounds?: boolean;
  /** Functions without parameters to keep although nothing calls them. */
  readonly keeps?: (name: string) => boolean;
  /** With choices: gets the alternatives that do not compile. */
  readonly onInvalidAlternative?: (site: number, alternative: number) => void;
  readonly files: readonly SourceFile[];
};

/** State shared by the files of a program. Variables and functions have provisional ids until `compactProgram`. */
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
  /** A struct or enum specifier defines its type once, however often it is resolved. */
  readonly specifierTypes: Map<TypeSpecifier, Type>;
  readonly made: {
    statics: number;
    /** The variable of `errorFlag`, once needed. */
    errorVariable: VariableId | null;
    /** The result of the last evaluation of a watched condition. */
    watchVariable: VariableId | null;
    statedVariable: VariableId | null;
    /** The registers of `setjmp` and `longjmp`: how often `setjmp` ran, where a jump goes, and its value. */
    jumps: { readonly count: VariableId; readonly target: VariableId; readonly value: VariableId } | null;
    /** True while an alternative of a choice is lowered. */
    isAlternative: boolean;
    /** The registers that select alternatives, by site. */
    readonly choiceVariables: Map<number, VariableId>;
  };
};

/** One translation unit. Names and types of other files are unknown here. */
export type UnitContext = ProgramContext & {
  readonly file: number;
  readonly path: string;
  readonly fileScope: Scope;
  readonly addressTaken: AddressTaken;
  readonly rules: UnitRules;
};

/** Settings for reading one file. */
export type UnitRules = {
  /** A file of Tracefold's library: it defines only what no other file defines. */
  readonly library?: boolean;
  /** GNU `inline` before C99: with `extern` an inline-only body, without it a definition. */
  readonly gnuInline?: boolean;
  /** `int x;` in several files is one variable (`-fcommon`). */
  readonly common?: boolean;
};

export type SwitchContext = {
  readonly selectorType: IntType;
  readonly cases: { readonly low: bigint; readonly high: bigint; readonly to: number; readonly range: SourceRange }[];
  default: { readonly to: number; readonly range: SourceRange } | null;
};

/** The state of lowering one function, or the initialiser of one static variable. */
export type Context = Emitter & {
  readonly unit: UnitContext;
  readonly graph: Graph;
  here: number;
  scope: Scope;
  readonly owner: FunctionId | null;
  readonly name: string;
  readonly type: FunctionType | null;
  readonly exit: number;
  /** Destination of a struct result. */
  resultPointer: VariableId | null;
  /** Address of the unnamed arguments of a variadic function. */
  argumentBlock: VariableId | null;
  breakTo: number | null;
  continueTo: number | null;
  switch: SwitchContext | null;
  readonly labels: Map<string, { readonly location: number; defined: boolean; readonly range: SourceRange }>;
  temporaries: number;
  /** Emitted code is discarded: only the type or constant value of an expression is needed. */
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

/** A context in the same scope whose graph is discarded: for `sizeof`, `typeof` and constant expressions. */
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

/** Adds a note once. */
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

/** An unnamed memory object: a struct result, or a block of variadic arguments. */
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

/** C's lvalue, or a struct that an expression produced. */
export type Place = RegisterPlace | MemoryPlace | FlatPlace;

export type RegisterPlace = { readonly kind: "register"; readonly type: ScalarType; readonly variable: VariableId };

export type MemoryPlace = {
  readonly kind: "memory";
  readonly type: Type;
  readonly address: Expression;
  readonly bitField?: BitField;
};

/** A struct held in registers; its parts, in field order, are registers or flat structs. */
export type FlatPlace = { readonly kind: "flat"; readonly type: StructType; readonly parts: readonly Place[] };

/** The value of an expression. Arrays and functions have already decayed to pointers. */
export type LoweredValue =
  | { readonly kind: "scalar"; readonly expression: Expression }
  | { readonly kind: "struct"; readonly type: StructType; readonly place: MemoryPlace | FlatPlace }
  | { readonly kind: "void" };

export const voidValue: LoweredValue = { kind: "void" };

export function scalar(expression: Expression): LoweredValue {
  return { kind: "scalar", expression };
}

/** Refuses an unsupported construct if it is reachable; with `whenReached`, only in a run that reaches it. */
export function refuse(cx: Context, error: unknown, range: SourceRange): void {
  if (!(error instanceof TracefoldError) || error.kind !== "unsupported" || cx.scratch) throw error;
  if (cx.unit.options.unsupported === "whenReached") return emitRefusal(cx, error, range);
  cx.graph.edges.push({ from: cx.here, to: cx.exit, operation: { kind: "skip" }, range, refused: error });
  cx.here = newLocation(cx);
}
