import { type Concrete, objectOf } from "../recorder/language.ts";
import type { ReplayEvidence } from "./evidence.ts";
import { collectionOf } from "./makers.ts";
import { tagOf } from "./tag.ts";

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
