import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { escapingVariables } from "../../ir/dataFlow.ts";
import { keptPointersOf } from "../../ir/keptPointers.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Function, LocationId, Program, VariableId } from "../../ir/program.ts";
import { sizeOf } from "../../ir/type.ts";

/** Data that tells the objects of a function's local variables apart. */
export type LocalLife = {
  /** Variables in memory whose address is used for more than accessing them: only pointers to these can be kept. */
  readonly escaping: ReadonlySet<VariableId>;
  /**
   * Is the variable another object each time its declaration at this location is reached? On a recorded run a
   * variable-length array has no address before.
   */
  isReborn(variable: VariableId, location: LocationId, isRecorded: boolean): boolean;
};

const cache = new WeakMap<Function, LocalLife>();

export function localLifeOf(program: Program, fn: Function): LocalLife {
  return remembered(cache, fn, () => computeLife(program, fn));
}

function computeLife(program: Program, fn: Function): LocalLife {
  const inMemory = (id: VariableId) => {
    const { storage, kind } = nth(program.variables, id);
    return storage === "memory" && kind !== "static";
  };
  const escaping = new Set([...escapingVariables(fn)].filter(inMemory));
  const kept = keptPointersOf(program);
  const isVariableLength = (id: VariableId) => sizeOf(nth(program.variables, id).type, program.pointerBytes) === null;
  const forest = loopsOf(fn);
  const { order } = controlFlowOf(fn);
  return {
    escaping,
    // As in the interpreter: outside of cycles the object that the function's entry made is still untouched.
    isReborn: (variable, location, isRecorded) =>
      escaping.has(variable) &&
      ((isRecorded && isVariableLength(variable)) ||
        (kept.has(variable) &&
          (forest.innermost(location) !== null || (forest.irreducible.length > 0 && order[location] !== -1)))),
  };
}
