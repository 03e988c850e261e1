import type { FloatType, IntType } from "../../ir/type.ts";
import type { RecordedObject } from "../recorder/readLog.ts";
import { type Concrete, objectOf, unknownValue } from "../recorder/valueRules.ts";
import type { RecordedAllocation, ReplayEvidence } from "./evidence.ts";
import { collectionOf, eachMethods, methodName } from "./makers.ts";

/** The kind of a value in the program model. */
export type Tag = "int" | "double" | "bool" | "string" | "object" | "function" | "undefined" | "null" | "other";

/** Integers of the program model; what is larger is kept as a double. */
export const largestInt = 2 ** 50;

export function tagOf(value: Concrete): Tag {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "bigint":
    case "symbol":
      return "other";
    case "number":
      return Number.isInteger(value) && Math.abs(value) < largestInt ? "int" : "double";
    default:
      if (value === null) return "null";
      if (value.kind === "text") return "string";
      return value.kind === "object" || value.kind === "function" ? value.kind : "other";
  }
}

/** Kinds of keys of Maps and Sets that the program model can find an entry by. */
export type KeyKind = "string" | "int" | "object";

/** The entries of a Map lie in a row, one for every key of the run. Those of one kind follow each other as their numbers do. */
export type Slots = {
  readonly count: number;
  /** The key with the number `first` has the slot `at`; null where keys of the kind have none. */
  of(kind: KeyKind): { readonly first: number; readonly at: number } | null;
};

/** Integers that are keys lie so close together at most. */
const widestRange = 4096;
/** Runs that differ a little from the recorded one have keys that it did not have. */
const margin = 8;

/** Given how strings and objects are numbered, and how many there are. */
export function slotsOf(
  keys: ReadonlySet<Concrete>,
  { strings, objects }: Readonly<Record<"strings" | "objects", { readonly first: number; readonly count: number }>>,
): Slots {
  const numbers = [...keys].filter((key) => typeof key === "number");
  const least = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) - margin;
  const most = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) + margin;
  const ints = numbers.length > 0 && most - least <= widestRange ? most - least + 1 : 0;
  const places = {
    string: { first: strings.first, at: 0 },
    int: ints === 0 ? null : { first: least, at: strings.count },
    object: { first: objects.first, at: strings.count + ints },
  };
  const hasObjects = [...keys].some((key) => objectOf(key) !== null);
  return { count: strings.count + ints + (hasObjects ? objects.count : 0), of: (kind) => places[kind] };
}

/** The slot of the key that has this number. */
export function slotOfNumber(slots: Slots, kind: KeyKind, number: number): number | null {
  const place = slots.of(kind);
  return place === null ? null : number - place.first + place.at;
}

/** Null where the model has no entry for such a key. */
export function keyKind(evidence: Pick<ReplayEvidence, "made">, key: Concrete): KeyKind | null {
  const tag = tagOf(key);
  if (tag === "string") return typeof key === "string" && key !== "" ? "string" : null;
  if (tag === "int") return "int";
  const object = objectOf(key);
  const maker = object === null ? undefined : evidence.made.get(object)?.maker;
  if (maker === undefined || collectionOf(maker) !== null) return null;
  return maker.type === "ObjectExpression" || maker.type === "NewExpression" ? "object" : null;
}

/**
 * How a value is held. `int`, `bool` and `double` hold numbers and truth values as they are. `any` holds everything as a number:
 * integers as themselves, everything else as one of the numbers from `base` on, which stand for one value each.
 */
export type Repr = "int" | "bool" | "double" | "any";

export const base = 2 ** 51;
/** Falsy values come first. */
export const special = {
  undefined: base,
  null: base + 1,
  false: base + 2,
  nan: base + 3,
  emptyString: base + 4,
  true: base + 5,
  /** A number with a fraction, where only its being one is known. */
  number: base + 6,
  function: base + 7,
  unknown: base + 8,
} as const;
const firstOther = base + 16;
const firstString = base + 2 ** 32;
export const firstObject = base + 2 ** 40;
export const firstArray = base + 2 ** 41;
const firstStranger = base + 2 ** 42;

export type Encoding = {
  /** Everything; prints names. */
  readonly anyType: IntType;
  encode(value: Concrete, repr: Repr): bigint | number;
  /** The number that stands for an object of the program model. */
  objectNumber(object: RecordedObject): number;
  /** The maker of the object of a number. */
  allocationOf(number: number): RecordedAllocation | null;
  readonly objects: number;
  readonly arrays: number;
  /** The place of the entry of a key in Maps and Sets. */
  readonly slots: Slots;
};

export const numberType: IntType = {
  ...{ kind: "int", bits: 64, signed: true, name: "number" },
  numbersFrom: BigInt(base),
};
export const booleanType: IntType = {
  kind: "int",
  bits: 64,
  signed: true,
  name: "boolean",
  enumerators: [
    { name: "false", value: 0n },
    { name: "true", value: 1n },
  ],
};
export const doubleType: FloatType = { kind: "float", bits: 64, plain: true };

export function reprOf(tags: ReadonlySet<Tag>): Repr {
  const all = [...tags];
  if (all.length === 0) return "any";
  if (all.every((tag) => tag === "int")) return "int";
  if (all.every((tag) => tag === "bool")) return "bool";
  return all.every((tag) => tag === "int" || tag === "double") ? "double" : "any";
}

