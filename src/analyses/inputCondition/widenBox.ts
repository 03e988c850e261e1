import type { Term, Variable } from "../../logic/term.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

export type RecordedValue = { readonly input: Variable; readonly value: bigint };

/**
 * Bounds of inputs with which something holds: begins with the recorded values, does without those that do not matter, and moves
 * each bound of the others as far away as it goes. Null where it does not even hold for the recorded values, or for
 * nothing but them.
 */
export function widenBox(
  symbols: Symbols,
  recorded: readonly RecordedValue[],
  holds: (bounds: readonly Term[]) => boolean,
): readonly Term[] | null {
  const { terms } = symbols;
  const sides = new Map<Variable, readonly Term[]>();
  for (const { input, value } of recorded) sides.set(input, [terms.eq(input, terms.int(value))]);
  const holdsNow = () => holds([...sides.values()].flat());
  if (!holdsNow()) return null;
  for (const { input } of recorded) {
    const own = sides.get(input)!;
    sides.delete(input);
    if (!holdsNow()) sides.set(input, own);
  }
  for (const { input, value } of recorded) {
    if (!sides.has(input)) continue;
    const { min, max } = symbols.range(input);
    const within = (low: bigint | null, high: bigint | null): readonly Term[] => [
      ...(low === null ? [] : [terms.ge(input, terms.int(low))]),
      ...(high === null ? [] : [terms.le(input, terms.int(high))]),
    ];
    const test = (low: bigint | null, high: bigint | null): boolean => {
      sides.set(input, within(low, high));
      return holdsNow();
    };
    const high = test(value, null) ? null : farthest(value, max ?? value, (bound) => test(value, bound));
    const low = test(null, high) ? null : farthest(value, min ?? value, (bound) => test(bound, high));
    // A claim about one value only is not worth what it leaves out.
    if (low === value && high === value) return null;
    sides.set(input, within(low, high));
  }
  return [...sides.values()].flat();
}

/** The bound farthest from one that is good, on the way to another, such that it and those before are good. */
export function farthest(good: bigint, limit: bigint, isGood: (bound: bigint) => boolean): bigint {
  let [near, far] = [good, limit];
  const step = limit >= good ? 1n : -1n;
  if (near !== far && isGood(far)) return far;
  while ((far - near) * step > 1n) {
    const middle = (near + far) / 2n;
    if (isGood(middle)) near = middle;
    else far = middle;
  }
  return near;
}
