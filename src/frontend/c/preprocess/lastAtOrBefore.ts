/** The index of the last entry that is at most `value`, in ascending numbers; -1 when there is none. */
export function lastAtOrBefore(ascending: readonly number[], value: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
