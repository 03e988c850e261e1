import type { FinishedGraph } from "../../../ir/finishGraph.ts";
import type { FunctionId, VariableId } from "../../../ir/program.ts";
import { referencesOf } from "../../../ir/references.ts";
import type { ProgramContext } from "./context.ts";
import { type LoweredFunction, lowerFunction } from "./lowerFunction.ts";
import { initializerId, isOfLibrary, joinInitializers, lowerStatic, type StaticInitializer } from "./lowerStatics.ts";
import { lowerUndefinedFunction } from "./lowerUndefinedFunction.ts";
import { type MissingDefinition, refuseMissing } from "./missingDefinitions.ts";
import type { FunctionEntity, StaticObject } from "./scope.ts";

/** The entry function, what it can reach, and the function that sets the static variables that any of them mention. */
export function lowerReachable(program: ProgramContext, entry: FunctionId): LoweredFunction[] {
  const functions = new Map<number, LoweredFunction>();
  const initializers = new Map<StaticObject, StaticInitializer>();
  const missing: MissingDefinition[] = [];
  const work: FinishedGraph[] = [];

  const addFunction = (id: FunctionId, user: FinishedGraph | null): void => {
    if (functions.has(id)) return;
    const entity = program.functions[id]!;
    const fn = lowerEntity(program, entity);
    functions.set(id, fn);
    for (const { missing: name, range } of fn.graph.edges) {
      if (name === undefined) continue;
      const mention = entity.definition === null && user !== null ? mentionOf(user, "functions", id) : range;
      missing.push({ kind: "function", name, range: mention });
    }
    work.push(fn.graph);
  };
  const addStatic = (id: VariableId, user: FinishedGraph): void => {
    const object = program.statics.get(id);
    if (object === undefined || initializers.has(object)) return;
    const initializer = lowerStatic(program.units[object.file]!, object);
    initializers.set(object, initializer);
    if (!object.defined && !isOfLibrary(object)) {
      missing.push({ kind: "variable", name: object.name, range: mentionOf(user, "variables", id) });
    }
    work.push(initializer.graph);
  };

  addFunction(entry, null);
  for (const { id, name, type, definition } of program.functions) {
    if (definition !== null && type.parameters.length === 0 && program.options.keeps?.(name)) addFunction(id, null);
  }
  for (let graph = work.pop(); graph !== undefined; graph = work.pop()) {
    const references = referencesOf(graph.edges);
    for (const id of references.functions) addFunction(id, graph);
    for (const id of references.variables) addStatic(id, graph);
  }
  if (program.options.undefined !== "input") refuseMissing(missing);
  functions.set(initializerId, initializerFunction(program, [...initializers.values()]));
  return [...functions.values()].sort((a, b) => a.id - b.id);
}

function lowerEntity({ units }: ProgramContext, entity: FunctionEntity): LoweredFunction {
  const unit = units[entity.file]!;
  return entity.definition === null
    ? lowerUndefinedFunction(unit, entity)
    : lowerFunction(unit, entity, entity.definition);
}

/** The place of the first edge that mentions a function or variable. */
function mentionOf({ edges }: FinishedGraph, what: "functions" | "variables", id: FunctionId | VariableId) {
  const edge = edges.find((each) => (referencesOf([each])[what] as ReadonlySet<number>).has(id));
  return (edge ?? edges[0]!).range;
}

function initializerFunction(program: ProgramContext, initializers: readonly StaticInitializer[]): LoweredFunction {
  const { name, type, range } = program.functions[initializerId]!;
  const ordered = initializers.toSorted((a, b) => a.object.order - b.object.order);
  return { id: initializerId, name, type, parameters: [], graph: joinInitializers(ordered), range };
}
