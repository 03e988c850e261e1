import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { type InputSource, randomInputs } from "../../src/interpreter/inputs.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import { generateProgram, programChoices } from "../support/generateProgram.ts";
import { generateMemoryProgram } from "./support/generateMemoryProgram.ts";
import { memoryChoices } from "./support/memoryChoices.ts";
import { memoryPrograms } from "./support/memoryPrograms.ts";
import { checkPathLaw, checkTraceLaw } from "./support/traceLaw.ts";

/** Followed symbolically, a run has at its inputs the state that the interpreter has. */

const load = (text: string, dataModel: DataModelName) =>
  loadCText("program.c", text, { dataModel, preprocess: "builtin" });

function cycling(values: readonly bigint[]): InputSource {
  return ({ index }) => values[index % values.length]!;
}

describe("the symbolic state at the inputs is the interpreter's state", () => {
  for (const { name, text, exact, lp64 } of memoryPrograms) {
    it(name, async () => {
      for (const dataModel of lp64 ? (["LP64"] as const) : (["LP64", "ILP32"] as const)) {
        const program = await load(text, dataModel);
        for (const undefinedBehaviour of ["stop", "wrap"] as const) {
          for (const seed of [0, 1, 2]) {
            const result = checkTraceLaw(program, { inputs: randomInputs(seed), undefinedBehaviour }, [0.3, 0.7, 1]);
            expect(result.mismatches).toEqual([]);
            expect(result.compared).toBeGreaterThan(3);
            if (exact !== false) expect(result.open).toBe(0);
          }
        }
      }
    });
  }
});

const BATCH = 25;

describe("the same for generated programs", () => {
  for (let first = 0; first < 150; first += BATCH) {
    const dataModel = first % (2 * BATCH) === 0 ? "LP64" : "ILP32";
    it(`about memory, ${first} to ${first + BATCH - 1}, ${dataModel}`, async () => {
      let [compared, open] = [0, 0];
      for (const sequence of fc.sample(memoryChoices, { seed: 3000 + first, numRuns: BATCH })) {
        const { text, inputs } = generateMemoryProgram(sequence);
        const program = await load(text, dataModel);
        const result = checkTraceLaw(program, { inputs: cycling(inputs) }, [0.5, 1]);
        expect(result.mismatches, text).toEqual([]);
        compared += result.compared;
        open += result.open;
      }
      // Little is left open, or the law would say little.
      expect(open).toBeLessThan(compared / 4);
    });
  }

  for (let first = 0; first < 100; first += BATCH) {
    const [dataModel, undefinedBehaviour] =
      first % (2 * BATCH) === 0 ? (["ILP32", "wrap"] as const) : (["LP64", "stop"] as const);
    it(`of all kinds, ${first} to ${first + BATCH - 1}, ${dataModel}, ${undefinedBehaviour}`, async () => {
      for (const sequence of fc.sample(programChoices, { seed: 5000 + first, numRuns: BATCH })) {
        const { text, inputs } = generateProgram(sequence);
        const program = await load(text, dataModel);
        const result = checkTraceLaw(program, { inputs: cycling(inputs), undefinedBehaviour }, [0.2, 0.6, 1]);
        expect(result.mismatches, text).toEqual([]);
      }
    });
  }
});

it("has the same way exactly for inputs that satisfy the assumptions", async () => {
  const found = new Map<string | null, number>();
  for (const sequence of fc.sample(memoryChoices, { seed: 71, numRuns: 40 })) {
    const { text, inputs } = generateMemoryProgram(sequence);
    const program = await load(text, "LP64");
    for (const other of [cycling(inputs.map((value) => value + 1n)), randomInputs(5)]) {
      const outcome = checkPathLaw(program, { inputs: cycling(inputs) }, { inputs: other });
      expect([null, "same", "different"], text).toContain(outcome);
      found.set(outcome, (found.get(outcome) ?? 0) + 1);
    }
  }
  expect(found.get("same")).toBeGreaterThan(10);
  expect(found.get("different")).toBeGreaterThan(3);
});
