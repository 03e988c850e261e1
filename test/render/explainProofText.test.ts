import { describe, expect, it } from "vitest";
import { explainProofText } from "../../src/render/explainProofText.ts";
import { plain } from "../../src/render/layout.ts";
import { ansi, stripAnsi } from "../support/ansi.ts";
import { countersExplained, explainReports, fooExplained, shellExplained } from "../support/reports/explainReports.ts";
import { asArgued, type FlatExplained } from "../support/reports/flatReport.ts";
import { at, formulas } from "../support/reports/reportParts.ts";

const text = (report: FlatExplained, paint = plain) => explainProofText(asArgued(report), { paint });

describe("explainProofText", () => {
  it("shows a folded loop in one line with its invariant", () => {
    expect(text(countersExplained)).toBe(`\
two-counters.c:16:3: assertion failed: j < n

  10 | i = 0           needed: the loop starts with j >= i
  11 | j = 0
     | -- j >= i  (i = 0, j = 0)
  12 | while (i != n)  100 iterations
     | -- each time: j >= i
     | -- j >= n  (j = 200, n = 100)
  16 | assert(j < n)   <-- fails: j >= n

inputs: 100
when:   fails the same way for every n >= 0 (proved)
replay: tracefold run two-counters.c --inputs 0  (6 steps)
306 steps -> 3 statements, 1 loop, 2 facts; 3 dropped, 300 folded; proof checked (5 conditions)
`);
  });

  it("names functions, indents calls, and puts the failing assertion last", () => {
    expect(text(fooExplained)).toBe(`\
unit_foo.c:11:3: assertion failed: res >= 0

in testFoo
  10 | foo(0, -2, 1)
in foo
     |   -- a == 0 && b == -2 && x == 1
   4 |   x = x + a
     |   -- b == -2 && x == 1
   5 |   x = x + b
     |   -- x == -1
   7 |   return x        res = -1
in testFoo
     | -- res < 0  (res = -1)
  11 | assert(res >= 0)  <-- fails: res < 0

8 steps -> 4 statements, 4 facts; 3 steps dropped; proof checked (9 conditions, cvc5)
`);
  });

  it("says what a statement is needed for unless that comes next", () => {
    const shown = text(shellExplained);
    expect(shown).toContain("  17 | a[2] = 0                          needed: v reads this cell on line 9\n");
    expect(shown).toContain("  19 | assert(a[0] == 11 && a[1] == 14)  <-- fails: a[0] != 11\n");
    expect(shown).not.toContain("selects the third cell");
  });

  it.each(explainReports)("%s fits on a screen, and colours add nothing but colour", (_, report) => {
    const shown = text(report);
    expect(shown.split("\n").length).toBeLessThanOrEqual(24);
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toMatch(/\t| $/m);
    expect(text(report, ansi)).not.toBe(shown);
    expect(stripAnsi(text(report, ansi))).toBe(shown);
    expect(text(report)).toBe(shown);
  });

  it("breaks a long fact at its conjunctions", () => {
    const long = formulas(...Array.from({ length: 12 }, (_, i) => `variable${i} == ${i}`));
    const steps = countersExplained.steps.map((step) => (step.kind === "fact" ? { ...step, formulas: long } : step));
    const shown = text({ ...countersExplained, steps });
    expect(shown.split("\n").every((line) => line.length <= 120)).toBe(true);
    expect(shown).toContain("     |    && variable");
  });

  it("shows a statement of several lines in one line", () => {
    const steps = fooExplained.steps.map((step) =>
      step.kind === "statement" && step.id === 1 ? { ...step, text: 'foo(0,\n    -2,\r\n\t1, "\u001b")' } : step,
    );
    expect(text({ ...fooExplained, steps })).toContain('  10 | foo(0, -2, 1, "\\x1b")\n');
  });

  it("says that a condition holds instead of failing", () => {
    const outcome = { kind: "exit", message: "the program exits with status 0", location: null, code: 0 } as const;
    const shown = text({ ...countersExplained, outcome });
    expect(shown).toMatch(/^two-counters\.c:16:10: j >= n\n/);
    expect(shown).toContain("<-- holds: j >= n");
  });

  it("shows unknowns with place and help, and does not call an unchecked proof checked", () => {
    const shown = text({
      ...countersExplained,
      status: "unknown",
      reproducer: null,
      unknowns: [{ reason: "the solver gave up", where: at("two-counters.c", 12, "i != n"), help: "Allow more time." }],
      proof: { triples: 5, checked: false, checker: null, failures: [] },
    });
    expect(shown).toContain("unknown: two-counters.c:12:10: the solver gave up\n  Allow more time.\n");
    const unchecked = { ...countersExplained, proof: { triples: 5, checked: false, checker: null, failures: [] } };
    expect(text(unchecked)).toContain("proof not checked (5 conditions)");
    const failures = [{ name: "exit of the loop at 12", answer: "refuted", by: "cvc5" } as const];
    const rejected = text({ ...countersExplained, proof: { triples: 5, checked: false, checker: "cvc5", failures } });
    expect(rejected).toContain(
      "proof NOT accepted: 1 of 5 conditions rejected\n  rejected: exit of the loop at 12: refuted (cvc5)\n",
    );
    expect(rejected).not.toContain("proof checked");
  });

  it("takes depths from the functions' order if the report has none", () => {
    const steps = fooExplained.steps.map((step) => {
      if (step.kind === "fact") return step;
      const { depth: _, ...rest } = step;
      return rest;
    });
    expect(text({ ...fooExplained, steps })).toBe(text(fooExplained));
  });
});

describe("an explanation that is too long to read", () => {
  it("shows its beginning and its end, and which loop did not fold", () => {
    const [statement] = countersExplained.steps.filter((step) => step.kind === "statement");
    const many = Array.from({ length: 900 }, (_, id) => ({ ...statement!, id, step: id }));
    const failure = { reason: "nothing was enough", tried: [], best: null, lost: null };
    const printed = text({
      ...countersExplained,
      steps: [...many, countersExplained.steps.at(-1)!],
      explanation: { ...countersExplained.explanation, statements: 900 },
      loops: countersExplained.loops.map((loop) => ({ ...loop, foldedFrom: null, failure })),
    });
    expect(printed.split("\n").length).toBeLessThan(150);
    expect(printed).toMatch(/… \d+ lines left out \(--format json has them\) …/);
    expect(printed).toContain("not folded: two-counters.c:12:");
    expect(printed).toContain("iterations: nothing was enough");
  });
});
