import { TracefoldError } from "../../base/errors.ts";
import type { Note, Program, Variable } from "../../ir/program.ts";
import type { Type } from "../../ir/type.ts";
import { pointerBytesOf } from "../../ir/typeFacts.ts";
import type { TranslationUnit } from "./ast.ts";
import { compactProgram } from "./lower/compactProgram.ts";
import { type LowerOptions, type UnitContext, unsupported } from "./lower/context.ts";
import { declareFile, newFunction } from "./lower/declareFile.ts";
import { declaredName, findAddressTaken } from "./lower/findAddressTaken.ts";
import { type LoweredFunction, lowerFunction } from "./lower/lowerFunction.ts";
import { initializerId, joinInitializers, lowerStatic, type StaticInitializer } from "./lower/lowerStatics.ts";
import { lowerUndefinedFunction } from "./lower/lowerUndefinedFunction.ts";
import { noteNarrowedAddresses } from "./lower/noteNarrowedAddresses.ts";
import { type References, referencesOf } from "./lower/references.ts";
import { newScope, type StaticObject } from "./lower/scope.ts";
import { basicTypesOf } from "./types/basicTypes.ts";
import { functionType, voidType } from "./types/cType.ts";

export type { LowerOptions } from "./lower/context.ts";

/**
 * The syntax tree as a program: only what the entry function can reach, by calls, by addresses of functions, and by the
 * initialisers of the static variables that it mentions. A construct that is not supported is an error only there.
 */
export function lowerProgram(program: TranslationUnit, options: LowerOptions): Program {
  try {
    return lower(program, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TracefoldError({
      code: "TF301",
      message: "the program is nested too deeply",
      help: "A larger stack may help: node --stack-size=8000.",
    });
  }
}

function lower(program: TranslationUnit, options: LowerOptions): Program {
  const tree = options.library === undefined ? program : withLibrary(program, options.library);
  const unit = newUnit(tree, options);
  declareFile(unit, tree);
  const name = options.entry ?? "main";
  const entry = unit.fileScope.names.get(name);
  if (entry?.kind !== "function" || entry.definition === null) {
    throw new TracefoldError({
      code: "TF182",
      message: `there is no function ${name} with a body`,
      range: undefined,
      help: "Name the function where the run begins with --entry.",
    });
  }
  refuseConstructors(unit);
  const lowered = lowerReachable(unit, entry.id);
  const { functions, variables, ...flag } = compactProgram(unit, lowered);
  const pointerBytes = pointerBytesOf(options.dataModel);
  return {
    files: options.files,
    dataModel: options.dataModel,
    pointerBytes,
    functions,
    variables,
    initializer: functions.find((fn) => fn.name === "$init")!.id,
    entry: functions[lowered.findIndex((fn) => fn.id === entry.id)]!.id,
    ...flag,
    notes: [...unit.notes.values(), ...longDoubleNote(variables), ...noteNarrowedAddresses(functions, pointerBytes)],
  };
}

/** What the program defines itself is the program's. */
function withLibrary(program: TranslationUnit, library: TranslationUnit): TranslationUnit {
  const defined = new Set<string | null>();
  for (const item of program.items) if (item.kind === "functionDefinition") defined.add(declaredName(item.declarator));
  const offered = library.items.filter(
    (item) => item.kind !== "functionDefinition" || !defined.has(declaredName(item.declarator)),
  );
  return { items: [...program.items, ...offered] };
}

/** Functions that run before or after `main` without being called. */
function refuseConstructors(unit: UnitContext): void {
  for (const { definition, name } of unit.functions) {
    for (const attribute of definition?.specifiers.attributes ?? []) {
      if (attribute.name !== "constructor" && attribute.name !== "destructor") continue;
      unsupported("TF260", `${name}: a ${attribute.name} function is not supported`, attribute.range);
    }
  }
}

function newUnit(tree: TranslationUnit, options: LowerOptions): UnitContext {
  const unit: UnitContext = {
    options,
    types: basicTypesOf(options.dataModel),
    fileScope: newScope(null),
    variables: [],
    functions: [],
    statics: new Map(),
    literals: new Map(),
    notes: new Map(),
    addressTaken: findAddressTaken(tree),
    specifierTypes: new Map(),
    lines: new Map(),
    staticCount: 0,
    errorVariable: null,
    watchVariable: null,
  };
  const nowhere = { file: options.files[0]?.path ?? "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  newFunction(unit, "$init", functionType(voidType, []), nowhere);
  return unit;
}

function lowerReachable(unit: UnitContext, entry: LoweredFunction["id"]): LoweredFunction[] {
  const functions = new Map<number, LoweredFunction>();
  const initializers = new Map<StaticObject, StaticInitializer>();
  const work: References[] = [{ variables: new Set(), functions: new Set([entry]) }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    for (const id of next.functions) {
      if (functions.has(id)) continue;
      const entity = unit.functions[id]!;
      const fn =
        entity.definition === null
          ? lowerUndefinedFunction(unit, entity)
          : lowerFunction(unit, entity, entity.definition);
      functions.set(id, fn);
      work.push(referencesOf(fn.graph));
    }
    for (const id of next.variables) {
      const object = unit.statics.get(id);
      if (object === undefined || initializers.has(object)) continue;
      const initializer = lowerStatic(unit, object);
      initializers.set(object, initializer);
      work.push(referencesOf(initializer.graph));
    }
  }
  const ordered = [...initializers.values()].sort((a, b) => a.object.order - b.object.order);
  const init = unit.functions[initializerId]!;
  functions.set(initializerId, {
    id: initializerId,
    name: init.name,
    type: init.type,
    parameters: [],
    graph: joinInitializers(ordered),
    range: init.range,
  });
  return [...functions.values()].sort((a, b) => a.id - b.id);
}

function longDoubleNote(variables: readonly Variable[]): Note[] {
  const isApproximated = (type: Type): boolean => {
    if (type.kind === "float") return type.approximated === true;
    if (type.kind === "array") return isApproximated(type.element);
    if (type.kind === "struct") return (type.layout?.fields ?? []).some((field) => isApproximated(field.type));
    return false;
  };
  const first = variables.find((variable) => isApproximated(variable.type));
  return first === undefined ? [] : [{ message: "long double is computed as double", range: first.range }];
}
