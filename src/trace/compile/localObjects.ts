import { libraryFunction } from "../../c/library/table.ts";
import { escapingVariables } from "../../ir/dataFlow.ts";
import type { Operation } from "../../ir/operation.ts";
import type { Function, Program, ProgramVariable } from "../../ir/program.ts";
import { sizeOf } from "../../ir/type.ts";
import { roundRoom } from "../memory/memory.ts";

/** A local variable or parameter that lives in memory. */
export type LocalObject = {
  readonly variable: ProgramVariable;
  /** null for a variable-length array, which is allocated where it is declared. */
  readonly size: number | null;
  /** Offset in the function's frame. */
  readonly offset: number;
  /** Can a pointer to it be kept? Then each time its declaration is reached it is a new object. */
  readonly escapes: boolean;
};

export type LocalObjects = { readonly objects: readonly LocalObject[]; readonly frameSize: number };

export function localObjectsOf(program: Program, fn: Function): LocalObjects {
  const objects: LocalObject[] = [];
  const escaping = escapingVariables(fn);
  let frameSize = 0;
  for (const id of [...fn.parameters, ...fn.locals]) {
    const variable = program.variables[id]!;
    if (variable.storage !== "memory" || variable.kind === "static") continue;
    const size = sizeOf(variable.type, program.pointerBytes);
    objects.push({ variable, size, offset: frameSize, escapes: escaping.has(id) });
    if (size !== null) frameSize += roundRoom(size);
  }
  return { objects, frameSize };
}

/** `alloca`: the block lives until the function returns. */
export function givesStackBlock(operation: Operation): boolean {
  return operation.kind === "callLibrary" && libraryFunction(operation.name).allocates?.life === "stack";
}

export function givesStackBlocks({ edges }: Function): boolean {
  return edges.some(({ operation }) => givesStackBlock(operation));
}
