import { controlFlowOf } from "../ir/controlFlow.ts";
import type { LocationId, VariableId } from "../ir/ids.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Function, Program } from "../ir/program.ts";
import { localObjectsOf } from "../trace/compile/localObjects.ts";

/** What the objects of a function's local variables need to be told apart by. */
export type LocalLife = {
  /** Variables in memory whose address is used for more than accessing them: only pointers to these can be kept. */
  readonly escaping: ReadonlySet<VariableId>;
  /** Is the variable another object each time its declaration at this location is reached? */
  isReborn(variable: VariableId, location: LocationId): boolean;
};

const cache = new WeakMap<Function, LocalLife>();

export function localLifeOf(program: Program, fn: Function): LocalLife {
  let life = cache.get(fn);
  if (life === undefined) {
    life = computeLife(program, fn);
    cache.set(fn, life);
  }
  return life;
}

function computeLife(program: Program, fn: Function): LocalLife {
  const { objects } = localObjectsOf(program, fn);
  const escaping = new Set(objects.filter(({ escapes }) => escapes).map(({ variable }) => variable.id));
  const variableLength = new Set(objects.filter(({ size }) => size === null).map(({ variable }) => variable.id));
  const forest = loopsOf(fn);
  const { order } = controlFlowOf(fn);
  return {
    escaping,
    // As in the interpreter: outside of cycles the object that the function's entry made is still untouched.
    isReborn: (variable, location) =>
      escaping.has(variable) &&
      (variableLength.has(variable) ||
        forest.innermost(location) !== null ||
        (forest.irreducible.length > 0 && order[location] !== -1)),
  };
}
