import fc from "fast-check";
import { expect, it } from "vitest";
import { checkGenerated } from "./checkGenerated.ts";
import { type GeneratedProgram, generateProgram, programChoices } from "./generateProgram.ts";
import { hasTool } from "./tools.ts";

const BATCH = 40;

/**
 * Generated programs behave in our interpreter as in a gcc build: output, exit code, every branch decision, verdict on
 * undefined behaviour. `npm run fuzz` runs more of them and shrinks what it finds.
 */
export function comparePrograms(from: number, to: number): void {
  const wide = hasTool("gcc -m32");
  for (let first = from; first < to; first += BATCH) {
    const dataModel = wide && first % (2 * BATCH) === 0 ? "ILP32" : "LP64";
    const files = first % (8 * BATCH) >= 6 * BATCH;
    it.concurrent(`programs ${first} to ${first + BATCH - 1}, ${dataModel}${files ? ", with files" : ""}`, async () => {
      const sequences = fc.sample(programChoices, { seed: 20_000 + first, numRuns: BATCH });
      const programs = sequences.map((sequence) => generateProgram(sequence, files));
      const problems = await checkGenerated(programs, dataModel);
      expect(problems.flatMap((problem, k) => (problem === null ? [] : [mismatch(problem, programs[k]!)]))).toEqual([]);
    });
  }
}

function mismatch(problem: string, { text, inputs }: GeneratedProgram): string {
  return `${problem}\ninputs ${inputs.join(",")}\n${text}`;
}
