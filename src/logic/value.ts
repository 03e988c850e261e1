/** The value of a term: of sort Int, Bool or Array. */
export type Value = bigint | boolean | ArrayValue;

/** A total function from integers to integers that differs from `otherwise` at finitely many indices. */
export type ArrayValue = { readonly entries: ReadonlyMap<bigint, bigint>; readonly otherwise: bigint };

export function arrayValue(entries: Iterable<readonly [bigint, bigint]> = [], otherwise = 0n): ArrayValue {
  return { entries: new Map(entries), otherwise };
}

export function readArray(array: ArrayValue, index: bigint): bigint {
  return array.entries.get(index) ?? array.otherwise;
}

export function writeArray(array: ArrayValue, index: bigint, value: bigint): ArrayValue {
  if (readArray(array, index) === value) return array;
  return { entries: new Map(array.entries).set(index, value), otherwise: array.otherwise };
}

export function equalValues(a: Value, b: Value): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (a.otherwise !== b.otherwise) return false;
  for (const [index, value] of a.entries) if (readArray(b, index) !== value) return false;
  for (const [index, value] of b.entries) if (readArray(a, index) !== value) return false;
  return true;
}
