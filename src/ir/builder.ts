import { nth } from "../base/checked.ts";
import type { ErrorDetails, TracefoldError } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { type AddressOf, type Constant, type Expression, placedLike, type VariableRead } from "./expression.ts";
import type { Operation } from "./operation.ts";
import type { FunctionId, ProgramVariable, VariableId } from "./program.ts";
import {
  type BoolType,
  type FloatType,
  type IntType,
  type PointerType,
  type ScalarType,
  type Type,
  wrapToInt,
} from "./type.ts";

/**
 * Control flow under construction: jumps are `skip` edges, code after them is unreachable; `finishGraph` removes both.
 */
export type Graph = { locations: number; readonly edges: DraftEdge[] };

export type DraftEdge = {
  from: number;
  readonly to: number;
  readonly operation: Operation;
  readonly range: SourceRange;
  /** An unsupported construct; an error if the edge is reachable. */
  readonly refused?: TracefoldError;
  /** Needs the function of this name, which no file defines; an error if the edge is reachable. */
  readonly missing?: string;
  readonly jump?: JumpMark;
};

/**
 * `landing`: `setjmp` returns at the end of the edge; `number` is the register with its number, `result` that of its
 * result. `leaving`: `longjmp` leaves the function.
 */
export type JumpMark =
  | { readonly kind: "landing"; readonly number: VariableId; readonly result: VariableId }
  | { readonly kind: "leaving" };

/** A graph and the current location, from which the next edge leaves. */
export type Emitter = { readonly graph: Graph; here: number };

export function newGraph(): Graph {
  return { locations: 0, edges: [] };
}

export function newLocation(emitter: Emitter): number {
  return emitter.graph.locations++;
}

/** Adds an edge to a new location and moves there. */
export function emit(emitter: Emitter, operation: Operation, range: SourceRange): void {
  const to = newLocation(emitter);
  emitter.graph.edges.push({ from: emitter.here, to, operation, range });
  emitter.here = to;
}

export function emitMissing(emitter: Emitter, name: string, range: SourceRange): void {
  const to = newLocation(emitter);
  emitter.graph.edges.push({ from: emitter.here, to, operation: { kind: "skip" }, range, missing: name });
  emitter.here = to;
}

/** A run that reaches this ends with the error. */
export function emitRefusal(
  emitter: Emitter & { readonly exit: number },
  error: ErrorDetails,
  range: SourceRange,
): void {
  const { code, message, help } = error;
  emitTo(
    emitter,
    emitter.exit,
    { kind: "fail", reason: "unsupported", text: message, refusal: { code, help }, code: null },
    range,
  );
}

/** Adds an edge to `to`; code emitted next is unreachable unless something else leads there. */
export function emitTo(emitter: Emitter, to: number, operation: Operation, range: SourceRange): void {
  emitter.graph.edges.push({ from: emitter.here, to, operation, range });
  emitter.here = newLocation(emitter);
}

export function jump(emitter: Emitter, to: number, range: SourceRange): void {
  emitTo(emitter, to, { kind: "skip" }, range);
}

/** Falls through to `to` and continues there. */
export function fallInto(emitter: Emitter, to: number, range: SourceRange): void {
  jump(emitter, to, range);
  emitter.here = to;
}

/** A point before which an operand may still have to be saved. */
export type Mark = { readonly location: number; readonly edges: number };

export function mark(emitter: Emitter): Mark {
  return { location: emitter.here, edges: emitter.graph.edges.length };
}

/** Inserts an operation before everything emitted since the mark. */
export function insertAt(emitter: Emitter, at: Mark, operation: Operation, range: SourceRange): void {
  const edges = emitter.graph.edges;
  const to = newLocation(emitter);
  for (let i = at.edges; i < edges.length; i++) {
    const edge = nth(edges, i);
    if (edge.from === at.location) edge.from = to;
  }
  edges.push({ from: at.location, to, operation, range });
  if (emitter.here === at.location) emitter.here = to;
}

export function constant(type: IntType | BoolType | PointerType, value: bigint): Constant {
  return { kind: "constant", type, value };
}

export function floatConstant(type: FloatType, value: number): Constant {
  return { kind: "constant", type, value };
}

export function zero(type: ScalarType): Constant {
  return type.kind === "float" ? floatConstant(type, 0) : constant(type, 0n);
}

export function read(variable: ProgramVariable): VariableRead {
  return { kind: "variable", type: variable.type as ScalarType, variable: variable.id };
}

export function addressOfVariable(variable: ProgramVariable): AddressOf {
  return {
    kind: "addressOf",
    type: { kind: "pointer", to: variable.type },
    object: { kind: "variable", variable: variable.id },
  };
}

export function addressOfFunction(id: FunctionId, type: Type): AddressOf {
  return { kind: "addressOf", type: { kind: "pointer", to: type }, object: { kind: "function", function: id } };
}

/** The same value at another type of the same representation. */
export function retype(expression: Expression, type: ScalarType): Expression {
  return expression.type === type ? expression : placedLike({ ...expression, type } as Expression, expression);
}

/** A constant `-5` instead of the negation of 5. */
export function negate(expression: Expression): Expression {
  if (expression.kind === "constant" && expression.type.kind === "int") {
    const value = -(expression.value as bigint);
    if (wrapToInt(value, expression.type) === value) return constant(expression.type, value);
  }
  if (expression.kind === "constant" && expression.type.kind === "float") {
    return floatConstant(expression.type, -(expression.value as number));
  }
  return { kind: "unary", operator: "negate", type: expression.type, operand: expression };
}

export function isZeroConstant(expression: Expression): boolean {
  return expression.kind === "constant" && expression.type.kind !== "float" && expression.value === 0n;
}

/** An integer constant 0, or one cast to `void *`. */
export function isNullPointerConstant(expression: Expression): boolean {
  if (!isZeroConstant(expression)) return false;
  return expression.type.kind !== "pointer" || expression.type.to.kind === "void";
}
