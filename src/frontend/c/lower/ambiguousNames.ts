import { distinctEnds } from "../../../base/text.ts";
import type { VariableId } from "../../../ir/program.ts";
import type { ProgramContext } from "./context.ts";
import type { LoweredFunction } from "./lowerFunction.ts";

/** The file that a function or variable belongs to, where its name alone does not say which one is meant. */
export type FilesOfNames = {
  ofFunction(fn: LoweredFunction): string | undefined;
  ofVariable(id: VariableId): string | undefined;
};

export function ambiguousNames(
  program: ProgramContext,
  functions: readonly LoweredFunction[],
  statics: Iterable<VariableId>,
): FilesOfNames {
  const labels = distinctEnds(program.units.map(({ path }) => path));
  const files = new Map<string, Set<number>>();
  const add = (name: string, file: number) => files.set(name, (files.get(name) ?? new Set()).add(file));
  const objectOf = (id: VariableId) => {
    const object = program.statics.get(id);
    return object === undefined || object.owner !== null ? null : object;
  };
  for (const { id, name } of functions) add(`${name}()`, program.functions[id]!.file);
  for (const id of statics) {
    const object = objectOf(id);
    if (object !== null) add(object.name, object.file);
  }
  const label = (name: string, file: number) => ((files.get(name)?.size ?? 0) > 1 ? labels[file] : undefined);
  return {
    ofFunction: ({ id, name }) => label(`${name}()`, program.functions[id]!.file),
    ofVariable: (id) => {
      const object = objectOf(id);
      return object === null ? undefined : label(object.name, object.file);
    },
  };
}
