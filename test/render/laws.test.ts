import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readWitness } from "../../src/interop/witness/readWitness.ts";
import { compressText } from "../../src/render/compressText.ts";
import { explainProofText } from "../../src/render/explainProofText.ts";
import { plain } from "../../src/render/layout.ts";
import { toSarif } from "../../src/render/sarif.ts";
import { toInvariantWitness } from "../../src/render/witness/invariantWitness.ts";
import { toViolationWitness } from "../../src/render/witness/violationWitness.ts";
import { compressReports } from "../support/reports/compressReports.ts";
import { countersExplained, explainReports } from "../support/reports/explainReports.ts";
import {
  asArgued,
  asCompressed,
  asExplained,
  type FlatCompressed,
  type FlatExplained,
} from "../support/reports/flatReport.ts";
import { formula, outlineOf, sourceOf } from "../support/reports/reportParts.ts";

const options = { paint: plain, source: sourceOf, outline: (path: string) => outlineOf(path) };

const writers: readonly (readonly [string, (report: FlatExplained) => string | null])[] = [
  ["text", (report) => explainProofText(asArgued(report), options)],
  ["SARIF", (report) => JSON.stringify(toSarif(asExplained(report)))],
  ["violation witness", (report) => toViolationWitness(asExplained(report), options)],
  ["invariant witness", (report) => toInvariantWitness(asExplained(report), options)],
];

afterEach(() => void vi.useRealTimers());

/** The same at another time, from an equal report that nobody may change. */
function again<R>(write: (report: R) => string | null, report: R): string | null {
  vi.useFakeTimers({ now: new Date("2031-05-06T07:08:09Z") });
  return write(deepFreeze(structuredClone(report)));
}

describe("writers are functions of the report and nothing else", () => {
  for (const [name, write] of writers) {
    it.each(explainReports)(`${name}: %s`, (_, report) => {
      expect(again(write, report)).toBe(write(report));
    });
  }

  it.each(compressReports)("writes the same text of compress: %s", (_, report) => {
    const write = (each: FlatCompressed) => compressText(asCompressed(each), options);
    expect(again(write, report)).toBe(write(report));
  });

  it.each(writers)("does not show how long the work took: %s", (_, write) => {
    const slower = { ...countersExplained, stats: { ms: 9999, solver: { queries: 1, ms: 9999 } } };
    expect(write(slower)).toBe(write(countersExplained));
  });

  it("gives another report another witness identifier", () => {
    const uuid = (report: FlatExplained) => /uuid: (.*)/.exec(toViolationWitness(asExplained(report), options)!)![1];
    expect(uuid({ ...countersExplained, dropped: 4 })).not.toBe(uuid(countersExplained));
  });
});

describe("writers and unusual reports", () => {
  const odd = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom("- a: b", "#", "x: y", "'", "%"));

  it("keeps texts and values of any kind readable", () => {
    fc.assert(
      fc.property(odd, odd, fc.bigInt(), (text, said, value) => {
        const report: FlatExplained = {
          ...countersExplained,
          program: { ...countersExplained.program, entry: text.replaceAll(/\W/g, "_") },
          inputs: countersExplained.inputs.map((input) => ({ ...input, value: `${value}`, source: text })),
          steps: countersExplained.steps.map((step) =>
            step.kind === "fact"
              ? { ...step, formulas: [formula(said)] }
              : step.kind === "statement"
                ? { ...step, text }
                : step,
          ),
        };
        expect(JSON.parse(JSON.stringify(toSarif(asExplained(report)))).runs).toHaveLength(1);
        expect(explainProofText(asArgued(report), options)).toContain("306 steps -> 3 statements");
        const witness = readWitness(toViolationWitness(asExplained(report), options)!, "w.yml");
        expect(witness.waypoints.at(-1)!.type).toBe("target");
      }),
      { numRuns: 200 },
    );
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
