import type { Expression } from "../ir/expression.ts";
import type { Operation } from "../ir/operation.ts";
import { sourceOfPlace } from "../ir/printOperation.ts";
import type { Program } from "../ir/program.ts";
import { describeObject, type ObjectDescription } from "./describeObject.ts";
import { offsetOf } from "./memory/pointer.ts";
import { farIndexOf } from "./memory/pointerArithmetic.ts";
import type { Problem } from "./problem.ts";
import type { ProblemContext, ProblemDescription } from "./problemContext.ts";

type AccessProblem = Problem & { kind: "bad-access" | "uninitialised-memory" | "invalid-bool" };

/** A read or write that went wrong: `index 10 is outside of a[10]`, `p is null`, … */
export function describeAccess(context: ProblemContext, problem: AccessProblem): ProblemDescription {
  const { program, sites, memory } = context;
  const place = accessedPlace(context);
  const object = describeObject(program, sites, memory, problem.pointer);
  if (problem.kind === "invalid-bool") {
    return { problem: "invalid-value", message: `${place ?? "a _Bool"} holds ${problem.value}, which _Bool cannot` };
  }
  if (problem.kind === "uninitialised-memory") {
    const detail = object === null ? "" : describePart(object, offsetOf(problem.pointer), place);
    return {
      problem: "uninitialised-read",
      message: place === null ? `${detail} is read before it has a value` : `${place} is read before it has a value`,
    };
  }
  const verb = problem.access === "read" ? "read" : "written";
  const what = place === null ? `memory that ${caller(context)} uses` : place;
  // The library counts bytes; only what the source writes as an index can be far away.
  const far = place === null ? null : farIndexOf(memory, problem.delta);
  if (object === null) {
    const address = problem.pointer + problem.delta;
    if (problem.pointer === 0) {
      return { problem: "null-dereference", message: `${what} is ${verb} through a null pointer` };
    }
    const where = far === null ? `the address ${address}` : `index ${far} of the address ${problem.pointer}`;
    return { problem: "invalid-pointer", message: `${what} is ${verb} at ${where}, where no object is` };
  }
  if (object.kind === "function") {
    return { problem: "invalid-pointer", message: `${what} is ${verb} at the address of ${object.name}` };
  }
  if (!object.live) {
    if (object.kind === "heap") {
      return { problem: "use-after-free", message: `${what} is ${verb}, but ${object.name} was freed` };
    }
    return { problem: "use-after-scope", message: `${what} is ${verb}, but the life of ${object.name} has ended` };
  }
  const offset = offsetOf(problem.pointer) + problem.delta;
  const inside = offset >= 0 && offset + problem.size <= object.size;
  if (object.kind === "literal" && problem.access === "write" && inside) {
    return { problem: "write-to-literal", message: `${what} is written, but string literals are constant` };
  }
  return {
    problem: problem.access === "read" ? "out-of-bounds-read" : "out-of-bounds-write",
    message:
      far === null
        ? describeOutside(object, offset, problem.size, place, place ?? caller(context))
        : `index ${far} is outside of ${boundOf(object)}`,
  };
}

/** `a[10]`, `"text"`, `the memory from malloc at f.c:3:8 (40 bytes)`. */
function boundOf({ kind, name, array, size }: ObjectDescription): string {
  if (array === null) return `${name} (${size} bytes)`;
  return kind === "literal" ? name : `${name}${array.dimensions.map((length) => `[${length}]`).join("")}`;
}

/** `place` is null inside of library functions, where `what` names the function. */
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
    // An access that begins inside goes wrong at the first element behind the end.
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

/** The place that the source accesses; null inside of library functions. */
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
