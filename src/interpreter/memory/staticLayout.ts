import { Defect } from "../../base/errors.ts";
import { memoised } from "../../base/memo.ts";
import type { Program, ProgramVariable } from "../../ir/program.ts";
import { completeSize } from "../../ir/type.ts";
import { createMemory, createObject, growTo, type Memory, roundRoom, takeBytes } from "./memory.ts";
import {
  fieldWritable,
  firstAddress,
  firstObject,
  kindFunction,
  kindLiteral,
  kindStatic,
  objectFields,
} from "./objectLayout.ts";
import { makePointer, objectIdOf } from "./pointer.ts";

export type StaticPlace = { readonly pointer: number; readonly address: number; readonly size: number };

/** Addresses of functions and static objects: the same in every run, so that generated code can contain them. */
export type StaticLayout = {
  /** By function id. */
  readonly functions: readonly StaticPlace[];
  /** By variable id. */
  readonly variables: ReadonlyMap<number, StaticPlace>;
  /** The variables that have their content before the run. */
  readonly literals: readonly StaticPlace[];
  /** The first address after them. */
  readonly end: number;
};

export const staticLayoutOf = memoised((program: Program): StaticLayout => computeLayout(program));

function computeLayout(program: Program): StaticLayout {
  let id = firstObject;
  let address = firstAddress;
  const next = (size: number): StaticPlace => {
    const place = { pointer: makePointer(id++, 0), address, size };
    address += roundRoom(size);
    return place;
  };
  const functions = program.functions.map(() => next(0));
  const variables = new Map<number, StaticPlace>();
  for (const variable of program.variables) {
    if (variable.kind === "static" && variable.storage === "memory") {
      variables.set(variable.id, next(sizeOfVariable(program, variable)));
    }
  }
  const literals = [...variables].flatMap(([id, place]) =>
    program.variables[id]?.literal === undefined ? [] : [place],
  );
  return { functions, variables, literals, end: address };
}

export function createProgramMemory(program: Program, maxBytes: number): Memory {
  const memory = createMemory(program.pointerBytes, maxBytes);
  const layout = staticLayoutOf(program);
  // At once: growing step by step copies large arrays again and again.
  growTo(memory, layout.end);
  const create = (place: StaticPlace, kind: number, origin: number) => {
    const pointer = createObject(memory, takeBytes(memory, place.size), place.size, kind, origin);
    if (pointer !== place.pointer) throw new Defect("a static object is not where the layout says");
  };
  for (const [id, place] of layout.functions.entries()) create(place, kindFunction, id);
  for (const [id, place] of layout.variables) {
    const { literal } = program.variables[id]!;
    create(place, literal === undefined ? kindStatic : kindLiteral, id);
    if (literal !== undefined) memory.bytes.set(literal, place.address);
  }
  return memory;
}

/** After the initialiser has run: const objects cannot be written any more. */
export function lockConstants(program: Program, memory: Memory): void {
  for (const id of constantsOf(program)) memory.objects[id * objectFields + fieldWritable] = -1;
}

const constantsOf = memoised((program: Program): readonly number[] => {
  const { variables } = staticLayoutOf(program);
  return [...variables].flatMap(([id, { pointer }]) => (program.variables[id]?.isConst ? [objectIdOf(pointer)] : []));
});

function sizeOfVariable(program: Program, variable: ProgramVariable): number {
  return variable.literal?.length ?? completeSize(variable.type, program.pointerBytes);
}
