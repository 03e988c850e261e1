import type { ObjectState, PropertyState } from "../../js/recorder/readCalls.ts";

/** `items[k] == null` for each index k on one side of a field: what no single condition of the program says. */
export type Template = {
  readonly array: string;
  readonly bound: string;
  readonly side: "<" | "<=" | ">" | ">=";
  readonly content: "null" | "not null";
};

const sides = { null: [">", ">="], "not null": ["<=", "<"] } as const;

/** Templates that hold in every state and say something in at least two. */
export function arrayTemplates(states: readonly ObjectState[]): readonly Template[] {
  const names = [...new Set(states.flatMap((state) => [...state.properties.keys()]))];
  const arrays = names.filter((name) => states.every((state) => isWholeArray(state.properties.get(name))));
  const bounds = names.filter((name) =>
    states.every((state) => Number.isSafeInteger(state.properties.get(name)?.value)),
  );
  const found: Template[] = [];
  for (const array of arrays)
    for (const content of ["null", "not null"] as const) {
      const candidates = bounds.flatMap((bound) => sides[content].map((side) => ({ array, bound, side, content })));
      // The widest range is the strongest claim.
      const holding = candidates.find((template) => holds(template, states));
      if (holding !== undefined) found.push(holding);
    }
  // One without the other is mostly an array that never held anything else.
  return found.filter((one) => found.some((other) => other.array === one.array && other.content !== one.content));
}

function isWholeArray(property: PropertyState | undefined): boolean {
  return property !== undefined && property.length !== null && property.length === property.elements.length;
}

function holds({ array, bound, side, content }: Template, states: readonly ObjectState[]): boolean {
  let telling = 0;
  for (const state of states) {
    const { elements } = state.properties.get(array)!;
    const limit = state.properties.get(bound)!.value as number;
    const inside = elements.filter((_, k) => compare(k, side, limit));
    if (!inside.every((element) => (element === null || element === undefined) === (content === "null"))) return false;
    if (inside.length > 0) telling++;
  }
  return telling >= 2;
}

function compare(k: number, side: Template["side"], limit: number): boolean {
  if (side === "<") return k < limit;
  if (side === "<=") return k <= limit;
  return side === ">" ? k > limit : k >= limit;
}
