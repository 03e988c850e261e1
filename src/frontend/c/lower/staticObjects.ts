import { assertNever, Defect } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { addressOfVariable, retype } from "../../../ir/builder.ts";
import type { FunctionId, ProgramVariable } from "../../../ir/program.ts";
import { initializerName } from "../../../ir/reservedNames.ts";
import { type ArrayType, isScalar, type StructType, sizeOf, type Type } from "../../../ir/type.ts";
import { pointerTo } from "../types/cType.ts";
import { addVariable, newContext, type UnitContext } from "./context.ts";
import { refuseUnsupported } from "./lowerDeclaration.ts";
import type { FlatPlace, Place } from "./place.ts";
import { planInitializer } from "./planInitializer.ts";
import type { StaticObject } from "./scope.ts";

/** Structs with more scalars than this stay in memory: nobody reads a hundred registers more easily than one object. */
const mostFlatParts = 32;

type VariableShape = Omit<ProgramVariable, "id" | "name" | "type" | "storage">;

/**
 * Where a variable lives: scalars whose address is never taken in a register, structs of such scalars in one register
 * per scalar, everything else in memory.
 */
export function newPlace(
  unit: UnitContext,
  name: string,
  type: Type,
  addressTaken: boolean,
  shape: VariableShape,
): { readonly place: Place; readonly variables: readonly ProgramVariable[] } {
  const variables: ProgramVariable[] = [];
  const add = (partName: string, partType: Type, storage: ProgramVariable["storage"]): ProgramVariable => {
    const part = partName === name ? {} : { partOf: name };
    const variable = addVariable(unit, { ...shape, ...part, name: partName, type: partType, storage });
    variables.push(variable);
    return variable;
  };
  const register = (partName: string, partType: Type): Place => {
    if (partType.kind === "struct") return flat(partName, partType);
    if (!isScalar(partType)) throw new Defect(`a ${partType.kind} cannot be flattened`);
    return { kind: "register", type: partType, variable: add(partName, partType, "register").id };
  };
  const flat = (structName: string, structType: StructType): FlatPlace => ({
    kind: "flat",
    type: structType,
    parts: structType.layout!.fields.map((field) =>
      register(field.name === "" ? structName : `${structName}.${field.name}`, field.type),
    ),
  });
  const flatParts = addressTaken ? null : countFlatParts(type);
  if (flatParts !== null && flatParts <= mostFlatParts) return { place: register(name, type), variables };
  const variable = add(name, type, "memory");
  return { place: { kind: "memory", type, address: addressOfVariable(variable) }, variables };
}

/** The number of scalars in a scalar or a struct of scalars; null for what only memory can hold. */
function countFlatParts(type: Type): number | null {
  if (isScalar(type)) return 1;
  if (type.kind !== "struct" || type.union || type.layout === null || type.layout.fields.length === 0) return null;
  let count = 0;
  for (const field of type.layout.fields) {
    const parts = field.bitField === undefined ? countFlatParts(field.type) : null;
    if (parts === null) return null;
    count += parts;
  }
  return count;
}

export function placeOfStatic(unit: UnitContext, object: StaticObject): Place {
  if (object.linked !== object) return seenAs(placeOfStatic(unit, object.linked), object.type);
  if (object.place === null) {
    if (object.specifiers !== null) refuseUnsupported(object.specifiers);
    const shared = isErrno(object);
    const { place, variables } = newPlace(unit, object.name, completed(object.type), object.addressTaken || shared, {
      kind: "static",
      function: object.owner,
      range: object.range,
      ...(shared ? { role: "errno" } : {}),
    });
    for (const variable of variables) unit.statics.set(variable.id, object);
    makeRoom(unit, object, place, variables);
    object.place = place;
  }
  return object.place;
}

/** The same place at the type that another file knows it by: compatible, but not the same. */
function seenAs(place: Place, type: Type): Place {
  switch (place.kind) {
    case "register":
      return isScalar(type) ? { ...place, type } : place;
    case "memory":
      return { ...place, type, address: retype(place.address, pointerTo(type)) };
    case "flat": {
      if (type.kind !== "struct" || type.layout === null) return place;
      const { fields } = type.layout;
      return { ...place, type, parts: place.parts.map((part, i) => seenAs(part, fields[i]!.type)) };
    }
    default:
      return assertNever(place, "place");
  }
}

/** The variable that library functions set: declared at file level, and defined by no file. */
export function isErrno({ name, defined, type, owner, linkage }: StaticObject): boolean {
  return name === "errno" && !defined && type.kind === "int" && owner === null && linkage === "external";
}

/** An initialised flexible array member needs room behind the struct; nothing else sees the larger type. */
function makeRoom(unit: UnitContext, object: StaticObject, place: Place, variables: readonly ProgramVariable[]): void {
  const { type } = place;
  const variable = variables[0];
  if (place.kind !== "memory" || type.kind !== "struct" || object.initializer?.kind !== "list") return;
  const fields = type.layout?.fields ?? [];
  const last = fields[fields.length - 1];
  if (variable === undefined || last?.type.kind !== "array" || last.type.length !== null) return;
  const cx = newContext(unit, object.owner, initializerName, null, object.scope);
  let length = 0;
  for (const { path, value } of planInitializer(cx, type, object.initializer).leaves) {
    if (path[0] !== fields.length - 1) continue;
    const string = path.length === 1 && value.kind === "string" ? value.units.length + 1 : 0;
    length = Math.max(length, string, (path[1] ?? -1) + 1);
  }
  const member: ArrayType = { ...last.type, length };
  const size = last.offset + (sizeOf(member, unit.types.pointerBytes) ?? 0);
  const layout = {
    ...type.layout!,
    size: Math.max(size, type.layout!.size),
    fields: [...fields.slice(0, -1), { ...last, type: member }],
  };
  unit.variables[variable.id] = { ...variable, type: { ...type, layout } };
}

/** A tentative `int a[];` that is never completed has one element. */
function completed(type: Type): Type {
  return type.kind === "array" && type.length === null ? { ...type, length: 1 } : type;
}

export function newStatic(
  unit: UnitContext,
  name: string,
  type: Type,
  range: SourceRange,
  owner: FunctionId | null,
  scope: StaticObject["scope"],
): StaticObject {
  const object: Omit<StaticObject, "linked"> = {
    kind: "static",
    name,
    linkage: owner === null ? "external" : "internal",
    file: unit.file,
    type,
    defined: false,
    initializer: null,
    specifiers: null,
    range,
    scope,
    order: unit.made.statics++,
    addressTaken: false,
    owner,
    place: null,
  };
  return Object.assign(object, { linked: object as StaticObject });
}
