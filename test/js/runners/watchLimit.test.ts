import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchLimit } from "../../../src/js/runners/watchLimit.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches work that grows by this many milliseconds in a second; the second in which it is ended. */
function endedAfter(rate: number, limit: number | null): number | null {
  let [work, ended] = [0, 0];
  const watch = watchLimit(
    limit,
    () => work,
    () => ended++,
  );
  for (let second = 1; second <= 200; second++) {
    for (let part = 0; part < 10; part++) {
      work += rate / 10;
      vi.advanceTimersByTime(100);
    }
    if (ended > 0) {
      clearInterval(watch);
      return second;
    }
  }
  clearInterval(watch);
  return null;
}

it("ends a run by its own work, not by the clock", () => {
  expect(endedAfter(1000, 5000)).toBe(6);
  expect(endedAfter(100, 5000)).toBe(51);
});

it("ends a run that only waits", () => {
  expect(endedAfter(0, 5000)).toBe(6);
  expect(endedAfter(0, null)).toBe(121);
  expect(endedAfter(1000, null)).toBe(null);
});
