import { TracefoldError } from "../../base/errors.ts";
import { formatPlace } from "../../base/sourceRange.ts";
import type { Note, Program, ProgramVariable } from "../../ir/program.ts";
import { initializerName } from "../../ir/reservedNames.ts";
import { pointerBytesOf, type Type } from "../../ir/type.ts";
import type { TranslationUnit } from "./ast.ts";
import { compactProgram } from "./lower/compactProgram.ts";
import {
  type LowerOptions,
  type ProgramContext,
  type UnitContext,
  type UnitRules,
  unsupported,
} from "./lower/context.ts";
import { declareFile, newFunction } from "./lower/declareFile.ts";
import { findAddressTaken } from "./lower/findAddressTaken.ts";
import { linkUnits } from "./lower/linkUnits.ts";
import { lowerReachable } from "./lower/lowerReachable.ts";
import { noteNarrowedAddresses } from "./lower/noteNarrowedAddresses.ts";
import { type FunctionEntity, newScope } from "./lower/scope.ts";
import { skippedDeclarations } from "./lower/skippedDeclarations.ts";
import { basicTypesOf } from "./types/basicTypes.ts";
import { functionType, voidType } from "./types/cType.ts";

export type { LowerOptions, UnitRules } from "./lower/context.ts";

/** A file of the program, read. */
export type LoweredUnit = {
  readonly path: string;
  readonly tree: TranslationUnit;
  readonly rules: UnitRules;
};

/**
 * The syntax trees of the files as one program: only what the entry function can reach, by calls, by addresses of
 * functions, and by the initialisers of the static variables that it mentions. A construct that is not supported is an
 * error only there.
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
  for (const [i, { tree }] of files.entries()) declareFile(context.units[i]!, tree);
  linkUnits(context);
  const entry = findEntry(context, options.entry ?? "main");
  refuseConstructors(context);
  const lowered = lowerReachable(context, entry.id);
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
    initializer: functions.find((fn) => fn.name === initializerName)!.id,
    entry: functions[lowered.findIndex((fn) => fn.id === entry.id)]!.id,
    ...flag,
    ...(isDrawn ? { memoryIsInput: true } : {}),
    notes: [...context.notes.values(), ...longDoubleNote(variables), ...noteNarrowedAddresses(functions, pointerBytes)],
  };
}

/** The function of that name for the whole program; else the only file's own one. */
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
    message: `two files have a function ${name} of their own: here and at ${formatPlace(own.range)}`,
    range: other.range,
    help,
  });
}

/** Functions that run before or after `main` without being called. */
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
    made: { statics: 0, errorVariable: null, watchVariable: null, statedVariable: null },
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
  newFunction(program.units[0]!, initializerName, functionType(voidType, []), nowhere);
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
