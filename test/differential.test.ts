import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePrograms } from "./support/comparePrograms.ts";
import { generateProgram, programChoices } from "./support/generateProgram.ts";
import { hasTool } from "./support/tools.ts";

describe.skipIf(!hasTool("gcc"))("generated programs behave as with gcc", () => comparePrograms(0, 480));

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
