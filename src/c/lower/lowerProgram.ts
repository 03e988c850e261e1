import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { formatPlace } from "../../base/sourceRange.ts";
import { type FinishedGraph, operationRenamer, referencesOf } from "../../ir/finishGraph.ts";
import type {
  EdgeId,
  Function,
  FunctionId,
  LocationId,
  Note,
  Program,
  ProgramVariable,
  VariableId,
} from "../../ir/program.ts";
import { fuzzEntry, initializerName } from "../../ir/reservedNames.ts";
import { pointerBytesOf, type Type } from "../../ir/type.ts";
import type { TranslationUnit } from "../ast.ts";
import { declareFile, newFunction } from "../declare/declareFile.ts";
import { linkUnits, type MissingDefinition, refuseMissing } from "../declare/link.ts";
import { skippedDeclarations } from "../declare/lowerDeclaration.ts";
import { ambiguousNames, type FunctionEntity, newScope, type StaticObject } from "../declare/scope.ts";
import {
  initializerId,
  isOfLibrary,
  joinInitializers,
  lowerStatic,
  type StaticInitializer,
} from "../declare/statics.ts";
import { basicTypesOf, functionType, voidType } from "../types/cType.ts";
import { noteNarrowedAddresses } from "./arithmetic.ts";
import { type LowerOptions, type ProgramContext, type UnitContext, type UnitRules, unsupported } from "./context.ts";
import { findAddressTaken } from "./findAddressTaken.ts";
import { type LoweredFunction, lowerFunction } from "./lowerFunction.ts";
import { lowerUndefinedFunction } from "./lowerUndefinedCall.ts";
import { passJumps } from "./passJumps.ts";

export type { LowerOptions, UnitRules } from "./context.ts";

export type LoweredUnit = {
  readonly path: string;
  readonly tree: TranslationUnit;
  readonly rules: UnitRules;
};

/**
 * Lowers the files to one program: only code reachable from the entry function, by calls, function addresses and
 * initialisers of mentioned statics. Unsupported constructs are errors only there.
 */
