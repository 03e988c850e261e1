import { nth, present } from "../../../base/checked.ts";
import { memoised, remembered } from "../../../base/memo.ts";
import { writtenParameter } from "../../../c/library/memoryUse.ts";
import { libraryFunction, parameterIndex } from "../../../c/library/table.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { makePointer, offsetOf } from "../../../interpreter/memory/pointer.ts";
import { type ObservedState, observe } from "../../../interpreter/observe.ts";
import type { Expression } from "../../../ir/expression.ts";
import { type CallLibrary, operationExpressions } from "../../../ir/operation.ts";
import type { Edge } from "../../../ir/program.ts";
import { fuzzEntry } from "../../../ir/reservedNames.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { isScalar, type PointerType, type ScalarType, sizeOf, type Type } from "../../../ir/type.ts";
import type { BlockName } from "../../../symbolic/placeStyle.ts";
import { printCompared, printString } from "./printValue.ts";

export type MemoryAtSteps = {
  /** Names the target of a pointer that the step uses, in the words of a programmer. */
  name(step: number, pointer: number, type: PointerType): string;
  /** The previous value of the place that the step writes; undefined if it had none. */
  before(step: number): ScalarValue | undefined;
  /** The texts that the step compares, as `"hell" against "hello"`; null if it compares none. */
  compared(step: number): string | null;
  /** The text or value that a library call left at the target of its argument; undefined if unknown. */
  after(step: number, pointer: number): string | ScalarValue | undefined;
};

/** A target without a name; it is not shown. */
export const unnamed = "a pointer";

const longestString = 200;
const longestCompared = 10_000;
const character: ScalarType = { kind: "int", bits: 8, signed: false, name: "unsigned char" };

/** Reads the memory of the run before each of the steps, in one replay. */
export function memoryAtSteps(graph: DependenceGraph, steps: readonly number[]): MemoryAtSteps {
  const names = new Map<string, string>();
  const lasting = new Map<number, string>();
  const before = new Map<number, ScalarValue>();
  const wanted = new Set(steps);
  const edges = new Map(steps.map((step) => [graph.edge(step), graph.function(step)]));
  const after = new Map<string, string | ScalarValue>();
  const compared = new Map<number, string>();
  const points = [...edges].flatMap(([edge, fn]) => {
    const point = { function: fn.id, edge: edge.id };
    const isLibrary = edge.operation.kind === "callLibrary";
    return [{ kind: "before", ...point } as const, ...(isLibrary ? [{ kind: "after", ...point } as const] : [])];
  });
  let left = wanted.size;
  const last = Math.max(-1, ...steps);
  observe(graph.trace, points, (state) => {
    const { step } = state;
    if (state.point.kind === "after") {
      if (wanted.has(step - 1)) lookBehind(graph, state, step - 1, after);
      return undefined;
    }
    if (!wanted.has(step)) return step > last + 1 ? "stop" : undefined;
    for (const [pointer, type] of pointersAt(graph, step)) {
      const text = textAt(state, pointer, type);
      const place = placeName(graph, state, pointer, type);
      const name = text ?? place;
      if (name !== null) names.set(`${step}:${pointer}`, name);
      // A text may change, but not where a pointer points to.
      const stays = text !== null && isLiteral(graph, state, pointer) ? text : place;
      if (stays !== null) lasting.set(pointer, stays);
    }
    const texts = comparedAt(graph, state, step);
    if (texts !== null) compared.set(step, texts);
    const old = heldBefore(graph, state, step);
    if (old !== undefined) before.set(step, old);
    // The effect of a final library call is visible only after it.
    return --left === 0 && graph.edge(step).operation.kind !== "callLibrary" ? "stop" : undefined;
  });
  return {
    name(step, pointer, type) {
      if (pointer === 0) return "NULL";
      return names.get(`${step}:${pointer}`) ?? heapName(graph, pointer, type) ?? lasting.get(pointer) ?? unnamed;
    },
    before: (step) => before.get(step),
    compared: (step) => compared.get(step) ?? null,
    after: (step, pointer) => after.get(`${step}:${pointer}`),
  };
}

