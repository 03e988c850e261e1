import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { joinFormulas } from "../../../src/base/text.ts";
import { loadC } from "../../../src/c/cFrontEnd.ts";
import { explainProofText } from "../../../src/render/explainProofText.ts";
import { plain } from "../../../src/render/layout.ts";
import { root } from "../../support/builtCli.ts";
import { provedReport as explain } from "../../support/provedReport.ts";
import { asArgued, type FlatExplained } from "../../support/reports/flatReport.ts";

const folder = join(root, "examples/explain");

async function explainExample(name: string, inputs: readonly bigint[] = [], options = {}): Promise<FlatExplained> {
  return explain(await loadC(join(folder, name)), { run: { inputs }, ...options });
}

function shown(report: FlatExplained): { readonly lines: number[]; readonly facts: string[] } {
  return {
    lines: report.steps.flatMap((step) => (step.kind === "fact" ? [] : [step.location.line])),
    facts: report.steps.flatMap((step) => (step.kind === "fact" ? [joinFormulas(step.formulas)] : [])),
  };
}

/** The line of the program that has the text. */
function lineWith(name: string, text: string): number {
  const line =
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .findIndex((each) => each.includes(text)) + 1;
  expect(line, text).toBeGreaterThan(0);
  return line;
}

function screenLines(report: FlatExplained): number {
  return explainProofText(asArgued(report), { paint: plain }).split("\n").length;
}

describe("the unit test of the error invariants paper", () => {
  let report: FlatExplained;
  beforeAll(async () => {
    report = await explainExample("unit-test.c");
  });

  it("keeps what the paper keeps", () => {
    const texts = (role?: "between" | "way") =>
      report.steps.flatMap((step) => (step.kind === "statement" && step.role === role ? [step.text] : []));
    expect(texts()).toEqual(["res = foo(0, -2, 1)", "x = x + b", "return x"]);
    expect(texts("between")).toEqual(["x = x + a"]);
    expect(shown(report).facts).toEqual(["a == 0 && b == -2 && x == 1", "x == -1", "res < 0"]);
  });

  it("drops the statement that does not matter, and says how much was dropped", () => {
    expect(shown(report).lines).not.toContain(lineWith("unit-test.c", "y = y + a"));
    expect(report.dropped).toBe(report.trace.steps - 4);
    expect(report.droppedSteps!.map(({ text }) => text)).toContain("y = y + a");
    expect(report.droppedSteps).toHaveLength(report.dropped);
  });

  it("is proved, and every statement says what it is for", () => {
    expect(report.proof).toMatchObject({ checked: true, failures: [] });
    for (const step of report.steps.slice(0, -1)) expect(step.because.length).toBeGreaterThan(0);
  });
});

describe("shell sort on three cells", () => {
  it("has at most 6 statements, among them the read of the stray cell", async () => {
    const report = await explainExample("shell-sort-cells.c");
    expect(report.explanation.statements).toBeLessThanOrEqual(6);
    expect(shown(report).lines).toContain(lineWith("shell-sort-cells.c", "int v = a[i]"));
    expect(report.status).toBe("ok");
  });

  it("shows the index and the bound of an access out of bounds", async () => {
    const report = await explainExample("shell-sort-bound.c");
    expect(report.outcome.behaviour).toBe("out-of-bounds-read");
    expect(report.steps.at(-1)).toMatchObject({ kind: "target", text: "v = a[i]", formula: { text: "i >= 2" } });
    expect(report.explanation.statements).toBeLessThanOrEqual(6);
  });

  it("shows the wrong size with the conditions that steered the run", async () => {
    const report = await explainExample("shell-sort-bound.c", [], { flowSensitive: true });
    expect(shown(report).lines).toContain(lineWith("shell-sort-bound.c", "int size = 3"));
    expect(report.steps.map((step) => (step.kind === "statement" ? step.text : ""))).toContain("[i < size]");
    expect(report.proof.checked).toBe(true);
  });
});

describe("collision avoidance", () => {
  it("has at most 4 statements with the wrong comparison, and names the inputs that matter", async () => {
    const report = await explainExample("collision.c", [500n, 400n, 100n, 0n, 400n, 900n, 300n, 1n, 1n, 0n, 0n, 0n]);
    expect(report.explanation.statements).toBeLessThanOrEqual(4);
    expect(shown(report).lines).toContain(lineWith("collision.c", "// wrong"));
    expect(report.inputs).toHaveLength(12);
    expect(report.inputCondition).toMatchObject({ proved: true, irrelevant: [0, 1, 2, 3, 8, 9, 10] });
    expect(report.inputCondition.formulas).toContain("vertical_separation == 400");
  });
});

/** What is wrong with each, and the inputs of a failing run. */
const bugs: readonly { readonly file: string; readonly inputs?: readonly bigint[]; readonly wrong: string }[] = [
  { file: "off-by-one.c", inputs: [40n], wrong: "i <= n" },
  { file: "initial-value.c", wrong: "largest = 0" },
  { file: "missing-update.c", inputs: [1n, 7n], wrong: "seen++ is missing" },
  { file: "swapped-arguments.c", wrong: "divide(height, width)" },
  { file: "overflow.c", inputs: [2000000000n, 2100000000n, 9n], wrong: "(low + high) / 2" },
  { file: "wrong-branch.c", inputs: [3n], wrong: "if (quantity < 10)" },
  { file: "stale-flag.c", wrong: "if (first[i] == wanted) found = 1" },
  { file: "uninitialised.c", inputs: [3n, 50n], wrong: "if (kind == 2)" },
  { file: "null-pointer.c", wrong: "list->next" },
  { file: "bad-index.c", inputs: [5n, 6n, 7n, 8n, 9n, 1n], wrong: "int last = count" },
];

describe("ten classic bugs", () => {
  for (const { file, inputs, wrong } of bugs) {
    it(`${file} shows the faulty line in at most 8 statements and one screen`, async () => {
      const report = await explainExample(file, inputs);
      expect(shown(report).lines).toContain(lineWith(file, wrong));
      expect(report.explanation.statements).toBeLessThanOrEqual(8);
      expect(screenLines(report)).toBeLessThanOrEqual(24);
      expect(report.status).toBe("ok");
      expect(report.proof.checked).toBe(true);
      expect(report.inputCondition.proved || report.inputs.length === 0).toBe(true);
    });
  }
});
