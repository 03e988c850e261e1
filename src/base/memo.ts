type Fillable<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** The value of a key; `make` makes it when it is first asked for. */
export function remembered<Key, Value>(known: Fillable<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** A function of an object that computes each answer once, and keeps it as long as the object. */
export function memoised<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => known.get(key) ?? remembered(known, key, () => compute(key));
}