function lookBehind(
  graph: DependenceGraph,
  state: ObservedState,
  step: number,
  found: Map<string, string | ScalarValue>,
): void {
  for (const { pointer, type } of writtenArguments(graph, step)) {
    const isText = type.kind === "int" && type.bits === 8;
    const value = (isText ? stringAt(state, pointer) : null) ?? state.load(pointer, type);
    if (value !== undefined) found.set(`${step}:${pointer}`, value);
  }
}

function heldBefore(graph: DependenceGraph, state: ObservedState, step: number): ScalarValue | undefined {
  const { operation } = graph.edge(step);
  if (operation.kind === "assign") return state.register(operation.target);
  if (operation.kind !== "store" || operation.bitField !== undefined) return undefined;
  const address = graph.valueOf(step, operation.address);
  return typeof address === "number" ? state.load(address, operation.type) : undefined;
}

/** The pointers that the step's operation uses. */
function pointersAt(graph: DependenceGraph, step: number): Map<number, PointerType> {
  const found = new Map<number, PointerType>();
  const add = (value: unknown, type: Type) => {
    if (type.kind === "pointer" && typeof value === "number" && value !== 0) found.set(value, type);
  };
  const visit = (expression: Expression) => {
    if (expression.type.kind === "pointer") add(graph.valueOf(step, expression), expression.type);
  };
  for (const { expression, value } of graph.reads(step)) if (expression !== null) add(value, expression.type);
  const { operation } = graph.edge(step);
  operationExpressions(operation).forEach(visit);
  if (operation.kind === "assume" && operation.condition.kind === "comparison") {
    visit(operation.condition.left);
    visit(operation.condition.right);
  }
  return found;
}

function textAt(state: ObservedState, pointer: number, { to }: PointerType): string | null {
  return to.kind === "int" && to.bits === 8 ? stringAt(state, pointer) : null;
}

function isLiteral(graph: DependenceGraph, state: ObservedState, pointer: number): boolean {
  const variable = state.object(pointer)?.variable;
  return variable != null && graph.trace.program.variables[variable]?.literal !== undefined;
}

function placeName(graph: DependenceGraph, state: ObservedState, pointer: number, type: PointerType): string | null {
  const { program } = graph.trace;
  const object = state.object(pointer);
  if (object === null) return null;
  switch (object.kind) {
    case "function":
      return nth(program.functions, present(object.function)).name;
    case "static":
    case "local": {
      const variable = nth(program.variables, present(object.variable));
      if (variable.kind === "temporary") return null;
      // `stdin` points to an object without a name in the source.
      if (variable.role !== undefined && variable.role !== "errno") return variable.name.replace(/^\$/, "");
      return addressOf(variable.name, variable.type, object.offset, type.to, program.pointerBytes);
    }
    case "heap":
    case "stack":
      return heapName(graph, pointer, type);
    default:
      return object.name;
  }
}

const comparingFunctions = new Set(["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll"]);

export function comparesTexts({ operation }: Edge): boolean {
  return operation.kind === "callLibrary" && comparingFunctions.has(operation.name);
}

function comparedAt(graph: DependenceGraph, state: ObservedState, step: number): string | null {
  const { operation } = graph.edge(step);
  if (operation.kind !== "callLibrary" || !comparingFunctions.has(operation.name)) return null;
  const [left, right] = operation.arguments.map((argument) => {
    const pointer = graph.valueOf(step, argument);
    return typeof pointer === "number" && pointer !== 0 ? bytesAt(state, pointer, longestCompared) : null;
  });
  return left == null || right == null ? null : printCompared(left, right);
}

function stringAt(state: ObservedState, pointer: number): string | null {
  const bytes = bytesAt(state, pointer, longestString);
  return bytes === null ? null : printString(bytes);
}

/** The bytes of a text up to its zero; null if it has none, is longer, or has bytes that no text has. */
function bytesAt(state: ObservedState, pointer: number, most: number): readonly number[] | null {
  const bytes: number[] = [];
  for (let i = 0; i < most; i++) {
    const byte = state.load(pointer + i, character);
    if (typeof byte !== "number") return null;
    if (byte === 0) return bytes.every(isText) ? bytes : null;
    bytes.push(byte);
  }
  return null;
}

