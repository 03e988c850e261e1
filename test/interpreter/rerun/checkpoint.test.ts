import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import type { Checkpoint } from "../../../src/interpreter/rerun/checkpoints.ts";
import { variedPlacesOf } from "../../../src/interpreter/rerun/places.ts";
import {
  type CheckpointedRun,
  checkpointsOf,
  createRerunner,
  type Rerunner,
} from "../../../src/interpreter/rerun/rerun.ts";
import { createTrackedRerunner, rerunOptions } from "../../../src/interpreter/rerun/trackedRerun.ts";
import type { InstanceLog } from "../../../src/interpreter/rerun/variation.ts";
import type { RunOptions } from "../../../src/interpreter/run.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import type { Program } from "../../../src/ir/program.ts";
import { generateProgram, programChoices } from "../../support/generateProgram.ts";

/** A run with checkpoints every few steps, and a re-runner that can go on from them. */
function checkpointed(trace: Trace, spacing: number): Prepared {
  const options = { ...rerunOptions(trace), maxSteps: 3 * trace.steps + 1000 };
  const checkpointed = checkpointsOf(trace, options, undefined, { leastSteps: 0, spacing })!;
  const rerunner = createRerunner(trace.program, { undefinedBehaviour: "stop", resumes: checkpointed.points });
  return { ...checkpointed, trace, options, rerunner };
}

type Prepared = CheckpointedRun & {
  readonly trace: Trace;
  readonly options: RunOptions;
  readonly rerunner: Rerunner;
};

/** The instances that are in use. */
function listed({ place, step, used, ...others }: InstanceLog) {
  return { ...others, used, place: place.slice(0, used), step: step.slice(0, used) };
}

/** Re-runs that do something differently end in the same way from the last checkpoint before, however often; returns how many. */
function compareStarts(
  { trace, options, checkpoints, rerunner, log: ownLog }: Prepared,
  pick: (i: number) => boolean,
): number {
  const { variation } = rerunner;
  const { numbers } = variation;
  let compared = 0;
  const compare = (isBefore: (checkpoint: Checkpoint) => boolean): void => {
    const from = checkpoints.findLast(isBefore);
    if (from === undefined) return;
    const expected = rerunner.run(options);
    expect(rerunner.run(options, from)).toEqual(expected);
    compared++;
  };
  numbers[1] = 0;
  for (const checkpoint of checkpoints) compare((each) => each === checkpoint);
  const log = createTrackedRerunner(trace).logInstances(0);
  expect(listed(ownLog)).toEqual(listed(log));
  for (let i = 0; i < log.used; i++) {
    if (!pick(i)) continue;
    numbers[1] = log.offset + i;
    variation.value = 1;
    compare(({ instances }) => instances < log.offset + i);
  }
  numbers[1] = 0;
  return compared;
}

