/** The values in order, without changing the list. */
export function ordered(values: readonly number[]): number[] {
  const result: number[] = [];
  for (const value of values) {
    let at = result.length;
    while (at > 1 && result[at - 1]! > value) at--;
    for (let i = result.length; i > at; i--) result[i] = result[i - 1]!;
    result[at] = value;
  }
  return result;
}

export function median(values: readonly number[]): number {
  const sorted = ordered(values);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
