import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkGenerated } from "./support/checkGenerated.ts";
import { type GeneratedProgram, generateProgram, programChoices } from "./support/generateProgram.ts";
import { hasTool } from "./support/tools.ts";

/**
 * Generated programs behave in our interpreter as in a gcc build: output, exit code, every branch decision, verdict on
 * undefined behaviour. `npm run fuzz` runs more of them and shrinks what it finds.
 */
const PROGRAMS = 1040;
const BATCH = 40;

describe.skipIf(!hasTool("gcc"))("generated programs behave as with gcc", () => {
  const wide = hasTool("gcc -m32");
  for (let first = 0; first < PROGRAMS; first += BATCH) {
    const dataModel = wide && first % (2 * BATCH) === 0 ? "ILP32" : "LP64";
    const files = first % (8 * BATCH) >= 6 * BATCH;
    it.concurrent(`programs ${first} to ${first + BATCH - 1}, ${dataModel}${files ? ", with files" : ""}`, async () => {
      const sequences = fc.sample(programChoices, { seed: 20_000 + first, numRuns: BATCH });
      const programs = sequences.map((sequence) => generateProgram(sequence, files));
      const problems = await checkGenerated(programs, dataModel);
      expect(problems.flatMap((problem, k) => (problem === null ? [] : [mismatch(problem, programs[k]!)]))).toEqual([]);
    });
  }
});

describe("the generator", () => {
  it("makes the same program from the same choices, and a small one from none", () => {
    const sequence = fc.sample(programChoices, { seed: 7, numRuns: 1 })[0]!;
    expect(generateProgram(sequence)).toEqual(generateProgram(sequence));
    expect(generateProgram([]).text.split("\n").length).toBeLessThan(25);
  });

  it("uses what C has", () => {
    const texts = fc
      .sample(programChoices, { seed: 9, numRuns: 300 })
      .map((sequence) => generateProgram(sequence).text);
    const used = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
    for (const pattern of CONSTRUCTS) expect(used(pattern), String(pattern)).toBeGreaterThan(3);
  });
});

const CONSTRUCTS = [
  /_Bool \w+ =/,
  /signed char \w+ =/,
  /unsigned long long \w+ =/,
  /for \(/,
  /while \(/,
  /do \{/,
  /goto /,
  /switch \(/,
  /case 6 \.\.\. 8/,
  /do \{\n(.*\n)*? *case/,
  /continue;/,
  /budget - 1/,
  /operations\[\(/,
  /int x;\n {2}unsigned y;/,
  /\w\]\[\d\] =/,
  / : \d+;/,
  /struct S\d+ \w+\(/,
  /->/,
  /\(\*\(/,
  /union \{/,
  /malloc\(/,
  /realloc\(/,
  /enum E/,
  /strcmp\(/,
  /static \w+ v/,
  /\(double\)|\(float\)/,
  /<<=/,
  /%=/,
  /\? /,
  /&& /,
  /\|\| /,
  /~/,
  /__VERIFIER_nondet_long/,
];

function mismatch(problem: string, { text, inputs }: GeneratedProgram): string {
  return `${problem}\ninputs ${inputs.join(",")}\n${text}`;
}
