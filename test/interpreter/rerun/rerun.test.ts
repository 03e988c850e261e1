import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import type { Outcome } from "../../../src/interpreter/outcome.ts";
import { variedPlacesOf } from "../../../src/interpreter/rerun/places.ts";
import { createRerunner, type Rerun } from "../../../src/interpreter/rerun/rerun.ts";
import { createTrackedRerunner } from "../../../src/interpreter/rerun/trackedRerun.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import type { Program } from "../../../src/ir/program.ts";
import { generateProgram, programChoices } from "../../support/generateProgram.ts";

const ends: Record<Outcome["kind"], Rerun["end"]> = {
  exit: "exit",
  assertion: "failure",
  "error-location": "failure",
  abort: "failure",
  "undefined-behaviour": "failure",
  "wrong-output": "failure",
  "wrong-exit": "failure",
  limit: "limit",
  "assumption-violated": "invalid",
  "needs-input": "invalid",
};

const load = (text: string) => loadCText("program.c", text, { preprocess: "builtin" });

describe("a re-run without a change", () => {
  for (const dataModel of ["LP64", "ILP32"] as const) {
    test(`ends as the run does, time after time: generated programs, ${dataModel}`, async () => {
      let compared = 0;
      for (const sequence of fc.sample(programChoices, { seed: 811, numRuns: 30 })) {
        const { text, inputs } = generateProgram(sequence);
        let program: Program;
        try {
          program = await loadCText("program.c", text, { dataModel, preprocess: "builtin" });
        } catch (error) {
          if (error instanceof TracefoldError) continue;
          throw error;
        }
        const options = { inputs: ({ index }: { index: number }) => inputs[index % inputs.length]!, maxSteps: 20_000 };
        const first = runProgram(program, options);
        const { outcome, steps } = first;
        const rerunner = createRerunner(program, { undefinedBehaviour: "stop" });
        for (let time = 0; time < 3; time++) {
          expect(runProgram(program, options), text).toEqual(first);
          const again = rerunner.run(options);
          expect(again.end, text).toBe(ends[outcome.kind]);
          if (outcome.kind === "exit") expect([again.code, again.steps]).toEqual([outcome.code, steps]);
          if ("at" in outcome && outcome.at !== null) {
            expect(again.at).toEqual({ function: outcome.at.function, edge: outcome.at.edge });
          }
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(60);
    });
  }

  test("a run inside of another one has a machine of its own", async () => {
    const program = await load(`
      #include <stdio.h>
      int main(void) { int sum = 0; for (int i = 0; i < 3; i++) { printf("%d", i); sum += i; } return sum; }`);
    const ends: Outcome[] = [];
    const { outcome } = runProgram(program, { onOutput: () => ends.push(runProgram(program).outcome) });
    expect([outcome, ...ends].every((end) => end.kind === "exit" && end.code === 3)).toBe(true);
    expect(ends.length).toBeGreaterThan(0);
  });

  test("leaves nothing of one run in the next", async () => {
    const program = await load(`
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      int counter; static char text[8] = "abc"; static double d = 0.5; static unsigned u;
      int main(void) {
        if (counter != 0 || d != 0.5 || u != 0 || strcmp(text, "abc") != 0) return 1;
        counter++; d = 7; u = 9; text[0] = 'x';
        int *p = malloc(40); for (int i = 0; i < 10; i++) p[i] = i;
        if (rand() % 2) free(p);
        strtok(text, "b");
        return getchar() == 'q' ? 0 : 2;
      }`);
    const rerunner = createRerunner(program, { undefinedBehaviour: "stop" });
    for (let time = 0; time < 4; time++) {
      expect(rerunner.run({ stdin: Buffer.from("q") })).toMatchObject({ end: "exit", code: 0 });
    }
  });
});

describe("a re-run with a change", () => {
  const text = `
    int limit(int x) {
      if (x > 8)
        return 8;
      return x;
    }
    int main(void) {
      int sum = 0;
      for (int i = 0; i < 4; i++)
        sum += limit(i + 6);
      return sum;
    }`;

  test("changes one visit of a condition, or one value", async () => {
    const program = await load(text);
    const rerunner = createRerunner(program, { undefinedBehaviour: "stop" });
    const { list } = variedPlacesOf(program);
    const log = createTrackedRerunner(recordTrace(program)).logInstances(0);
    const numbersOf = (wanted: (place: (typeof list)[number]) => boolean) =>
      [...log.place.subarray(0, log.used)].flatMap((place, i) => (wanted(list[place]!) ? [log.offset + i] : []));
    expect(rerunner.run({}).code).toBe(6 + 7 + 8 + 8);
    const visits = numbersOf(({ kind, function: fn }) => kind === "condition" && fn.name === "limit");
    expect(visits).toHaveLength(4);
    rerunner.variation.numbers[1] = visits[0]!;
    expect(rerunner.run({}).code).toBe(8 + 7 + 8 + 8);
    rerunner.variation.numbers[1] = visits[3]!;
    expect(rerunner.run({}).code).toBe(6 + 7 + 8 + 9);
    const returned = numbersOf(
      (place) => place.kind === "value" && place.use === "returned" && place.function.name === "limit",
    );
    rerunner.variation.numbers[1] = returned[1]!;
    rerunner.variation.value = 100;
    expect(rerunner.run({}).code).toBe(6 + 100 + 8 + 8);
  });
});
