import { assertNever } from "../base/errors.ts";
import type { Expression, Offset } from "../ir/expression.ts";
import { printOperation, sourceOfExpression, sourceOfPlace } from "../ir/printOperation.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { type IntType, printType } from "../ir/type.ts";
import { describeAccess } from "./describeAccess.ts";
import { describeObject, type ObjectDescription } from "./describeObject.ts";
import { offsetOf } from "./memory/pointer.ts";
import { farIndexOf } from "./memory/pointerArithmetic.ts";
import type { Problem } from "./problem.ts";
import type { ProblemContext, ProblemDescription } from "./problemContext.ts";

/** A problem in a programmer's words, with the values and names of the run. */
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
      return describeAccess(context, problem);
    case "uninitialised-register":
      return describeIndeterminate(context, problem.variable);
    case "pointer-arithmetic":
      return {
        problem: "pointer-arithmetic",
        message: `${show(context, expression)} moves a pointer ${distance(context, problem.delta)}, outside of ${name(describe(context, problem.pointer))}`,
      };
    case "bad-index":
      return { problem: "index-out-of-bounds", message: describeIndex(context, problem.index) };
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
        message: `the array ${program.variables[problem.variable]!.name} is declared with length ${problem.length}`,
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

/** Also the overflow of `abs` and its kin. */
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
  const variable = program.variables[id]!;
  const own = context.edge.operation;
  if (variable.kind === "temporary" || (own.kind === "call" && own.target === id)) {
    const fn = program.functions[site.function]!;
    const call = fn.edges.find(({ operation }) => operation.kind === "call" && operation.target === id);
    if (call !== undefined && call.operation.kind === "call") {
      const { callee } = call.operation;
      const callName =
        callee.kind === "direct"
          ? program.functions[callee.function]!.name
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
  const fn = context.program.functions[object.function!]!;
  return {
    problem: "bad-call",
    message: `call through ${callee} with other types than those of ${printType(fn.type, fn.name)}`,
  };
}
