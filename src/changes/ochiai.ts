/**
 * How much tests speak against code that they reach, between 0 and 1: much if all failing ones reach it and few of the
 * passing ones do (Ochiai: Abreu, Zoeteweij, van Gemund 2006).
 */
export function ochiai(failed: number, passed: number, failing: number): number {
  return failing === 0 ? 0 : failed / Math.sqrt(failing * (failed + passed));
}