describe("a re-run from a checkpoint", () => {
  for (const dataModel of ["LP64", "ILP32"] as const) {
    test(`equals the re-run from the beginning: generated programs, ${dataModel}`, async () => {
      let compared = 0;
      for (const sequence of fc.sample(programChoices, { seed: 4711, numRuns: 10 })) {
        const { text, inputs } = generateProgram(sequence);
        let program: Program;
        try {
          program = await loadCText("program.c", text, { dataModel, preprocess: "builtin" });
        } catch (error) {
          if (error instanceof TracefoldError) continue;
          throw error;
        }
        const options = { inputs: ({ index }: { index: number }) => inputs[index % inputs.length]!, maxSteps: 5_000 };
        const trace = recordTrace(program, options);
        compared += compareStarts(checkpointed(trace, 1 + Math.floor(trace.steps / 8)), (i) => i % 5 === 0);
      }
      expect(compared).toBeGreaterThan(50);
    });
  }

  for (const [name, { text, options = {} }] of Object.entries(programs)) {
    test(`equals the re-run from the beginning: ${name}`, async () => {
      const program = await loadCText("program.c", text, { preprocess: "builtin" });
      const stdout = recordTrace(program, options).stdout.slice();
      // What is printed is looked at while it is printed; the last byte is to be another one.
      if (stdout.length > 0) stdout[stdout.length - 1]! ^= 1;
      const trace = recordTrace(program, stdout.length === 0 ? options : { ...options, expected: { stdout } });
      const prepared = checkpointed(trace, 40);
      const kinds = new Set(prepared.points.map(({ kind }) => kind));
      expect(kinds.has("location") || kinds.has("entry")).toBe(true);
      expect(compareStarts(prepared, (i) => i % 3 === 0)).toBeGreaterThan(20);
    });
  }

  test("tracks the same steps of a flipped run", async () => {
    const trace = recordTrace(await loadCText("program.c", programs.recursion!.text, { preprocess: "builtin" }));
    const { checkpoints, points } = checkpointed(trace, 40);
    const rerunner = createTrackedRerunner(trace, points);
    const log = rerunner.logInstances(0);
    const places = variedPlacesOf(trace.program).list;
    let compared = 0;
    for (let i = 0; i < log.used; i += 2) {
      if (places[log.place[i]!]!.kind !== "condition") continue;
      const [number, step] = [log.offset + i, log.step[i]!];
      const from = checkpoints.findLast(({ instances }) => instances < number);
      const [whole, part] = [rerunner.trackFlip(number, step, 500), rerunner.trackFlip(number, step, 500, from)];
      const told = ({ step: end, steps: { code, activation, writeAddress, value } }: typeof whole) => {
        return { end, code, activation, writeAddress, value };
      };
      expect(told(part)).toEqual(told(whole));
      if (from !== undefined) compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  test("is not possible after files were opened", async () => {
    const text = `#include <stdio.h>
int main(void) {
  FILE *f = fopen("a.txt", "w");
  for (int i = 0; i < 100; i++) fprintf(f, "%d", i);
  return fclose(f);
}`;
    const trace = recordTrace(await loadCText("program.c", text, { preprocess: "builtin" }));
    expect(checkpointed(trace, 40).checkpoints).toEqual([]);
  });

  test("takes a limited amount of memory for checkpoints", async () => {
    const text = `#include <stdlib.h>
int main(void) {
  for (int i = 0; i < 200; i++) { char *p = malloc(100000); p[0] = 1; if (i % 4 == 0) free(p); }
  return 1;
}`;
    const trace = recordTrace(await loadCText("program.c", text, { preprocess: "builtin" }));
    const { checkpoints } = checkpointed(trace, 10);
    expect(checkpoints.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(2 ** 26);
    expect(checkpoints.length).toBeGreaterThan(0);
  });
});

/** What checkpoints have to keep: frames, objects of all kinds, what the library remembers. */
const programs: Record<string, { readonly text: string; readonly options?: RunOptions }> = {
  recursion: {
    text: `#include <assert.h>
int calls;
static int fib(int n) { calls++; if (n < 2) return n; int a = fib(n - 1); return a + fib(n - 2); }
static int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { if (a[i] > 3) s += a[i]; else s += fib(a[i]); } return s; }
int main(void) { int a[6]; for (int i = 0; i < 6; i++) a[i] = i * 2; assert(sum(a, 6) + fib(7) == 12); return 0; }
`,
  },
  "jumps into loops": {
    text: `#include <assert.h>
int main(void) {
  int i = 0, n = 0;
  if (n == 0) goto inside;
  for (i = 0; i < 60; i++) {
    n++;
inside:
    if (n % 7 == 3) n += 2;
    switch (n % 5) { case 0: n++; break; case 1: i++; break; default: n += 3; }
  }
  assert(n < 50);
  return 0;
}
`,
  },
  "objects of all kinds": {
    text: `#include <alloca.h>
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static unsigned total;
static double mean;
static long long wide = 1;
static void push(int value) { struct node *n = malloc(sizeof *n); n->value = value; n->next = head; head = n; }
static int pop(void) { struct node *n = head; int value = n->value; head = n->next; free(n); return value; }
static int stack(int n) {
  int vla[n + 1];
  int *more = alloca(sizeof(int) * 3);
  for (int i = 0; i <= n; i++) { int local = i; int *p = &local; vla[i] = *p * 2; more[i % 3] = vla[i]; }
  return vla[n] + more[0];
}
int main(void) {
  for (int i = 0; i < 12; i++) { push(i); if (i % 3 == 2) total += pop(); total += stack(i % 4); wide = wide * 31 + i; }
  mean = total / 12.0;
  assert(mean < 1 && wide < 0);
  return 0;
}
`,
  },
  "what the library remembers": {
    text: `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char text[] = "12 7 30 4 5";
  int n = 0, c;
  srand(3);
  for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) { n += atoi(t) + rand() % 3; printf("%d\\n", n); }
  while ((c = getchar()) != EOF) { if (c == 'b') ungetc('x', stdin); n += c; putchar(c); }
  for (int i = 0; i < argc; i++) for (char *p = argv[i]; *p; p++) n += *p;
  assert(n == 3);
  return 0;
}
`,
    options: { stdin: new TextEncoder().encode("abcabcabcabc"), args: ["one", "two"] },
  },
};
