import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { mergeByNames } from "../../src/cutpoints/region.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { generateProgram, programChoices } from "../support/generateProgram.ts";
import { checkRegionLaw } from "./support/regionLaw.ts";

/** What a run does between two loop heads, the region between them allows: in the engines' encoding and in the checker's. */

// The resource limit ends hard questions at the same point everywhere; they are no answers.
const { solver } = createSolver({ cache: false, limits: { resources: 3_000_000, milliseconds: 20_000 } });
afterAll(() => solver.dispose());

describe("regions allow what runs do", () => {
  for (const [name, merge] of [
    ["with choices where ways meet", undefined],
    ["with names where ways meet", mergeByNames],
  ] as const) {
    it(`allow the runs of generated programs, ${name}`, async () => {
      let checked = 0;
      for (const [i, sequence] of fc.sample(programChoices, { seed: 4, numRuns: 10 }).entries()) {
        const { text, inputs } = generateProgram(sequence);
        const at = text.lastIndexOf("return");
        const failing = `extern void reach_error(void);\n${text.slice(0, at)}if (sum % 3u == 1u) reach_error();\n${text.slice(at)}`;
        const program = await loadCText("program.c", failing, {
          dataModel: i % 2 === 0 ? "LP64" : "ILP32",
          preprocess: "builtin",
          uninitialized: "input",
        });
        const result = checkRegionLaw(program, { inputs: ({ index }) => inputs[index % inputs.length]! }, solver, {
          property: "assert",
          most: 3,
          ...(merge === undefined ? {} : { merge }),
        });
        expect(result.mismatches, failing).toEqual([]);
        checked += result.checked - result.unanswered;
      }
      expect(checked).toBeGreaterThan(5);
    });
  }
});
