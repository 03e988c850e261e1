/**
 * The smallest sequence found for which `fails` still holds: whole stretches are dropped, then set to 0, then single
 * numbers made smaller. Stops after `budget` attempts.
 */
export async function shrinkChoices(
  sequence: readonly number[],
  fails: (candidate: readonly number[]) => Promise<boolean>,
  budget: number,
): Promise<readonly number[]> {
  let best = sequence;
  let left = budget;
  const tried = new Set<string>();
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    const key = candidate.join();
    if (left <= 0 || tried.has(key)) return false;
    tried.add(key);
    left--;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let before: readonly number[] | null = null; before !== best && left > 0; ) {
    before = best;
    for (let size = Math.max(1, best.length >> 1); size >= 1; size >>= 1) await sweep(size);
    for (let at = 0; at < best.length; at++) {
      for (const smaller of [0, best[at]! >> 4, best[at]! >> 1, best[at]! - 1]) {
        if (smaller >= 0 && smaller < best[at]! && (await attempt(best.with(at, smaller)))) break;
      }
    }
  }
  return best;

  async function sweep(size: number): Promise<void> {
    for (let at = 0; at < best.length; ) {
      if (await attempt([...best.slice(0, at), ...best.slice(at + size)])) continue;
      const zeroed = best.map((value, index) => (index >= at && index < at + size ? 0 : value));
      if (zeroed.some((value, index) => value !== best[index])) await attempt(zeroed);
      at += size;
    }
  }
}
