import type { SourceRange } from "../../src/base/sourceRange.ts";
import { checkProgram } from "../../src/ir/checkProgram.ts";
import type { BinaryOperator, ComparisonOperator, Expression } from "../../src/ir/expression.ts";
import type { Operation } from "../../src/ir/operation.ts";
import type {
  Edge,
  EdgeId,
  Function,
  FunctionId,
  LocationId,
  Program,
  ProgramVariable,
  VariableId,
} from "../../src/ir/program.ts";
import {
  type ArrayType,
  type DataModelName,
  type IntType,
  isScalar,
  type PointerType,
  type ScalarType,
  type Type,
} from "../../src/ir/type.ts";

/** Programs by hand, for tests below the front end. Lines in ranges count the edges. */

export const intType = (bits: IntType["bits"], signed: boolean): IntType => ({
  kind: "int",
  bits,
  signed,
  name: `${signed ? "" : "unsigned "}${bits === 32 ? "int" : bits === 8 ? "char" : bits === 16 ? "short" : bits === 64 ? "long" : "__int128"}`,
});
export const int = intType(32, true);
export const unsigned = intType(32, false);
export const long = intType(64, true);
export const unsignedLong = intType(64, false);
export const char = intType(8, true);
export const unsignedChar = intType(8, false);
export const double = { kind: "float", bits: 64 } as const;
export const float = { kind: "float", bits: 32 } as const;
export const bool = { kind: "bool" } as const;
export const voidType = { kind: "void" } as const;
export const pointerTo = (to: Type): PointerType => ({ kind: "pointer", to });
export const arrayOf = (element: Type, length: number): ArrayType => ({ kind: "array", element, length });

export const constant = (value: bigint | number, type: ScalarType = int): Expression =>
  type.kind === "float"
    ? { kind: "constant", type, value: Number(value) }
    : { kind: "constant", type, value: BigInt(value) };
export const read = (variable: ProgramVariable): Expression => ({
  kind: "variable",
  type: variable.type as ScalarType,
  variable: variable.id,
});
export const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: "binary",
  operator,
  type: left.type,
  left,
  right,
});
export const compare = (operator: ComparisonOperator, left: Expression, right: Expression): Expression => ({
  kind: "comparison",
  operator,
  type: int,
  left,
  right,
});
export const convert = (type: ScalarType, operand: Expression): Expression => ({
  kind: "convert",
  type,
  operand,
  explicit: true,
});
export const addressOf = (variable: ProgramVariable): Expression => ({
  kind: "addressOf",
  type: pointerTo(variable.type),
  object: { kind: "variable", variable: variable.id },
});
export const addressOfFunction = (fn: { readonly id: FunctionId; readonly type: Function["type"] }): Expression => ({
  kind: "addressOf",
  type: pointerTo(fn.type),
  object: { kind: "function", function: fn.id },
});
export const offset = (pointer: Expression, index: Expression, scale: number): Expression => ({
  kind: "offset",
  type: pointer.type as PointerType,
  pointer,
  index,
  scale,
  subscript: true,
});
export const load = (type: ScalarType, address: Expression): Expression => ({ kind: "load", type, address });

export type FunctionBuilder = {
  readonly id: FunctionId;
  readonly type: Function["type"];
  readonly parameters: ProgramVariable[];
  local(name: string, type: Type, storage?: "register" | "memory"): ProgramVariable;
  do(operation: Operation): void;
  assign(target: ProgramVariable, value: Expression): void;
  store(address: Expression, value: Expression): void;
  call(target: ProgramVariable | null, name: FunctionBuilder, ...args: Expression[]): void;
  library(target: ProgramVariable | null, name: string, ...args: Expression[]): void;
  input(target: ProgramVariable): void;
  declare(variable: ProgramVariable): void;
  fail(reason: "assertion" | "error-location" | "abort" | "assumption" | "exit", code?: Expression): void;
  return(value?: Expression): void;
  if(condition: Expression, then: () => void, otherwise?: () => void): void;
  while(condition: Expression, body: () => void): void;
};

export type ProgramBuilder = {
  static(name: string, type: Type, storage?: "register" | "memory", literal?: Uint8Array): ProgramVariable;
  /** Declares; `define` gives the body. */
  function(
    name: string,
    parameters: readonly (readonly [string, Type, ("register" | "memory")?])[],
    result: Type,
  ): FunctionBuilder;
  /** `main` is the entry; everything else about the program is filled in. */
  program(): Program;
};

export function buildIr(dataModel: DataModelName = "LP64"): ProgramBuilder {
  const variables: ProgramVariable[] = [];
  const functions: { builder: FunctionBuilder; finish: () => Function }[] = [];
  const addVariable = (variable: Omit<ProgramVariable, "id" | "range">): ProgramVariable => {
    const result = { ...variable, id: variables.length as VariableId, range: range(variables.length + 1) };
    variables.push(result);
    return result;
  };
  const builder: ProgramBuilder = {
    static: (name, type, storage = isScalar(type) ? "register" : "memory", literal) =>
      addVariable({
        name,
        type,
        kind: "static",
        storage,
        function: null,
        ...(literal === undefined ? {} : { literal }),
      }),
    function(name, parameters, result) {
      const id = functions.length as FunctionId;
      const entry = functionBuilder(id, name, parameters, result, addVariable);
      functions.push(entry);
      return entry.builder;
    },
    program() {
      const initializer = builder.function("$initializer", [], voidType);
      initializer.return();
      const finished = functions.map(({ finish }) => finish());
      const program: Program = {
        files: [],
        dataModel,
        pointerBytes: dataModel === "LP64" ? 8 : 4,
        functions: finished,
        variables,
        initializer: initializer.id,
        entry: finished.find((fn) => fn.name === "main")!.id,
        notes: [],
      };
      checkProgram(program);
      return program;
    },
  };
  return builder;
}

