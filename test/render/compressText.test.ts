import { describe, expect, it } from "vitest";
import { compressText } from "../../src/render/compressText.ts";
import { plain } from "../../src/render/layout.ts";
import { ansi, stripAnsi } from "../support/ansi.ts";
import {
  compressReports,
  countersCompressed,
  countersUnfolded,
  nestedCompressed,
} from "../support/reports/compressReports.ts";
import { asCompressed, type FlatCompressed } from "../support/reports/flatReport.ts";
import { sourceOf } from "../support/reports/reportParts.ts";

const text = (report: FlatCompressed, paint = plain, full = false) =>
  compressText(asCompressed(report), { paint, source: sourceOf, full });

describe("compressText", () => {
  it("shows the loop of two counters as a box in the run", () => {
    expect(text(countersCompressed)).toBe(`\
two-counters.c:16:3: assertion failed: j < n
target: j >= n at two-counters.c:16:10

in main
   8 | n = __VERIFIER_nondet_int()  -> 100
   9 | n >= 0
  10 | i = 0
  11 | j = 0
  12 | +-- while (i != n): 100 iterations as one, no iteration unrolled
     | |   j >= i
     | +-- instead of 300 steps
  12 | !(i != n)
  16 | !(j < n)

inputs: 100
306 steps -> 7; 1 loop folded, 0 unrolled; proof checked (5 triples, cvc5)
`);
  });

  it("shows unrolled iterations and the invariants of inner loops", () => {
    const shown = text(nestedCompressed);
    expect(shown).toContain(`\
   8 | +-- while (i < 10): 9 iterations as one, after 1 unrolled iteration
     | |   x == 1
     | |   inside, while (j < 10):
     | |     (j < 1 || x == 1) && i >= 1
     | +-- instead of 240 steps
`);
    expect(shown).toContain("327 steps -> 13; 3 loops folded, 1 unrolled; proof checked (15 triples, cvc5)\n");
  });

  it("says which loop was not folded, why, and what was tried", () => {
    expect(text(countersUnfolded)).toContain(`\
not folded: two-counters.c:12:10: while (i != n) in main, 100 iterations
  why:   the invariant does not imply j >= n after the loop
  tried: folding after 0, 1 and 3 unrolled iterations, with 12 to 14 candidates
  best:  after 1 unrolled iteration: i >= 0 && i <= n
  lost:  j >= n at two-counters.c:14:5: j = j + 2
inputs: 100
306 steps -> 306; 0 loops folded, 0 unrolled, 1 not folded; no proof
`);
  });

  it("shortens a long listing in the middle, with a count, unless all is asked for", () => {
    const shown = text(countersUnfolded);
    const steps = shown.split("\n").filter((line) => /^ +\d+ \|/.test(line)).length;
    expect(steps).toBe(160);
    expect(shown).toContain("  … 146 steps left out (--full shows them)\n");
    const full = text(countersUnfolded, plain, true);
    expect(full.split("\n").filter((line) => /^ +\d+ \|/.test(line))).toHaveLength(306);
    expect(full).not.toContain("left out");
  });

  it("keeps folded loops visible in a shortened listing", () => {
    const { steps } = countersUnfolded;
    const loop = countersCompressed.steps[4]!;
    const shown = text({ ...countersUnfolded, steps: [...steps.slice(0, 150), loop, ...steps.slice(150)] });
    expect(shown).toContain("70 steps left out");
    expect(shown).toContain("76 steps left out");
    expect(shown).toContain("+-- while (i != n): 100 iterations as one");
  });

  it.each(compressReports)("adds only colour with colours: %s", (_, report) => {
    const shown = text(report);
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toMatch(/\t| $/m);
    expect(stripAnsi(text(report, ansi))).toBe(shown);
  });

  it("names a loop by its line without the source", () => {
    const shown = compressText(asCompressed(countersCompressed), { paint: plain, source: () => null });
    expect(shown).toContain("+-- loop at line 12: 100 iterations as one");
  });
});