function isText(byte: number): boolean {
  return (byte >= 32 && byte !== 127) || (byte >= 7 && byte <= 13);
}

/** `&a[2]`, `&rx.data[3]`, `a` for the first element of an array. */
function addressOf(name: string, type: Type, offset: number, to: Type, pointerBytes: 4 | 8): string {
  const path = pathTo(type, offset, to, pointerBytes);
  if (path === null) return offset === 0 ? `&${name}` : `&${name} + ${offset} bytes`;
  return type.kind === "array" && path === "[0]" ? name : `&${name}${path}`;
}

/** The access path from an object to its part of a given type at an offset. */
export function pathTo(type: Type, offset: number, to: Type, pointerBytes: 4 | 8): string | null {
  if (offset === 0 && sameShape(type, to)) return "";
  if (type.kind === "array") {
    const size = sizeOf(type.element, pointerBytes);
    if (size === null || size === 0) return null;
    const index = Math.floor(offset / size);
    const rest = pathTo(type.element, offset - index * size, to, pointerBytes);
    return rest === null ? null : `[${index}]${rest}`;
  }
  if (type.kind !== "struct") return offset === 0 ? "" : null;
  const fields = type.layout?.fields ?? [];
  const field = fields.findLast((each) => each.offset <= offset);
  if (field === undefined) return null;
  const rest = pathTo(field.type, offset - field.offset, to, pointerBytes);
  return rest === null ? null : `.${field.name}${rest}`;
}

function sameShape(a: Type, b: Type): boolean {
  // Each file of a program has its own type for one struct.
  if (a.kind === "struct") return a === b || b.kind === "void" || (b.kind === "struct" && a.name === b.name);
  return a.kind === b.kind || b.kind === "void";
}

/**
 * Names a block by its allocation: `the job`; `the 3rd job` if one place allocated several; `the 3rd job of push` if
 * several functions did; `the 3rd job of main:20` if one function did so in several places.
 */
export function heapName(graph: DependenceGraph, pointer: number, type: PointerType): string | null {
  const born = graph.birth(pointer);
  if (born === null || born < graph.first) return null;
  const edge = graph.edge(born);
  const sites = allocationsOf(graph);
  const isData = graph.function(born).name === fuzzEntry;
  const siblings = sites.get(edge);
  if (siblings === undefined && !isData) return null;
  const to = type.to.kind === "void" ? (madeFor(graph, born) ?? type.to) : type.to;
  const made = to.kind === "struct" || type.to.kind === "void" ? null : madeFor(graph, born);
  const field = made?.kind === "struct" ? pathTo(made, offsetOf(pointer), to, graph.trace.program.pointerBytes) : null;
  if (field !== null && field !== "") {
    const owner = heapName(graph, pointer - offsetOf(pointer), { kind: "pointer", to: made! });
    if (owner !== null) return `${field.replace(/^\./, "")} of ${owner}`;
  }
  const noun = to.kind === "struct" ? to.name.replace(/^(struct|union) /, "").replace(/<.*/, "block") : "block";
  const isOnly = siblings === undefined || siblings.length === 1;
  const which = isOnly ? "the" : `the ${ordinal(siblings.indexOf(born) + 1)}`;
  const name = isData ? "the data" : `${which} ${noun}${siteOf(graph, born, sites)}`;
  const offset = offsetOf(pointer);
  if (offset === 0) return name;
  const size = to.kind === "void" ? 1 : sizeOf(to, graph.trace.program.pointerBytes);
  return size !== null && size > 0 && offset % size === 0 ? `${name}[${offset / size}]` : `${name} + ${offset} bytes`;
}