function range(line: number): SourceRange {
  return { file: "test.c", line, column: 1, endLine: line, endColumn: 2 };
}

function functionBuilder(
  id: FunctionId,
  name: string,
  parameterList: readonly (readonly [string, Type, ("register" | "memory")?])[],
  result: Type,
  addVariable: (variable: Omit<ProgramVariable, "id" | "range">) => ProgramVariable,
): { builder: FunctionBuilder; finish: () => Function } {
  const edges: Edge[] = [];
  const locals: VariableId[] = [];
  let locations = 2;
  const exit = 1 as LocationId;
  // Null after a return: what follows is unreachable.
  let here: LocationId | null = 0 as LocationId;
  const fresh = () => locations++ as LocationId;
  const edge = (from: LocationId, to: LocationId, operation: Operation) => {
    edges.push({ id: edges.length as EdgeId, from, to, operation, range: range(edges.length + 1) });
  };
  const parameters = parameterList.map(([parameterName, type, storage = "register"]) =>
    addVariable({ name: parameterName, type, kind: "parameter", storage, function: id }),
  );
  const type: Function["type"] = {
    kind: "function",
    result,
    parameters: parameters.map((parameter) => parameter.type),
    variadic: false,
    unprototyped: false,
  };
  const builder: FunctionBuilder = {
    id,
    type,
    parameters,
    local(variableName, variableType, storage = isScalar(variableType) ? "register" : "memory") {
      const kind = variableName.startsWith("$") ? "temporary" : "local";
      const variable = addVariable({ name: variableName, type: variableType, kind, storage, function: id });
      locals.push(variable.id);
      return variable;
    },
    do(operation) {
      if (here === null) return;
      if (operation.kind === "return" || operation.kind === "fail") {
        edge(here, exit, operation);
        here = null;
      } else {
        const to = fresh();
        edge(here, to, operation);
        here = to;
      }
    },
    assign: (target, value) => builder.do({ kind: "assign", target: target.id, value }),
    store: (address, value) => builder.do({ kind: "store", type: value.type, address, value }),
    call: (target, callee, ...args) =>
      builder.do({
        kind: "call",
        callee: { kind: "direct", function: callee.id },
        arguments: args,
        target: target?.id ?? null,
      }),
    library: (target, libraryName, ...args) =>
      builder.do({ kind: "callLibrary", name: libraryName, arguments: args, target: target?.id ?? null }),
    input: (target) =>
      builder.do({
        kind: "input",
        target: target.id,
        type: target.type as ScalarType,
        source: `__VERIFIER_nondet_${target.name}`,
      }),
    declare: (variable) => builder.do({ kind: "declare", variable: variable.id }),
    fail: (reason, code) => builder.do({ kind: "fail", reason, text: "text", code: code ?? null }),
    return: (value) => builder.do({ kind: "return", value: value ?? null }),
    if(condition, then, otherwise = () => {}) {
      if (here === null) return;
      const from: LocationId = here;
      const ends: (LocationId | null)[] = [];
      for (const [negated, body] of [
        [false, then],
        [true, otherwise],
      ] as const) {
        const to = fresh();
        edge(from, to, { kind: "assume", condition, negated, origin: "branch" });
        here = to;
        body();
        ends.push(here);
      }
      const [first, second] = ends as [LocationId | null, LocationId | null];
      if (first === null || second === null) here = first ?? second;
      else {
        // Join by redirecting the edges into one end to the other.
        edges.forEach((candidate, i) => {
          if (candidate.to === second) edges[i] = { ...candidate, to: first };
        });
        here = first;
      }
    },
    while(condition, body) {
      if (here === null) return;
      const header = fresh();
      edge(here, header, { kind: "skip" });
      const inside = fresh();
      const outside = fresh();
      edge(header, inside, { kind: "assume", condition, negated: false, origin: "loop" });
      edge(header, outside, { kind: "assume", condition, negated: true, origin: "loop" });
      here = inside;
      body();
      if (here !== null) {
        const end: LocationId = here;
        edges.forEach((candidate, i) => {
          if (candidate.to === end) edges[i] = { ...candidate, to: header };
        });
        if (end === inside) edge(inside, header, { kind: "skip" });
      }
      here = outside;
    },
  };
  const finish = (): Function => {
    if (here !== null) builder.return();
    return {
      id,
      name,
      type,
      parameters: parameters.map((parameter) => parameter.id),
      locals,
      entry: 0 as LocationId,
      exit,
      locations,
      edges,
      range: range(0),
    };
  };
  return { builder, finish };
}
