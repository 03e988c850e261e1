import type { ObjectState } from "../../js/recorder/readCalls.ts";
import type { Recorded } from "../../js/recorder/recorded.ts";

/** How the elements of an array field stand to each other: no condition of the program says it of all of them. */
export type ArrayOrder = {
  readonly array: string;
  /** `next`: each and the one behind it; `parent`: each and the one at half its index, as in a heap. */
  readonly pairs: "next" | "parent";
  readonly operator: "<=" | ">=";
};

/**
 * Different contents with three elements or more that have to be in this order: an order that comes about by chance one time in six, or in
 * three, is then seen less than one time in a hundred.
 */
const needed = { next: 4, parent: 5 } as const;

/** The strongest order that an array has in every state. */
export function arrayOrders(states: readonly ObjectState[]): readonly ArrayOrder[] {
  const names = [...new Set(states.flatMap((state) => [...state.properties.keys()]))];
  return names.flatMap((array) => {
    const contents = contentsOf(states, array);
    if (contents === null) return [];
    const telling = new Set(contents.filter((one) => one.length >= 3).map((one) => JSON.stringify(one))).size;
    const candidates: readonly ArrayOrder[] = (["next", "parent"] as const).flatMap((pairs) =>
      (["<=", ">="] as const).map((operator) => ({ array, pairs, operator })),
    );
    const found = candidates.find((one) => telling >= needed[one.pairs] && contents.every((each) => isSo(one, each)));
    return found === undefined ? [] : [found];
  });
}

/** The elements of the array in each state; null where they are not all of one kind that has an order, or not all recorded. */
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
    const other = elements[pairs === "next" ? k - 1 : (k - 1) >> 1]!;
    return operator === "<=" ? other <= element : other >= element;
  });
}
