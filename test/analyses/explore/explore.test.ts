import { describe, expect, it } from "vitest";
import { exploreText, statuses } from "../../support/explored.ts";

describe("symbolic execution", () => {
  it("finds inputs behind several branches, and a run confirms them", async () => {
    for (const mode of ["classic", "concolic", "compact"] as const) {
      const found = await exploreText(
        `int main(void) {
          int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
          if (a * 3 == 12345 * 3) if (b % 1000 == 77 && b > a) __VERIFIER_assert(0);
        }`,
        { mode },
      );
      const [target] = found.targets;
      expect(target?.status).toBe("reached");
      if (target?.status !== "reached") return;
      expect(target.run.outcome.kind).toBe("assertion");
      expect(target.run.inputs[0]).toBe(12345n);
    }
  });

  it("shows that an assertion holds on all paths", async () => {
    const shown = await exploreText(
      `int main(void) {
        int a = __VERIFIER_nondet_int();
        __VERIFIER_assume(a > 0 && a < 100);
        int b = a > 50 ? a - 50 : a;
        __VERIFIER_assert(b >= 1 && b <= 50);
      }`,
      { mode: "classic" },
    );
    expect(statuses(shown)).toEqual(["unreachable"]);
    expect(shown.isComplete).toBe(true);
  });

  it("follows recursion, calls through pointers and the heap", async () => {
    const found = await exploreText(
      `void *malloc(unsigned long);
      int twice(int x) { return 2 * x; }
      int thrice(int x) { return 3 * x; }
      int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
      int main(void) {
        int n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n >= 0 && n < 6);
        int (*f)(int) = n > 2 ? twice : thrice;
        int *p = malloc(2 * sizeof(int));
        p[0] = f(sum(n));
        __VERIFIER_assert(p[0] != 20);
        __VERIFIER_assert(p[0] != 21);
      }`,
      { mode: "classic" },
    );
    expect(statuses(found)).toEqual(["reached", "unreachable"]);
    expect(found.targets[0]).toMatchObject({ run: { inputs: [4n] } });
  });

  it("says that a run was cut short, and takes as many steps as are given", async () => {
    const text = `int main(void) {
      unsigned n = __VERIFIER_nondet_uint();
      if (n * 3u == 1234567u) { for (unsigned i = 0; i < 50000; i++) n++; __VERIFIER_assert(0); }
    }`;
    const short = await exploreText(text, { mode: "compact", run: { maxSteps: 10_000 } });
    expect(short.targets[0]).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("the limit of steps"),
    });
    expect(statuses(await exploreText(text, { mode: "compact" }))).toEqual(["reached"]);
  });

  it("looks for undefined behaviour that is asked for", async () => {
    const found = await exploreText(
      `int main(void) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        if (a > 10 && b > 0) return a + b;
        return 7 / (b == 5 ? a - 3 : 1);
      }`,
      { properties: ["overflow", "division", "shift"], mode: "classic" },
    );
    expect(statuses(found)).toEqual(["reached", "reached", "unreachable"]);
  });

  it("leaves a target open and says so if a limit is reached", async () => {
    const cut = await exploreText(
      `int main(void) {
        int n = __VERIFIER_nondet_int(), i = 0;
        while (i < n) i++;
        __VERIFIER_assert(i >= 0);
      }`,
      { mode: "classic", limits: { maxStates: 200, maxDepth: 500 } },
    );
    expect(cut.targets[0]).toMatchObject({ status: "unknown", reason: "the limit of 200 states was reached" });
  });

  it("does not claim values that the logic does not compute and a run refutes", async () => {
    const open = await exploreText(
      `int main(void) {
        float f = __VERIFIER_nondet_int() / 3.0f;
        if (f > 2.5f && f < 2.4f) __VERIFIER_assert(0);
      }`,
      { mode: "classic" },
    );
    expect(statuses(open)).toEqual(["unknown"]);
  });

  it("takes unwritten memory as inputs, and confirms its results", async () => {
    const found = await exploreText(
      `int main(void) {
        int a[4];
        if (a[1] + a[2] == 1000 && a[3] == a[1] * 2) __VERIFIER_assert(a[2] < 990);
      }`,
      { mode: "classic" },
    );
    expect(statuses(found)).toEqual(["reached"]);
  });

  it("gives the same result each time", async () => {
    const body = `int main(void) {
      int x = 0;
      for (int i = 0; i < 3; i++) if (__VERIFIER_nondet_int() > i) x += i;
      __VERIFIER_assert(x != 3);
    }`;
    for (const searcher of ["bfs", "dfs", "coverage", "random"] as const) {
      const [one, two] = [
        await exploreText(body, { searcher, unrolled: 9 }),
        await exploreText(body, { searcher, unrolled: 9 }),
      ];
      expect([two.tree.size, two.counts]).toEqual([one.tree.size, one.counts]);
      expect(statuses(one)).toEqual(["reached"]);
    }
  });
});