/** The type that the pointer to a new block was assigned as. */
function madeFor(graph: DependenceGraph, born: number): Type | null {
  const { variables } = graph.trace.program;
  const last = Math.min(graph.end - 1, born + soon);
  for (let step = born; step <= last; step++) {
    const { operation } = graph.edge(step);
    const target = "target" in operation ? operation.target : null;
    const type = operation.kind === "store" ? operation.type : target === null ? null : nth(variables, target).type;
    const isIt = graph.value(step) === graph.value(born);
    if (isIt && type?.kind === "pointer" && type.to.kind !== "void") return type.to;
  }
  return null;
}

const soon = 4;

/** The shortest text that distinguishes the allocation site from the others. */
function siteOf(graph: DependenceGraph, born: number, sites: Allocations): string {
  if (sites.size === 1) return "";
  const { name } = graph.function(born);
  const inFunction = [...sites].filter(([, steps]) => graph.function(nth(steps, 0)).name === name);
  if (inFunction.length === 1) return ` of ${name}`;
  return ` of ${name}:${graph.edge(born).range.line}`;
}

type Allocations = ReadonlyMap<Edge, readonly number[]>;

const allocationsOf = memoised((graph: DependenceGraph): Allocations => {
  const found = new Map<Edge, number[]>();
  for (let step = graph.first; step < graph.end; step++) {
    const edge = graph.edge(step);
    const { operation } = edge;
    if (operation.kind !== "callLibrary" || libraryFunction(operation.name).allocates === null) continue;
    if (graph.function(step).name === fuzzEntry) continue;
    remembered(found, edge, () => []).push(step);
  }
  return found;
});

const anyBlock: PointerType = { kind: "pointer", to: { kind: "void" } };

export function blockNames(graph: DependenceGraph): BlockName {
  const names = new Map<number, string | null>();
  return (number) => {
    return remembered(names, number, () => {
      // Blocks that no recorded run has are negative.
      return number < 0 ? null : heapName(graph, makePointer(number, 0), anyBlock);
    });
  };
}

export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${suffix}`;
}

/** An argument of a library call through which it writes. */
export type WrittenArgument = {
  readonly argument: Expression;
  readonly pointer: number;
  /** The type of its target. */
  readonly type: ScalarType;
  /** True if the call writes this target and nothing behind it: `scanf("%d", &n)`. */
  readonly isWhole: boolean;
};

/** The arguments through which a library call writes; those without a known type are left out. */
export function writtenArguments(graph: DependenceGraph, step: number): readonly WrittenArgument[] {
  const { operation } = graph.edge(step);
  if (operation.kind !== "callLibrary") return [];
  return writtenIndices(operation).flatMap((i) => {
    const argument = operation.arguments[i];
    if (argument === undefined) return [];
    const place = plain(argument);
    const pointer = graph.valueOf(step, place);
    const type = place.type.kind === "pointer" ? place.type.to : null;
    if (type === null || !isScalar(type) || typeof pointer !== "number" || pointer === 0) return [];
    const isWhole = i >= libraryFunction(operation.name).parameters.length && !(type.kind === "int" && type.bits === 8);
    return [{ argument, pointer, type, isWhole }];
  });
}

/** Where a library call writes through its arguments, whatever their types. */
export function writtenPointers(graph: DependenceGraph, step: number): readonly number[] {
  const { operation } = graph.edge(step);
  if (operation.kind !== "callLibrary") return [];
  return writtenIndices(operation).flatMap((i) => {
    const argument = operation.arguments[i];
    const pointer = argument === undefined ? 0 : graph.valueOf(step, argument);
    return typeof pointer === "number" && pointer !== 0 ? [pointer] : [];
  });
}

function writtenIndices(operation: CallLibrary): readonly number[] {
  const known = libraryFunction(operation.name);
  const named = known.parameters.length;
  const indices = known.memory.flatMap((use) => {
    const at = writtenParameter(use);
    if (at === null) return [];
    if (at !== "...") return [parameterIndex(known, at)];
    return operation.arguments.slice(named).map((_, i) => named + i);
  });
  return [...new Set(indices)];
}

/** Removes the conversion to the parameter's type. */
function plain(expression: Expression): Expression {
  const isVoid = expression.type.kind === "pointer" && expression.type.to.kind === "void";
  return expression.kind === "convert" && isVoid ? plain(expression.operand) : expression;
}