export function lowerProgram(units: readonly LoweredUnit[], options: LowerOptions): Program {
  try {
    return lower(units, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TracefoldError({
      code: "TF301",
      message: "the program is nested too deeply",
      help: "A larger stack may help: node --stack-size=8000.",
    });
  }
}

function lower(files: readonly LoweredUnit[], options: LowerOptions): Program {
  const context = newProgram(files, options);
  for (const [i, { tree }] of files.entries()) declareFile(nth(context.units, i), tree);
  linkUnits(context);
  const entry = findEntry(context, options.entry ?? "main");
  if (entry.name === fuzzEntry) findEntry(context, "LLVMFuzzerTestOneInput");
  refuseConstructors(context);
  const reachable = lowerReachable(context, entry.id);
  const { jumps } = context.made;
  const lowered = jumps === null ? reachable : passJumps(context, jumps, reachable, entry.id);
  const { functions: compact, variables, ...flag } = compactProgram(context, lowered);
  const isDrawn = options.uninitialized === "input";
  const functions = isDrawn ? compact.map((fn) => skippedDeclarations(fn, variables)) : compact;
  const pointerBytes = pointerBytesOf(options.dataModel);
  return {
    files: options.files,
    dataModel: options.dataModel,
    pointerBytes,
    functions,
    variables,
    initializer: present(functions.find((fn) => fn.name === initializerName)).id,
    entry: nth(
      functions,
      lowered.findIndex((fn) => fn.id === entry.id),
    ).id,
    ...flag,
    ...(isDrawn ? { memoryIsInput: true } : {}),
    notes: [...context.notes.values(), ...longDoubleNote(variables), ...noteNarrowedAddresses(functions, pointerBytes)],
  };
}

/** The program's function of that name, else the only file-local one. */
function findEntry({ functions, externals }: ProgramContext, name: string): FunctionEntity {
  const help = "Name the function where the run begins with --entry.";
  const linked = externals.get(name)?.[0]?.linked;
  if (linked?.kind === "function" && linked.definition !== null) return linked;
  const [own, other] = functions.filter((each) => each.name === name && each.definition !== null);
  if (own === undefined)
    throw new TracefoldError({ code: "TF182", message: `there is no function ${name} with a body`, help });
  if (other === undefined) return own;
  throw new TracefoldError({
    code: "TF182",
    message: `two files have a static function ${name}: here and at ${formatPlace(own.range)}`,
    range: other.range,
    help,
  });
}

/** Functions that run before or after `main` without a call. */
function refuseConstructors({ functions }: ProgramContext): void {
  for (const { definition, name } of functions) {
    for (const attribute of definition?.specifiers.attributes ?? []) {
      if (attribute.name !== "constructor" && attribute.name !== "destructor") continue;
      unsupported("TF260", `${name}: a ${attribute.name} function is not supported`, attribute.range);
    }
  }
}

function newProgram(files: readonly LoweredUnit[], options: LowerOptions): ProgramContext {
  const program: ProgramContext = {
    options,
    types: basicTypesOf(options.dataModel),
    units: [],
    externals: new Map(),
    variables: [],
    functions: [],
    statics: new Map(),
    literals: new Map(),
    notes: new Map(),
    specifierTypes: new Map(),
    made: {
      statics: 0,
      errorVariable: null,
      watchVariable: null,
      statedVariable: null,
      jumps: null,
      isAlternative: false,
      choiceVariables: new Map(),
    },
  };
  for (const [file, { path, tree, rules }] of files.entries()) {
    const unit: UnitContext = {
      ...program,
      file,
      path,
      fileScope: newScope(null),
      addressTaken: findAddressTaken(tree),
      rules,
    };
    program.units.push(unit);
  }
  const nowhere = { file: options.files[0]?.path ?? "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  newFunction(nth(program.units, 0), initializerName, functionType(voidType, []), nowhere);
  return program;
}

function longDoubleNote(variables: readonly ProgramVariable[]): Note[] {
  const isApproximated = (type: Type): boolean => {
    if (type.kind === "float") return type.approximated === true;
    if (type.kind === "array") return isApproximated(type.element);
    if (type.kind === "struct") return (type.layout?.fields ?? []).some((field) => isApproximated(field.type));
    return false;
  };
  const first = variables.find((variable) => isApproximated(variable.type));
  return first === undefined ? [] : [{ message: "long double is computed as double", range: first.range }];
}

/** The entry function, all reachable functions, and the function that initialises the mentioned statics. */
export function lowerReachable(program: ProgramContext, entry: FunctionId): LoweredFunction[] {
  const functions = new Map<number, LoweredFunction>();
  const initializers = new Map<StaticObject, StaticInitializer>();
  const missing: MissingDefinition[] = [];
  const work: FinishedGraph[] = [];

  const addFunction = (id: FunctionId, user: FinishedGraph | null): void => {
    if (functions.has(id)) return;
    const entity = nth(program.functions, id);
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
    const initializer = lowerStatic(nth(program.units, object.file), object);
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
  const unit = nth(units, entity.file);
  return entity.definition === null
    ? lowerUndefinedFunction(unit, entity)
    : lowerFunction(unit, entity, entity.definition);
}

function mentionOf({ edges }: FinishedGraph, what: "functions" | "variables", id: FunctionId | VariableId) {
  const edge = edges.find((each) => (referencesOf([each])[what] as ReadonlySet<number>).has(id));
  return (edge ?? nth(edges, 0)).range;
}

function initializerFunction(program: ProgramContext, initializers: readonly StaticInitializer[]): LoweredFunction {
  const { name, type, range } = nth(program.functions, initializerId);
  const ordered = initializers.toSorted((a, b) => a.object.order - b.object.order);
  return { id: initializerId, name, type, parameters: [], graph: joinInitializers(ordered), range };
}

/** Assigns final, dense ids to the functions and the variables that they mention; drops everything else. */
export function compactProgram(
  program: ProgramContext,
  lowered: readonly LoweredFunction[],
): {
  readonly functions: readonly Function[];
  readonly variables: readonly ProgramVariable[];
  readonly errorFlag?: VariableId;
  readonly watched?: VariableId;
  readonly choices?: ReadonlyMap<number, VariableId>;
} {
  const functionIds = new Map(lowered.map(({ id }, i) => [id, i as FunctionId]));
  const mentioned = lowered.map(({ graph }) => referencesOf(graph.edges).variables);
  const order = variableOrder(program, lowered, mentioned);
  const variableIds = new Map(order.map((id, i) => [id, i as VariableId]));
  const files = ambiguousNames(program, lowered, order);
  const newFunction = (id: FunctionId) => present(functionIds.get(id));
  const newVariable = (id: VariableId) => present(variableIds.get(id));

  const variables = order.map((id, i): ProgramVariable => {
    const variable = nth(program.variables, id);
    // A static local of a function that is never called may still be reached through a pointer.
    const owner = variable.function === null ? null : (functionIds.get(variable.function) ?? null);
    const file = files.ofVariable(id);
    return { ...variable, id: i as VariableId, function: owner, ...(file === undefined ? {} : { file }) };
  });
  const functions = lowered.map((fn, i): Function => {
    const rename = operationRenamer({ variable: newVariable, function: newFunction });
    const parameters = fn.parameters.map(newVariable);
    const isParameter = new Set(fn.parameters);
    const file = files.ofFunction(fn);
    const locals = [...nth(mentioned, i)].filter(
      (id) => nth(program.variables, id).kind !== "static" && !isParameter.has(id),
    );
    return {
      id: i as FunctionId,
      name: fn.name,
      ...(file === undefined ? {} : { file }),
      type: fn.type,
      parameters,
      locals: locals.map(newVariable).sort((a, b) => a - b),
      entry: fn.graph.entry as LocationId,
      exit: fn.graph.exit as LocationId,
      locations: fn.graph.locations,
      edges: fn.graph.edges.map((edge, e) => ({
        id: e as EdgeId,
        from: edge.from as LocationId,
        to: edge.to as LocationId,
        operation: rename(edge.operation),
        range: edge.range,
      })),
      ...(fn.statements === undefined ? {} : { statements: fn.statements }),
      range: fn.range,
    };
  });
  const flag = program.made.errorVariable === null ? undefined : variableIds.get(program.made.errorVariable);
  const choices = [...program.made.choiceVariables].flatMap(([site, id]): [number, VariableId][] => {
    const variable = variableIds.get(id);
    return variable === undefined ? [] : [[site, variable]];
  });
  const watched = program.made.watchVariable === null ? undefined : variableIds.get(program.made.watchVariable);
  return {
    functions,
    variables,
    ...(flag === undefined ? {} : { errorFlag: flag }),
    ...(watched === undefined ? {} : { watched }),
    ...(choices.length === 0 ? {} : { choices: new Map(choices) }),
  };
}

/** Statics in declaration order, then each function's parameters and locals. */
function variableOrder(
  program: ProgramContext,
  lowered: readonly LoweredFunction[],
  mentioned: readonly ReadonlySet<VariableId>[],
): VariableId[] {
  const statics = new Set<VariableId>();
  const others: VariableId[] = [];
  const seen = new Set<VariableId>();
  lowered.forEach((fn, i) => {
    const locals: VariableId[] = [];
    for (const id of nth(mentioned, i)) {
      if (nth(program.variables, id).kind === "static") statics.add(id);
      else if (!fn.parameters.includes(id)) locals.push(id);
    }
    for (const id of [...fn.parameters, ...locals.sort((a, b) => a - b)]) {
      if (!seen.has(id)) others.push(id);
      seen.add(id);
    }
  });
  const rank = (id: VariableId) => program.statics.get(id)?.order ?? Number.POSITIVE_INFINITY;
  const byDeclaration = [...statics].sort((a, b) => {
    const [ra, rb] = [rank(a), rank(b)];
    return ra === rb ? a - b : ra - rb;
  });
  return [...byDeclaration, ...others];
}
