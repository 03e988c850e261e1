import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { randomInputs } from "../../src/interpreter/inputs.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { generateProgram, programChoices } from "../support/generateProgram.ts";
import { checkBlockLaw } from "./support/blockLaw.ts";
import { generateMemoryProgram } from "./support/generateMemoryProgram.ts";
import { loopPrograms } from "./support/loopPrograms.ts";
import { memoryChoices } from "./support/memoryChoices.ts";

/** What a loop's body does on a run, its encodings allow. */

const load = (text: string, dataModel: DataModelName) =>
  loadCText("program.c", text, { dataModel, preprocess: "builtin" });
// The resource limit ends hard questions at the same point everywhere; they are no answers.
const { solver } = createSolver({ cache: false, limits: { resources: 3_000_000, milliseconds: 20_000 } });
afterAll(() => solver.dispose());

describe("the block and the paths of a loop allow what its runs do", () => {
  for (const { name, text, lp64 } of loopPrograms) {
    it(name, async () => {
      for (const dataModel of lp64 ? (["LP64"] as const) : (["LP64", "ILP32"] as const)) {
        const program = await load(text, dataModel);
        const result = checkBlockLaw(program, { inputs: randomInputs(3) }, solver, 6);
        expect(result.mismatches).toEqual([]);
        expect(result.checked).toBeGreaterThan(1);
        expect(result.refuted).toBeGreaterThan(0);
      }
    });
  }

  it("generated loops about memory", async () => {
    let refuted = 0;
    for (const [i, sequence] of fc.sample(memoryChoices, { seed: 900, numRuns: 16 }).entries()) {
      const { text, inputs } = generateMemoryProgram(sequence, true);
      const program = await load(text, i % 2 === 0 ? "LP64" : "ILP32");
      const result = checkBlockLaw(program, { inputs: ({ index }) => inputs[index % inputs.length]! }, solver, 2);
      expect(result.mismatches, text).toEqual([]);
      refuted += result.refuted;
    }
    expect(refuted).toBeGreaterThan(15);
  });

  it("generated loops of all kinds", async () => {
    let refuted = 0;
    for (const sequence of fc.sample(programChoices, { seed: 901, numRuns: 30 })) {
      const { text, inputs } = generateProgram(sequence);
      const program = await load(text, "LP64");
      const result = checkBlockLaw(program, { inputs: ({ index }) => inputs[index % inputs.length]! }, solver, 2);
      expect(result.mismatches, text).toEqual([]);
      refuted += result.refuted;
    }
    expect(refuted).toBeGreaterThan(10);
  });
});
