/** The value of a term: of sort Int, Bool or Array. */
export type Value = bigint | boolean | ArrayValue;

/** A total function from integers to integers that differs from `otherwise` at finitely many indices. */
export type ArrayValue = { readonly entries: ReadonlyMap<bigint, bigint>; readonly otherwise: bigint };

export function arrayValue(entries: Iterable<readonly [bigint, bigint]> = [], otherwise = 0n): ArrayValue {
  return { entries: new Map(entries), otherwise };
}

/** One write on top of another array, so that a long chain of writes does not copy the array each time. */
class Overlay implements ArrayValue {
  readonly base: ArrayValue;
  readonly index: bigint;
  readonly value: bigint;
  readonly depth: number;

  constructor(base: ArrayValue, index: bigint, value: bigint, depth: number) {
    this.base = base;
    this.index = index;
    this.value = value;
    this.depth = depth;
  }

  get otherwise(): bigint {
    return this.base.otherwise;
  }

  get entries(): ReadonlyMap<bigint, bigint> {
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

export function readArray(array: ArrayValue, index: bigint): bigint {
  let base = array;
  for (; base instanceof Overlay; base = base.base) if (base.index === index) return base.value;
  return base.entries.get(index) ?? base.otherwise;
}

export function writeArray(array: ArrayValue, index: bigint, value: bigint): ArrayValue {
  if (readArray(array, index) === value) return array;
  const depth = array instanceof Overlay ? array.depth + 1 : 1;
  if (depth <= overlayLimit) return new Overlay(array, index, value, depth);
  return { entries: new Map(array.entries).set(index, value), otherwise: array.otherwise };
}

export function equalValues(a: Value, b: Value): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (a.otherwise !== b.otherwise) return false;
  for (const [index, value] of a.entries) if (readArray(b, index) !== value) return false;
  for (const [index, value] of b.entries) if (readArray(a, index) !== value) return false;
  return true;
}
