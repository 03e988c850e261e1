import { nth, present } from "../../base/checked.ts";
import { assertNever, Defect } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { addressOfVariable, type DraftEdge, emitTo, retype } from "../../ir/builder.ts";
import { type FinishedGraph, finishGraph } from "../../ir/finishGraph.ts";
import type { FunctionId, ProgramVariable } from "../../ir/program.ts";
import { initializerName } from "../../ir/reservedNames.ts";
import { type ArrayType, isScalar, type StructType, sizeOf, type Type } from "../../ir/type.ts";
import {
  addVariable,
  type Context,
  type FlatPlace,
  inputError,
  newContext,
  note,
  type Place,
  type UnitContext,
} from "../lower/context.ts";
import { lowerExpr } from "../lower/lowerExpression.ts";
import { copyStruct, writePlace } from "../lower/lowerPlace.ts";
import { inputPlace } from "../lower/lowerUndefinedCall.ts";
import { pointerTo } from "../types/cType.ts";
import { emitInitializer } from "./initialize.ts";
import { refuseUnsupported } from "./lowerDeclaration.ts";
import { planInitializer } from "./planInitializer.ts";
import { isConstObject, type StaticObject } from "./scope.ts";

/** Structs with more scalars than this stay in memory: a hundred registers are not easier to read than one object. */
const mostFlatParts = 32;

type VariableShape = Omit<ProgramVariable, "id" | "name" | "type" | "storage">;

/** Chooses storage: registers for scalars, and for parts of structs, whose address is never taken; else memory. */
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
    parts: present(structType.layout).fields.map((field) =>
      register(field.name === "" ? structName : `${structName}.${field.name}`, field.type),
    ),
  });
  const flatParts = addressTaken ? null : countFlatParts(type);
  if (flatParts !== null && flatParts <= mostFlatParts) return { place: register(name, type), variables };
  const variable = add(name, type, "memory");
  return { place: { kind: "memory", type, address: addressOfVariable(variable) }, variables };
}

/** The number of scalars in a scalar or a struct of scalars; null if it must be in memory. */
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
      ...(object.defined && isConstObject(object.constness) ? { isConst: true } : {}),
    });
    for (const variable of variables) unit.statics.set(variable.id, object);
    makeRoom(unit, object, place, variables);
    object.place = place;
  }
  return object.place;
}

/** The same place with the (compatible) type that another file declares. */
function seenAs(place: Place, type: Type): Place {
  switch (place.kind) {
    case "register":
      return isScalar(type) ? { ...place, type } : place;
    case "memory":
      return { ...place, type, address: retype(place.address, pointerTo(type)) };
    case "flat": {
      if (type.kind !== "struct" || type.layout === null) return place;
      const { fields } = type.layout;
      return { ...place, type, parts: place.parts.map((part, i) => seenAs(part, nth(fields, i).type)) };
    }
    default:
      return assertNever(place, "place");
  }
}

/** True for the variable that library functions set: declared at file level and defined by no file. */
export function isErrno({ name, defined, type, owner, linkage }: StaticObject): boolean {
  return name === "errno" && !defined && type.kind === "int" && owner === null && linkage === "external";
}

/** An initialised flexible array member needs room after the struct; nothing else sees the larger type. */
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
    ...present(type.layout),
    size: Math.max(size, present(type.layout).size),
    fields: [...fields.slice(0, -1), { ...last, type: member }],
  };
  unit.variables[variable.id] = { ...variable, type: { ...type, layout } };
}

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
    constness: [],
    range,
    scope,
    order: unit.made.statics++,
    addressTaken: false,
    owner,
    place: null,
  };
  return Object.assign(object, { linked: object as StaticObject });
}

export const initializerId = 0 as FunctionId;

/** The operations that initialise one static object; later joined in declaration order. */
export type StaticInitializer = { readonly object: StaticObject; readonly graph: FinishedGraph };

export function lowerStatic(unit: UnitContext, object: StaticObject): StaticInitializer {
  const cx = newContext(unit, initializerId, initializerName, null, object.scope);
  const place = placeOfStatic(unit, object);
  const { initializer } = object;
  if (initializer !== null) {
    if (initializer.kind === "expression" && place.type.kind === "struct") {
      const value = lowerExpr(cx, initializer.value);
      if (value.kind !== "struct")
        inputError("TF171", `${object.name} must be initialised with a struct`, object.range);
      copyStruct(cx, place, value.place, object.range);
    } else emitInitializer(cx, place, initializer, false, object.range);
  } else if (!object.defined) initializeUndefined(cx, object);
  emitTo(cx, cx.exit, { kind: "return", value: null }, object.range);
  return { object, graph: finishGraph(cx.graph, 0, cx.exit) };
}

const streams = ["stdin", "stdout", "stderr"] as const;

/** The standard streams and `errno`: declared by the library's headers, defined by Tracefold. */
export function isOfLibrary(object: StaticObject): boolean {
  return isErrno(object) || streamOf(object) !== null;
}

function streamOf({ name, type }: StaticObject): (typeof streams)[number] | null {
  return type.kind === "pointer" ? (streams.find((stream) => stream === name) ?? null) : null;
}

function initializeUndefined(cx: Context, object: StaticObject): void {
  const { unit } = cx;
  const { range, name } = object;
  if (isErrno(object)) return;
  const place = placeOfStatic(unit, object);
  const role = streamOf(object);
  if (role !== null && place.type.kind === "pointer") {
    const stream = addVariable(unit, {
      name: `$${name}`,
      madeUp: true,
      role,
      type: { kind: "array", element: unit.types.char, length: 1 },
      kind: "static",
      storage: "memory",
      function: null,
      range,
    });
    return writePlace(cx, place, retype(addressOfVariable(stream), place.type), range);
  }
  const isNumber = place.type.kind === "int" || place.type.kind === "bool" || place.type.kind === "float";
  if (!isNumber) return note(cx, `undefined variable ${name}: it starts as zero`, range);
  note(cx, `undefined variable ${name}: its first value is an input`, range);
  inputPlace(cx, place, name, range);
}

/** Concatenates all initialisers into one function body. */
export function joinInitializers(initializers: readonly StaticInitializer[]): FinishedGraph {
  const edges: DraftEdge[] = [];
  const exit = 0;
  let locations = 1;
  const starts = initializers.map(({ graph }) => {
    const start = locations;
    locations += graph.locations;
    return start;
  });
  const last = locations++;
  initializers.forEach(({ graph }, i) => {
    const start = nth(starts, i);
    const next = i + 1 < starts.length ? nth(starts, i + 1) + nth(initializers, i + 1).graph.entry : last;
    for (const edge of graph.edges) {
      const from = start + edge.from;
      if (edge.operation.kind === "return") edges.push({ ...edge, from, to: next, operation: { kind: "skip" } });
      else edges.push({ ...edge, from, to: edge.to === graph.exit ? exit : start + edge.to });
    }
  });
  const range = initializers[0]?.object.range ?? { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  edges.push({ from: last, to: exit, operation: { kind: "return", value: null }, range });
  const first = initializers[0];
  return finishGraph({ locations, edges }, first === undefined ? last : nth(starts, 0) + first.graph.entry, exit);
}
