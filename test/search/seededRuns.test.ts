import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { InputRequest } from "../../src/interpreter/inputs.ts";
import { createWarmRecorder } from "../../src/interpreter/rerun/rerun.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { distributions, drawInputs, interestingNumbers } from "../../src/search/candidateInputs.ts";
import { quickRuns, seededRuns } from "../../src/search/seededRuns.ts";

const header = `
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
`;

async function search(body: string, options: { uninitialized?: "input" } = {}) {
  const program = await loadCText("p.c", `${header}${body}`, options);
  return { program, ...seededRuns(program, {}, { ...quickRuns, runs: 3000, seed: 1 }) };
}

describe("runs before any symbolic work", () => {
  it("prefer a failure that the user wrote to an overflow that is found first", async () => {
    const { failures } = await search(`int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
      int sum = a + b;
      if (a == 1234) __VERIFIER_assert(b != 4321);
      return sum;
    }`);
    expect(failures[0]!.outcome.kind).toBe("assertion");
    expect(failures[0]!.inputs).toEqual([1234n, 4321n]);
  });

  it("find an error that is some million steps deep", async () => {
    const { failures } = await search(`int main(void) {
      unsigned i = 0, n = __VERIFIER_nondet_uint() % 2 + 1;
      while (i < 2000000u) i += n;
      __VERIFIER_assert(i != 2000000u);
    }`);
    expect(failures[0]!.outcome.kind).toBe("assertion");
    expect(failures[0]!.steps).toBeGreaterThan(200_000);
  });

  it("draw unwritten memory if it is taken as input", async () => {
    const { program, failures } = await search(
      `int main(void) {
        int a[3]; int *p = malloc(8);
        if (a[2] == 7) __VERIFIER_assert(p[1] != a[2]);
      }`,
      { uninitialized: "input" },
    );
    expect(failures[0]!.inputs).toEqual([7n, 7n]);
    const { inputs } = recordTrace(program, { inputs: failures[0]!.inputs });
    expect(inputs[0]!.source).toBe("a[2]");
  });

  it("draw unwritten pointers, and variables whose declaration is jumped over", async () => {
    const { failures } = await search(
      `struct pair { struct pair *first, *second; };
      int main(void) {
        struct pair *kept, *p = malloc(16);
        int chosen = __VERIFIER_nondet_int();
        p->first = kept;
        if (chosen == 3) goto inside;
        {
          int limit = 1;
        inside:
          if (p->second != p) __VERIFIER_assert(limit != 5);
        }
      }`,
      { uninitialized: "input" },
    );
    expect(failures[0]!.outcome.kind).toBe("assertion");
    // limit, read at the entry; kept; chosen; p->second
    expect(failures[0]!.inputs).toEqual([5n, 0n, 3n, 0n]);
  });

  it("stay between two of the program's numbers if only digits get further", async () => {
    const { failures } = await search(`extern char __VERIFIER_nondet_char(void);
    int main(void) {
      unsigned digits = 0;
      for (char c = __VERIFIER_nondet_char(); '0' <= c && c <= '9'; c = __VERIFIER_nondet_char()) digits++;
      __VERIFIER_assert(digits < 12);
    }`);
    expect(failures[0]!.outcome.kind).toBe("assertion");
  });

  it("are the same for the same seed", async () => {
    const body = "int main(void) { int a = __VERIFIER_nondet_int(); if (a > 100 && a % 7 == 3) __VERIFIER_assert(0); }";
    const [one, two] = [await search(body), await search(body)];
    expect(two.failures).toEqual(one.failures);
    expect(two.runs).toBe(one.runs);
  });

  it("leave nothing behind in a machine that is used again", async () => {
    const program = await loadCText(
      "p.c",
      `${header}int g; int main(void) {
        int *p = malloc(4); *p = g++; static int s[4]; s[__VERIFIER_nondet_uint() % 5]++;
        return g * 10 + s[1] + *p;
      }`,
    );
    const warm = createWarmRecorder(program, {});
    for (const input of [1n, 4n, 1n, 3n, 4n, 1n]) {
      const cold = recordTrace(program, { inputs: [input] });
      const again = warm.record({ inputs: [input] });
      expect(again.outcome).toEqual(cold.outcome);
      expect([again.steps, again.log, again.inputs]).toEqual([cold.steps, cold.log, cold.inputs]);
    }
  });
});

describe("distributions", () => {
  it("stay within the requested range", async () => {
    const program = await loadCText("p.c", `${header}int main(void) { return __VERIFIER_nondet_int() == 1000; }`);
    const numbers = interestingNumbers(program);
    const range = program.functions[program.entry]!.range;
    const int = { kind: "int", bits: 8, signed: true, name: "signed char" } as const;
    for (const distribution of distributions) {
      const source = drawInputs(distribution, 3, numbers);
      for (let index = 0; index < 200; index++) {
        const within = index % 2 === 0 ? null : ([5n, 9n] as const);
        const request: InputRequest = { index, type: int, source: "x", within, range };
        const [low, high] = within ?? [-128n, 127n];
        const value = source(request);
        expect(typeof value).toBe("bigint");
        expect(value! >= low && value! <= high).toBe(true);
      }
    }
  });
});
