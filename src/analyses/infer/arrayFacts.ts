import { nth, present } from "../../base/checked.ts";
import type { ObjectState, PropertyState, Recorded } from "../../js/recorder/readLog.ts";

export type ArrayOrder = {
  readonly array: string;
  /** `next`: each element and its successor; `parent`: each element and the one at half its index, as in a heap. */
  readonly pairs: "next" | "parent";
  readonly operator: "<=" | ">=";
};

/**
 * The number of different contents with at least three elements that must be in this order: chance produces the order
 * in one of six (or three) cases, so the error is below one percent.
 */
const needed = { next: 4, parent: 5 } as const;

/** The strongest order that an array has in every state. */
export function arrayOrders(states: readonly ObjectState[]): readonly ArrayOrder[] {
  const names = [...new Set(states.flatMap((state) => [...state.properties.keys()]))];
  return names.flatMap((array) => {
    const contents = contentsOf(states, array);
    if (contents === null) return [];
    const context = new Set(contents.filter((one) => one.length >= 3).map((one) => JSON.stringify(one))).size;
    const candidates: readonly ArrayOrder[] = (["next", "parent"] as const).flatMap((pairs) =>
      (["<=", ">="] as const).map((operator) => ({ array, pairs, operator })),
    );
    const found = candidates.find((one) => context >= needed[one.pairs] && contents.every((each) => isSo(one, each)));
    return found === undefined ? [] : [found];
  });
}

/** The elements of the array in each state; null if they are not of one ordered kind, or not all recorded. */
function contentsOf(states: readonly ObjectState[], array: string): readonly (readonly (number | string)[])[] | null {
  const contents: (number | string)[][] = [];
  const kinds = new Set<string>();
  for (const state of states) {
    const property = state.properties.get(array);
    if (property === undefined || property.length === null || property.length !== property.elements.length) return null;
    const elements: readonly Recorded[] = property.elements;
    for (const element of elements) kinds.add(typeof element);
    contents.push([...elements] as (number | string)[]);
  }
  const [kind] = kinds;
  return kinds.size === 1 && (kind === "number" || kind === "string") ? contents : null;
}

function isSo({ pairs, operator }: ArrayOrder, elements: readonly (number | string)[]): boolean {
  return elements.every((element, k) => {
    if (k === 0) return true;
    const other = nth(elements, pairs === "next" ? k - 1 : (k - 1) >> 1);
    return operator === "<=" ? other <= element : other >= element;
  });
}

export type ArrayTemplate = {
  readonly array: string;
  readonly bound: string;
  readonly side: "<" | "<=" | ">" | ">=";
  readonly content: "null" | "not null";
};

const sides = { null: [">", ">="], "not null": ["<=", "<"] } as const;

/** Templates that hold in every state and are not vacuous in at least two. */
export function arrayTemplates(states: readonly ObjectState[]): readonly ArrayTemplate[] {
  const names = [...new Set(states.flatMap((state) => [...state.properties.keys()]))];
  const arrays = names.filter((name) => states.every((state) => isWholeArray(state.properties.get(name))));
  const bounds = names.filter((name) =>
    states.every((state) => Number.isSafeInteger(state.properties.get(name)?.value)),
  );
  const found: ArrayTemplate[] = [];
  for (const array of arrays)
    for (const content of ["null", "not null"] as const) {
      const candidates = bounds.flatMap((bound) => sides[content].map((side) => ({ array, bound, side, content })));
      // The widest range is the strongest claim.
      const holding = candidates.find((template) => holds(template, states));
      if (holding !== undefined) found.push(holding);
    }
  // A template without its counterpart usually means an array that never held anything else.
  return found.filter((one) => found.some((other) => other.array === one.array && other.content !== one.content));
}

function isWholeArray(property: PropertyState | undefined): boolean {
  return property !== undefined && property.length !== null && property.length === property.elements.length;
}

function holds({ array, bound, side, content }: ArrayTemplate, states: readonly ObjectState[]): boolean {
  let context = 0;
  for (const state of states) {
    const { elements } = present(state.properties.get(array));
    const limit = present(state.properties.get(bound)).value as number;
    const inside = elements.filter((_, k) => compare(k, side, limit));
    if (!inside.every((element) => (element === null || element === undefined) === (content === "null"))) return false;
    if (inside.length > 0) context++;
  }
  return context >= 2;
}

function compare(k: number, side: ArrayTemplate["side"], limit: number): boolean {
  if (side === "<") return k < limit;
  if (side === "<=") return k <= limit;
  return side === ">" ? k > limit : k >= limit;
}
