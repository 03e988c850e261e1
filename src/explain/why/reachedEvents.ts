/**
 * Events that a search has come to, each with the cheapest way known: a hash table in plain arrays, because a long run has
 * hundreds of thousands of them. An event is known by its slot from then on.
 */
export type ReachedEvents = {
  slotOf(key: number): number;
  /** For one that is new and that the caller finds again without its key. */
  append(key: number): number;
  key(slot: number): number;
  cost(slot: number): number;
  /** The slot that its way goes on to. */
  to(slot: number): number;
  kind(slot: number): number;
  /** Takes the way if it is cheaper than the one that is known. */
  improve(slot: number, cost: number, to: number, kind: number): boolean;
  /** Once for each event, at the cost that it has now. */
  finish(slot: number, cost: number): boolean;
};

const unreached = 2 ** 31 - 1;

export function createReachedEvents(): ReachedEvents {
  let size = 0;
  let keys = new Int32Array(1024);
  let costs = new Int32Array(1024).fill(unreached);
  let targets = new Int32Array(1024);
  let kinds = new Uint8Array(1024);
  let finished = new Uint8Array(1024);
  /** Slots with 1 added, by hash; at most half of it is used. */
  let table = new Int32Array(4096);
  let used = 0;

  const place = (key: number): number => {
    const mask = table.length - 1;
    let at = Math.imul(key, 0x9e3779b1) >>> 7;
    for (at &= mask; table[at] !== 0 && keys[table[at]! - 1] !== key; ) at = (at + 1) & mask;
    return at;
  };
  const growTable = (): void => {
    const old = table;
    table = new Int32Array(old.length * 2);
    for (const stored of old) if (stored !== 0) table[place(keys[stored - 1]!)] = stored;
  };
  const append = (key: number): number => {
    if (size === keys.length) {
      const length = size * 2;
      keys = copied(keys, new Int32Array(length));
      costs = copied(costs, new Int32Array(length).fill(unreached));
      targets = copied(targets, new Int32Array(length));
      kinds = copied(kinds, new Uint8Array(length));
      finished = copied(finished, new Uint8Array(length));
    }
    keys[size] = key;
    return size++;
  };
  return {
    append,
    slotOf(key) {
      const at = place(key);
      if (table[at] !== 0) return table[at]! - 1;
      const slot = append(key);
      table[at] = slot + 1;
      if (++used * 2 > table.length) growTable();
      return slot;
    },
    key: (slot) => keys[slot]!,
    cost: (slot) => costs[slot]!,
    to: (slot) => targets[slot]!,
    kind: (slot) => kinds[slot]!,
    improve(slot, cost, to, kind) {
      if (costs[slot]! <= cost) return false;
      costs[slot] = cost;
      targets[slot] = to;
      kinds[slot] = kind;
      return true;
    },
    finish(slot, cost) {
      if (finished[slot] === 1 || costs[slot] !== cost) return false;
      finished[slot] = 1;
      return true;
    },
  };
}

function copied<Numbers extends Int32Array | Uint8Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
