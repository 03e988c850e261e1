/** A list that grows at its end and is shared by all that go on from one of its elements. */
export type Trail<Item> = { readonly item: Item; readonly before: Trail<Item> | null; readonly length: number } | null;

export function append<Item>(trail: Trail<Item>, item: Item): Trail<Item> {
  return { item, before: trail, length: lengthOf(trail) + 1 };
}

export function lengthOf<Item>(trail: Trail<Item>): number {
  return trail?.length ?? 0;
}

/** First to last. */
export function itemsOf<Item>(trail: Trail<Item>): Item[] {
  const items = new Array<Item>(lengthOf(trail));
  for (let at = trail; at !== null; at = at.before) items[at.length - 1] = at.item;
  return items;
}
