import { type ErrorDetails, TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { FunctionId, VariableId } from "../../../ir/ids.ts";
import type { Note, SourceFile, Variable } from "../../../ir/program.ts";
import type { DataModelName, FunctionType, IntType, PointerType, ScalarType, Type } from "../../../ir/type.ts";
import type { TranslationUnit, TypeSpecifier } from "../ast.ts";
import type { BasicTypes } from "../types/basicTypes.ts";
import type { AddressTaken } from "./findAddressTaken.ts";
import { type Emitter, type Graph, newGraph } from "./graph.ts";
import { type FunctionEntity, newScope, type Scope, type StaticOwners } from "./scope.ts";

export type LowerOptions = {
  readonly dataModel: DataModelName;
  /** The function where the run begins; `main` unless told. */
  readonly entry?: string;
  /** What a local scalar without initialiser holds: nothing that may be read, or, as in SV-COMP, an input. */
  readonly uninitialized?: "undefined" | "input";
  /** A reached error sets the variable `err` and the run goes on. */
  readonly errorFlag?: boolean;
  readonly files: readonly SourceFile[];
  /** Bodies for functions that the program calls and does not define. */
  readonly library?: TranslationUnit;
};

/** What the whole translation unit shares. Variables and functions have provisional ids until `compactProgram`. */
export type UnitContext = {
  readonly options: LowerOptions;
  readonly types: BasicTypes;
  readonly fileScope: Scope;
  readonly variables: Variable[];
  readonly functions: FunctionEntity[];
  readonly statics: StaticOwners;
  readonly literals: Map<string, VariableId>;
  readonly notes: Map<string, Note>;
  readonly addressTaken: AddressTaken;
  /** A struct or enum specifier defines its type once, however often it is looked at. */
  readonly specifierTypes: Map<TypeSpecifier, Type>;
  /** Text of each file by lines, split when first asked for. */
  readonly lines: Map<string, readonly string[]>;
  staticCount: number;
  /** The variable that `errorFlag` asks for, once needed. */
  errorVariable: VariableId | null;
  /** The variable that says whether a watched condition held when it was last looked at. */
  watchVariable: VariableId | null;
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

export function addVariable(unit: UnitContext, variable: Omit<Variable, "id">): Variable {
  const added: Variable = { ...variable, id: unit.variables.length as VariableId };
  unit.variables.push(added);
  return added;
}

export function newTemporary(cx: Context, type: ScalarType, range: SourceRange): Variable {
  return addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    type,
    kind: "temporary",
    storage: "register",
    function: cx.owner,
    range,
  });
}

/** A memory object without a name: a struct that an expression produces, a block of variadic arguments. */
export function newMemoryTemporary(cx: Context, type: Type, range: SourceRange): Variable {
  return addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    type,
    kind: "temporary",
    storage: "memory",
    function: cx.owner,
    range,
  });
}

export function pointerType(to: Type): PointerType {
  return { kind: "pointer", to };
}
