import { nth, present } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import { libraryFunction } from "../c/library/table.ts";
import type { Expression, Offset } from "../ir/expression.ts";
import type { Operation } from "../ir/operation.ts";
import { printOperation, sourceOfExpression, sourceOfPlace } from "../ir/printOperation.ts";
import type { Program } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { type IntType, printType } from "../ir/type.ts";
import { describeObject, type ObjectDescription } from "./describeObject.ts";
import { offsetOf } from "./memory/pointer.ts";
import { farIndexOf } from "./memory/pointerArithmetic.ts";
import type { Problem, ProblemContext, ProblemDescription } from "./problem.ts";

/** A problem in a programmer's words, with the run's values and names. */
export function describeProblem(context: ProblemContext, problem: Problem): ProblemDescription {
  const { program, site } = context;
  const expression = site.expression;
  switch (problem.kind) {
    case "signed-overflow": {
      const { left, operator, right } = problem;
      return {
        problem: "signed-overflow",
        message: `${left} ${operator} ${right < 0 ? `(${right})` : right} overflows ${typeName(expression)}`,
      };
    }
    case "negation-overflow":
      return { problem: "signed-overflow", message: describeNegation(context, problem.operand) };
    case "division-by-zero": {
      const what = problem.operator === "%" ? "remainder of a division by zero" : "division by zero";
      return { problem: "division-by-zero", message: `${what}: ${problem.left} ${problem.operator} 0` };
    }
    case "bad-shift":
      return { problem: "bad-shift", message: describeShift(problem, expression) };
    case "float-conversion":
      return {
        problem: "float-conversion",
        message: `${problem.value} does not fit ${expression === null ? "the result" : printType(expression.type)}`,
      };
    case "bad-access":
    case "uninitialised-memory":
    case "invalid-bool":
    case "misaligned":
      return describeAccess(context, problem);
    case "uninitialised-register":
      return describeIndeterminate(context, problem.variable);
    case "pointer-arithmetic":
      return {
        problem: "pointer-arithmetic",
        message: `${show(context, expression)} moves a pointer ${distance(context, problem.delta)}, outside of ${name(describe(context, problem.pointer))}`,
        ...exceeded(context.program, describe(context, problem.pointer)?.variable ?? null),
      };
    case "bad-index":
      return {
        problem: "index-out-of-bounds",
        message: describeIndex(context, problem.index),
        ...exceeded(context.program, indexedVariable(context)),
      };
    case "pointer-comparison":
      return {
        problem: "pointer-comparison",
        message: `${show(context, expression)} compares pointers to different objects: ${both(context, problem)}`,
      };
    case "pointer-difference":
      return {
        problem: "pointer-comparison",
        message:
          describe(context, problem.left)?.id === describe(context, problem.right)?.id
            ? `${show(context, expression)} is not a whole number of elements: ${problem.left - problem.right} bytes`
            : `${show(context, expression)} subtracts pointers to different objects: ${both(context, problem)}`,
      };
    case "bad-free":
      return describeBadFree(context, problem);
    case "bad-call":
      return describeBadCall(context, problem.pointer);
    case "overlapping-copy":
      return {
        problem: "overlapping-copy",
        message: `${problem.size} bytes are copied between places that overlap in ${name(describe(context, problem.to))}`,
      };
    case "array-length":
      return {
        problem: "array-length",
        message: `the array ${nth(program.variables, problem.variable).name} is declared with length ${problem.length}`,
      };
    case "library":
      return { problem: problem.what, message: problem.message };
    default:
      return assertNever(problem, "problem");
  }
}

function describeIndex({ program, site, memory }: ProblemContext, index: number): string {
  const offset = site.expression as Offset;
  const array = sourceOfPlace(program, offset.pointer);
  return `index ${farIndexOf(memory, index) ?? index} is outside of ${array}[${offset.bound?.length}]`;
}

/** The array of arrays whose inner index is wrong; null for a part of a struct. */
function indexedVariable({ site }: ProblemContext): number | null {
  let { pointer } = site.expression as Offset;
  while (pointer.kind === "offset") ({ pointer } = pointer);
  return pointer.kind === "addressOf" && pointer.object.kind === "variable" ? pointer.object.variable : null;
}

/** Variables of the source have a declaration to show. */
function exceeded(program: Program, variable: number | null): Pick<ProblemDescription, "exceeded"> {
  if (variable === null) return {};
  const { id, madeUp, literal } = nth(program.variables, variable);
  return madeUp === true || literal !== undefined ? {} : { exceeded: id };
}

function distance({ memory }: ProblemContext, delta: number): string {
  const far = farIndexOf(memory, delta);
  return far === null ? `${delta} bytes` : `by ${far} elements`;
}

function describe(context: ProblemContext, pointer: number): ObjectDescription | null {
  return describeObject(context.program, context.sites, context.memory, pointer);
}

