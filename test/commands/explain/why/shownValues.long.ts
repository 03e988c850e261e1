import { describe, expect, test } from "vitest";
import { allCases } from "../../../../bench/mutants/allCases.ts";
import { loadMutant } from "../../../../bench/mutants/loadMutant.ts";
import { mutatedText } from "../../../../bench/mutants/mutation.ts";
import { testedPrograms } from "../../../../bench/mutants/programs.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { observedExplanation } from "../../../support/observedExplanation.ts";
import { checkShownValues } from "../../../support/shownValues.ts";

/** Of each program so many failing mutants. */
const perProgram = 6;

describe("every value shown is the value of the run, of failing mutants", () => {
  test.each(testedPrograms())("$name", async ({ name, path, text }) => {
    const all = (await allCases({ fresh: false, progress: () => undefined })).filter((each) => each.program === name);
    const some = all.filter((_, i) => i % Math.ceil(all.length / perProgram) === 0);
    for (const given of some) {
      const mutant = { path, text: mutatedText(text, given.mutation) };
      const trace = recordTrace(await loadMutant(given, mutant), { maxSteps: given.maxSteps });
      const { wrong } = checkShownValues(observedExplanation(trace), mutant.text, { entry: given.entry });
      expect(wrong, given.id).toEqual([]);
    }
  });
});
