import { assertNever, TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { FunctionId } from "../../ir/program.ts";
import type { FunctionType, Type } from "../../ir/type.ts";
import type {
  Declaration,
  ExternalItem,
  FunctionDefinition,
  InitDeclarator,
  Specifiers,
  TranslationUnit,
} from "../ast.ts";
import { type Context, inputError, newContext, scratchOf, type UnitContext } from "../lower/context.ts";
import { functionDeclarator } from "../lower/findAddressTaken.ts";
import { checkStaticAssert } from "../lower/lowerStatement.ts";
import { decay } from "../types/cType.ts";
import { compatible } from "../types/layout.ts";
import { completeArray } from "./initialize.ts";
import { declaredOtherwise, definedTwice } from "./link.ts";
import { nameOf, typedefType, typeOfDeclarator, typeOfSpecifiers } from "./resolveType.ts";
import { constnessOf, type FunctionEntity, newScope, type StaticObject } from "./scope.ts";
import { newStatic } from "./statics.ts";

/** Declares all file-level names before any function is lowered, so that bodies see final types in any order. */
export function declareFile(unit: UnitContext, tree: TranslationUnit): void {
  const cx = newContext(unit, null, "", null, unit.fileScope);
  cx.scope = unit.fileScope;
  for (const item of tree.items) {
    try {
      declareExternalItem(cx, item);
    } catch (error) {
      if (!(error instanceof TracefoldError) || error.kind !== "unsupported") throw error;
      for (const name of namesOf(item)) {
        if (!unit.fileScope.names.has(name)) unit.fileScope.names.set(name, { kind: "refused", error });
      }
    }
  }
}

function declareExternalItem(cx: Context, item: ExternalItem): void {
  switch (item.kind) {
    case "functionDefinition":
      return defineFunction(cx, item);
    case "declaration":
      return declareItem(cx, item);
    case "staticAssert":
      return checkStaticAssert(scratchOf(cx), item.condition, item.range);
    default:
      return assertNever(item, "item");
  }
}

function namesOf(item: ExternalItem): string[] {
  if (item.kind === "staticAssert") return [];
  const declarators = item.kind === "declaration" ? item.declarators.map((init) => init.declarator) : [item.declarator];
  return declarators.flatMap((declarator) => nameOf(declarator) ?? []);
}

function declareItem(cx: Context, item: Declaration): void {
  const { specifiers } = item;
  const base = typeOfSpecifiers(cx, specifiers);
  for (const init of item.declarators) {
    const name = nameOf(init.declarator);
    if (name === null) continue;
    const type = typeOfDeclarator(cx, base, init.declarator);
    if (specifiers.storage === "typedef") {
      cx.scope.names.set(name, { kind: "typedef", type: typedefType(cx, type, specifiers) });
      continue;
    }
    const entity = declareExternal(cx.unit, name, type, init.range);
    if (specifiers.storage === "static") entity.linkage = "internal";
    if (entity.kind === "function") {
      if (isExported(cx.unit, specifiers)) entity.exported = true;
      continue;
    }
    entity.constness = constnessOf(specifiers, init.declarator);
    if (specifiers.storage !== "extern" || init.initializer !== null) define(entity, init, specifiers);
    if (init.initializer !== null) entity.type = completeArray(cx, entity.type, init.initializer);
  }
}

function define(object: StaticObject, { initializer, range }: InitDeclarator, specifiers: Specifiers): void {
  if (initializer !== null && object.initializer !== null) return definedTwice(object.name, range, object.range);
  // A definition without initialiser counts only if none has one.
  if (object.initializer !== null) return;
  object.defined = true;
  object.range = range;
  object.specifiers = specifiers;
  object.initializer = initializer;
}

/** True if these specifiers make the file's definition visible to the whole program. */
function isExported({ rules }: UnitContext, { inline, storage, attributes }: Specifiers): boolean {
  if (!inline) return true;
  const gnu = rules.gnuInline === true || attributes.some((attribute) => attribute.name === "gnu_inline");
  return (storage === "extern") !== gnu;
}

/** The file-level object or function of that name; completes its type, and links it if the files are linked. */
export function declareExternal(
  unit: UnitContext,
  name: string,
  type: Type,
  range: SourceRange,
): FunctionEntity | StaticObject {
  const entered = unit.fileScope.names.get(name);
  const known = entered?.kind === "refused" ? undefined : entered;
  if (known === undefined) {
    const entity =
      type.kind === "function"
        ? newFunction(unit, name, type, range)
        : newStatic(unit, name, type, range, null, unit.fileScope);
    if (entity.kind === "static") entity.addressTaken = unit.addressTaken.names.has(name);
    unit.fileScope.names.set(name, entity);
    return entity;
  }
  if (
    (known.kind !== "function" && known.kind !== "static") ||
    (known.kind === "function") !== (type.kind === "function")
  ) {
    return inputError("TF180", `${name} was declared as something else before`, range);
  }
  if (!compatible(known.type, type)) return declaredOtherwise(name, [type, range], [known.type, known.range]);
  if (known.kind === "function") {
    if (known.definition === null && known.type.unprototyped) known.type = type as FunctionType;
  } else if (known.type.kind === "array" && known.type.length === null) known.type = type;
  return known;
}

export function newFunction(unit: UnitContext, name: string, type: FunctionType, range: SourceRange): FunctionEntity {
  const entity: Omit<FunctionEntity, "linked"> = {
    kind: "function",
    name,
    linkage: "external",
    file: unit.file,
    type,
    definition: null,
    exported: false,
    id: unit.functions.length as FunctionId,
    range,
  };
  const linked = Object.assign(entity, { linked: entity as FunctionEntity });
  unit.functions.push(linked);
  return linked;
}

function defineFunction(cx: Context, item: FunctionDefinition): void {
  const name = nameOf(item.declarator);
  const list = functionDeclarator(item.declarator);
  if (name === null || list === null) return inputError("TF181", "this function definition has no name", item.range);
  const type = typeOfDeclarator(cx, typeOfSpecifiers(cx, item.specifiers), item.declarator);
  if (type.kind !== "function") return inputError("TF181", `${name} is not a function`, item.range);
  const full = list.identifiers.length > 0 ? oldStyleType(cx, item, type, list.identifiers) : type;
  const entity = declareExternal(cx.unit, name, full, item.range);
  if (entity.kind !== "function") return;
  if (entity.definition !== null) {
    // GNU: an `extern inline` definition only offers a body; the other definition counts.
    const offered = (definition: FunctionDefinition) =>
      definition.specifiers.inline && definition.specifiers.storage === "extern";
    if (offered(item)) return;
    if (!offered(entity.definition)) return definedTwice(name, item.range, entity.range);
  }
  if (item.specifiers.storage === "static") entity.linkage = "internal";
  if (isExported(cx.unit, item.specifiers)) entity.exported = true;
  entity.definition = item;
  entity.type = full;
  entity.range = item.range;
}

/** `f(a, b) int a; { … }`: parameters without a declaration are `int`. */
function oldStyleType(
  cx: Context,
  item: FunctionDefinition,
  type: FunctionType,
  identifiers: readonly string[],
): FunctionType {
  const scratch = { ...scratchOf(cx), owner: 0 as FunctionId, scope: newScope(cx.scope) };
  const declared = oldStyleParameters(scratch, item);
  const parameters = identifiers.map((name) => declared.get(name) ?? cx.unit.types.int);
  return { ...type, parameters, unprototyped: true };
}

export function oldStyleParameters(cx: Context, item: FunctionDefinition): Map<string, Type> {
  const result = new Map<string, Type>();
  for (const declaration of item.parameterDeclarations) {
    const base = typeOfSpecifiers(cx, declaration.specifiers);
    for (const { declarator } of declaration.declarators) {
      const name = nameOf(declarator);
      if (name !== null) result.set(name, decay(typeOfDeclarator(cx, base, declarator)));
    }
  }
  return result;
}