function name(object: ObjectDescription | null): string {
  return object === null ? "no object" : object.name;
}

function both(context: ProblemContext, problem: { left: number; right: number }): string {
  return `${pointee(context, problem.left)} and ${pointee(context, problem.right)}`;
}

function pointee(context: ProblemContext, pointer: number): string {
  return pointer === 0 ? "NULL" : name(describe(context, pointer));
}

function typeName(expression: Expression | null): string {
  return expression === null ? "its type" : printType(expression.type);
}

function show(context: ProblemContext, expression: Expression | null): string {
  if (expression === null) return "the operation";
  return sourceOfExpression(context.program, expression);
}

/** Also the overflow of `abs` and its relatives. */
function describeNegation({ edge, site }: ProblemContext, operand: ScalarValue): string {
  return edge.operation.kind === "callLibrary" && site.expression === null
    ? `the result of ${edge.operation.name}(${operand}) overflows`
    : `-(${operand}) overflows ${typeName(site.expression)}`;
}

function describeShift(problem: Problem & { kind: "bad-shift" }, expression: Expression | null): string {
  const { operator, left, right } = problem;
  const text = `${left} ${operator} ${right}`;
  const type = expression?.type as IntType | undefined;
  if (right < 0) return `${text}: the shift count ${right} is negative`;
  if (type === undefined || right >= type.bits)
    return `${text}: the shift count is not less than the width of ${typeName(expression)}`;
  if (left < 0) return `${text}: left shift of a negative value`;
  return `${text} overflows ${typeName(expression)}`;
}

/** A temporary without a value is the result of a call that returned none. */
function describeIndeterminate(context: ProblemContext, id: number): ProblemDescription {
  const { program, site } = context;
  const variable = nth(program.variables, id);
  const own = context.edge.operation;
  if (variable.kind === "temporary" || (own.kind === "call" && own.target === id)) {
    const fn = nth(program.functions, site.function);
    const call = fn.edges.find(({ operation }) => operation.kind === "call" && operation.target === id);
    if (call !== undefined && call.operation.kind === "call") {
      const { callee } = call.operation;
      const callName =
        callee.kind === "direct"
          ? nth(program.functions, callee.function).name
          : printOperation(program, { ...call.operation, target: null });
      return {
        problem: "missing-return-value",
        message: `the result of ${callName} is used, but it returned without a value`,
      };
    }
  }
  return { problem: "uninitialised-read", message: `${variable.name} is read before it has a value` };
}

function describeBadFree(context: ProblemContext, problem: Problem & { kind: "bad-free" }): ProblemDescription {
  const object = describe(context, problem.pointer);
  const call = problem.name;
  if (object === null) {
    return { problem: "invalid-free", message: `${call} of ${problem.pointer}, which no allocation returned` };
  }
  if (object.kind !== "heap") {
    return { problem: "invalid-free", message: `${call} of ${object.name}, which was not allocated by malloc` };
  }
  if (!object.live) return { problem: "double-free", message: `${call} of ${object.name}, which was freed before` };
  return {
    problem: "invalid-free",
    message: `${call} of a pointer ${offsetOf(problem.pointer)} bytes into ${object.name}`,
  };
}

function describeBadCall(context: ProblemContext, pointer: number): ProblemDescription {
  const object = describe(context, pointer);
  const callee = show(context, context.site.expression);
  if (pointer === 0) return { problem: "bad-call", message: `call through the null pointer ${callee}` };
  if (object?.kind !== "function" || offsetOf(pointer) !== 0) {
    return { problem: "bad-call", message: `call through ${callee}, which points to ${name(object)}` };
  }
  const fn = nth(context.program.functions, present(object.function));
  return {
    problem: "bad-call",
    message: `call through ${callee} with types that differ from those of ${printType(fn.type, fn.name)}`,
  };
}

type AccessProblem = Problem & { kind: "bad-access" | "uninitialised-memory" | "invalid-bool" | "misaligned" };

