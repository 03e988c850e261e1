import { describe, expect, it } from "vitest";
import { exploreText, statuses } from "../../support/explored.ts";

describe("loops unrolled with all ways merged", () => {
  it("find inputs among too many paths, and a run confirms them", async () => {
    const found = await exploreText(
      `int main(void) {
        int state = 0, sum = 0;
        for (int i = 0; i < 12; i++) {
          int x = __VERIFIER_nondet_int();
          if (x > 5) sum += 1; else if (x < -5) sum += 2;
          if (state == 0 && x == 7) state = 1; else if (state == 1 && x == -9) state = 2;
        }
        __VERIFIER_assert(!(state == 2 && sum == 20));
      }`,
      { mode: "merged" },
    );
    expect(statuses(found)).toEqual(["reached"]);
    expect(found.targets[0]).toMatchObject({ run: { outcome: { kind: "assertion" } } });
    expect(found.counts.states).toBeLessThan(400);
  });

  it("show that an assertion holds after bounded loops", async () => {
    const shown = await exploreText(
      `int main(void) {
        int a[6], most = -1000;
        for (int i = 0; i < 6; i++) { __VERIFIER_assume(a[i] < 1000 && a[i] > -1000); if (a[i] > most) most = a[i]; }
        for (int i = 0; i < 6; i++) __VERIFIER_assert(a[i] <= most);
      }`,
      { mode: "merged" },
    );
    expect(statuses(shown)).toEqual(["unreachable"]);
  });

  it("leave targets open after loops without a bound", async () => {
    const open = await exploreText(
      `int main(void) { unsigned i = 0; while (i < 1000000u) { i += 1 + (__VERIFIER_nondet_int() > 0); } __VERIFIER_assert(i < 1000002u); }`,
      { mode: "merged", limits: { maxStates: 1000, maxDepth: 20 } },
    );
    expect(open.targets[0]).toMatchObject({ status: "unknown", reason: "the limit of 20 rounds was reached" });
  });
});