/** Ordered things: arrays, and the keys of Maps and Sets. */
export function isArrayMade({ maker }: RecordedAllocation): boolean {
  if (maker.type === "ArrayExpression" || collectionOf(maker) !== null) return true;
  const method = maker.type === "CallExpression" ? methodName(maker) : null;
  return method !== null && eachMethods.has(method);
}

/** Numbers for all values of a run. Strings are numbered in their order, so that comparing numbers compares strings. */
export function encodingOf(evidence: ReplayEvidence): Encoding {
  const strings = new Set<string>();
  const objects = new Map<RecordedObject, number>();
  const names: { name: string; value: bigint }[] = [];
  let madeObjects = 0;
  let madeArrays = 0;
  const allocations = new Map<number, RecordedAllocation>();
  for (const made of evidence.allocations) {
    const number = isArrayMade(made) ? firstArray + ++madeArrays : firstObject + ++madeObjects;
    allocations.set(number, made);
    if (made.object !== null) objects.set(made.object, number);
    names.push({ name: objectName(made.object ?? unseen(made)), value: BigInt(number) });
  }
  for (const list of [...evidence.values.values(), ...evidence.results.values()]) {
    for (const value of list) {
      if (typeof value === "string") strings.add(value);
      const object = objectOf(value);
      if (object === null || objects.has(object)) continue;
      const number = firstStranger + objects.size;
      objects.set(object, number);
      names.push({ name: objectName(object), value: BigInt(number) });
    }
  }
  for (const key of evidence.keys) if (typeof key === "string") strings.add(key);
  const sorted = [...strings].filter((text) => text !== "").sort((a, b) => (a < b ? -1 : 1));
  const numberOf = new Map(sorted.map((text, i) => [text, firstString + i]));
  for (const [text, number] of numberOf) names.push({ name: quoted(text), value: BigInt(number) });
  // A trial may change a text to one that is not among them.
  for (const number of [firstString - 1, firstString + sorted.length])
    names.push({ name: "another text", value: BigInt(number) });
  const others = new Map<unknown, number>();
  const otherNumber = (value: unknown): number => {
    const key = typeof value === "object" ? value : `${typeof value}:${String(value)}`;
    const known = others.get(key) ?? firstOther + others.size;
    others.set(key, known);
    return known;
  };
  const anyNumber = (value: Concrete): number => {
    if (value === undefined) return special.undefined;
    if (value === null) return special.null;
    if (value === unknownValue) return special.unknown;
    if (typeof value === "boolean") return value ? special.true : special.false;
    if (typeof value === "number")
      return tagOf(value) === "int" ? value + 0 : Number.isNaN(value) ? special.nan : special.number;
    if (typeof value === "string")
      return value === "" ? special.emptyString : (numberOf.get(value) ?? otherNumber(value));
    const object = objectOf(value);
    // The comparison with the log finds out if the wrong function was chosen.
    if (object?.kind === "function" && !allocations.has(objects.get(object) ?? 0)) return special.function;
    return object === null ? otherNumber(value) : (objects.get(object) ?? special.unknown);
  };
  return {
    anyType: {
      ...{ kind: "int", bits: 64, signed: true, name: "unknown" },
      enumerators: [...specialNames, ...names],
      numbersFrom: BigInt(base),
    },
    encode(value, repr) {
      switch (repr) {
        case "int":
          return BigInt(typeof value === "number" && Number.isInteger(value) ? value : 0);
        case "bool":
          return value === true ? 1n : 0n;
        case "double":
          return typeof value === "number" ? value : Number.NaN;
        case "any":
          return BigInt(anyNumber(value));
      }
    },
    objectNumber: (object) => objects.get(object) ?? special.unknown,
    allocationOf: (number) => allocations.get(number) ?? null,
    objects: madeObjects,
    arrays: madeArrays,
    slots: slotsOf(evidence.keys, {
      strings: { first: firstString, count: sorted.length },
      // From one on.
      objects: { first: firstObject, count: madeObjects + 1 },
    }),
  };
}

const specialNames = [
  { name: "undefined", value: BigInt(special.undefined) },
  { name: "null", value: BigInt(special.null) },
  { name: "false", value: BigInt(special.false) },
  { name: "true", value: BigInt(special.true) },
  { name: "NaN", value: BigInt(special.nan) },
  { name: '""', value: BigInt(special.emptyString) },
  { name: "a number", value: BigInt(special.number) },
  { name: "a function", value: BigInt(special.function) },
  { name: "a value", value: BigInt(special.unknown) },
];

function quoted(text: string): string {
  const most = 40;
  return JSON.stringify(text.length > most ? `${text.slice(0, most - 1)}…` : text);
}

/** An object that only its initialiser tells about. */
function unseen(made: RecordedAllocation): Parameters<typeof objectName>[0] {
  const collection = collectionOf(made.maker);
  const plain = isArrayMade(made) ? "Array" : "Object";
  return { kind: "object", className: collection === null ? plain : collection === "map" ? "Map" : "Set" };
}

function objectName({ kind, className }: Pick<RecordedObject, "kind" | "className">): string {
  if (kind === "function") return className === "" ? "a function" : className;
  if (className === "Object" || className === "null") return "{…}";
  return className === "Array" ? "[…]" : className;
}