/** An invalid read or write: `index 10 is outside of a[10]`, `p is null`, … */
export function describeAccess(context: ProblemContext, problem: AccessProblem): ProblemDescription {
  const { program, sites, memory, edge } = context;
  const place = accessedPlace(context);
  const object = describeObject(program, sites, memory, problem.pointer);
  if (problem.kind === "invalid-bool") {
    return {
      problem: "invalid-value",
      message: `${place ?? "a _Bool"} holds ${problem.value}, which is not a value of _Bool`,
    };
  }
  if (problem.kind === "misaligned") {
    const where = `byte ${offsetOf(problem.pointer)} of ${object?.name ?? "an object"}`;
    return {
      problem: "misaligned-access",
      message: `${place ?? "a value"} is at ${where}, and its type needs a multiple of ${problem.alignment}`,
    };
  }
  if (problem.kind === "uninitialised-memory") {
    const detail = object === null ? "" : describePart(object, offsetOf(problem.pointer), place);
    return {
      problem: "uninitialised-read",
      message: place === null ? `${detail} is read before it has a value` : `${place} is read before it has a value`,
    };
  }
  const reads = problem.access === "read";
  const access =
    place === null
      ? `${caller(context)} ${reads ? "reads" : "writes"} memory`
      : `${place} is ${reads ? "read" : "written"}`;
  // The library counts bytes; only an index in the source can be far away.
  const far = place === null ? null : farIndexOf(memory, problem.delta);
  if (object === null) {
    const address = problem.pointer + problem.delta;
    if (problem.pointer === 0) {
      const isArgument = place === null && edge.operation.kind === "callLibrary" && !takesList(edge.operation.name);
      const message = isArgument
        ? `${caller(context)} is called with a null pointer`
        : `${access} through a null pointer`;
      return { problem: "null-dereference", message };
    }
    const where = far === null ? `the address ${address}` : `index ${far} of the address ${problem.pointer}`;
    return { problem: "invalid-pointer", message: `${access} at ${where}, where no object is` };
  }
  if (object.kind === "function") {
    return { problem: "invalid-pointer", message: `${access} at the address of ${object.name}` };
  }
  if (!object.live) {
    if (object.kind === "heap") {
      return { problem: "use-after-free", message: `${access}, but ${object.name} was freed` };
    }
    return { problem: "use-after-scope", message: `${access}, but the lifetime of ${object.name} has ended` };
  }
  const offset = offsetOf(problem.pointer) + problem.delta;
  const inside = offset >= 0 && offset + problem.size <= object.size;
  if (object.kind === "literal" && problem.access === "write" && inside) {
    return { problem: "write-to-literal", message: `${access}, but string literals are constant` };
  }
  if (problem.access === "write" && inside) {
    return { problem: "write-to-literal", message: `${access}, but ${object.name} is const` };
  }
  return {
    problem: problem.access === "read" ? "out-of-bounds-read" : "out-of-bounds-write",
    message:
      far === null
        ? describeOutside(object, offset, problem.size, place, place ?? caller(context))
        : `index ${far} is outside of ${boundOf(object)}`,
    ...exceeded(program, object.variable),
  };
}

/** True if pointers may come from a `va_list` rather than from the call's own arguments. */
function takesList(name: string): boolean {
  return libraryFunction(name).parameters.some(({ type }) => type === "__builtin_va_list");
}

/** `a[10]`, `"text"`, `the memory from malloc at f.c:3:8 (40 bytes)`. */
function boundOf({ kind, name, array, size }: ObjectDescription): string {
  if (array === null) return `${name} (${size} bytes)`;
  return kind === "literal" ? name : `${name}${array.dimensions.map((length) => `[${length}]`).join("")}`;
}

/** `place` is null inside library functions; `what` then names the function. */
function describeOutside(
  object: ObjectDescription,
  offset: number,
  size: number,
  place: string | null,
  what: string,
): string {
  const { array, name } = object;
  if (array !== null && array.dimensions.length > 1 && place !== null) {
    return `${place} is outside of ${boundOf(object)}`;
  }
  if (array !== null) {
    // An access that begins inside fails at the first element after the end.
    const first = offset < 0 ? offset : Math.max(offset, object.size);
    const index = Math.floor(first / array.elementSize);
    const bound = object.kind === "literal" ? name : `${name}[${array.length}]`;
    return `${place === null ? `${what}: ` : ""}index ${index} is outside of ${bound}`;
  }
  const bytes = size === 1 ? `byte ${offset} is` : `bytes ${offset} to ${offset + size - 1} are`;
  return `${what}: ${bytes} outside of ${name} (${object.size} bytes)`;
}

function describePart(object: ObjectDescription, offset: number, place: string | null): string {
  if (place !== null) return place;
  if (object.array !== null) return `${object.name}[${Math.floor(offset / object.array.elementSize)}]`;
  return offset === 0 ? object.name : `byte ${offset} of ${object.name}`;
}

/** The place that the source accesses; null inside library functions. */
function accessedPlace(context: ProblemContext): string | null {
  const { program, site, edge } = context;
  const address = site.expression?.kind === "load" ? site.expression.address : writtenAddress(edge.operation);
  return address === null ? null : sourceOfPlace(program, address);
}

function writtenAddress(operation: Operation): Expression | null {
  if (operation.kind === "store") return operation.address;
  return operation.kind === "copy" ? operation.to : null;
}

function caller(context: { edge: { operation: Operation }; program: Program }): string {
  const { operation } = context.edge;
  return operation.kind === "callLibrary" ? operation.name : "the operation";
}
