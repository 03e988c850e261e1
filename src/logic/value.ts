/** The value of a term: of sort Int, Bool or Array. */
export type Value = bigint | boolean | ArrayValue;

/**
 * A function from integers to integers that differs from `otherwise` at finitely many indices; null where its value is
 * not known. Those of a model are known everywhere.
 */
export type ArrayValue = { readonly entries: ReadonlyMap<bigint, bigint | null>; readonly otherwise: bigint | null };

export function arrayValue(
  entries: Iterable<readonly [bigint, bigint | null]> = [],
  otherwise: bigint | null = 0n,
): ArrayValue {
  return { entries: new Map(entries), otherwise };
}

/** An array of which nothing is known. */
export const unknownArray: ArrayValue = arrayValue([], null);

/** One write on top of another array, so that a long chain of writes does not copy the array each time. */
class Overlay implements ArrayValue {
  readonly base: ArrayValue;
  readonly index: bigint;
  readonly value: bigint | null;
  readonly depth: number;

  constructor(base: ArrayValue, index: bigint, value: bigint | null, depth: number) {
    this.base = base;
    this.index = index;
    this.value = value;
    this.depth = depth;
  }

  get otherwise(): bigint | null {
    return this.base.otherwise;
  }

  get entries(): ReadonlyMap<bigint, bigint | null> {
    const writes: Overlay[] = [];
    let array: ArrayValue = this;
    for (; array instanceof Overlay; array = array.base) writes.push(array);
    const entries = new Map(array.entries);
    for (const { index, value } of writes.reverse()) entries.set(index, value);
    return entries;
  }
}

/** Overlays on overlays up to this depth; then the array is copied. */
const overlayLimit = 64;

export function readArray(array: ArrayValue, index: bigint): bigint | null {
  let base = array;
  for (; base instanceof Overlay; base = base.base) if (base.index === index) return base.value;
  const entry = base.entries.get(index);
  return entry === undefined ? base.otherwise : entry;
}

export function writeArray(array: ArrayValue, index: bigint, value: bigint | null): ArrayValue {
  if (readArray(array, index) === value) return array;
  const depth = array instanceof Overlay ? array.depth + 1 : 1;
  if (depth <= overlayLimit) return new Overlay(array, index, value, depth);
  return { entries: new Map(array.entries).set(index, value), otherwise: array.otherwise };
}

/** null where it depends on what is not known. */
export function equalValues(a: Value, b: Value): boolean | null {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  const indices = new Set([...a.entries.keys(), ...b.entries.keys()]);
  const pairs = [...indices].map((index) => [readArray(a, index), readArray(b, index)]);
  let equal: boolean | null = true;
  for (const [left, right] of [...pairs, [a.otherwise, b.otherwise]]) {
    if (left === null || right === null) equal = null;
    else if (left !== right) return false;
  }
  return equal;
}
