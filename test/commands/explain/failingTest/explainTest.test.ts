import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { observedOnly } from "../../../../src/commands/explain/failingTest/explainTest.ts";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { explainTrace } from "../../../../src/commands/explain/pipeline.ts";
import { paintOf } from "../../../../src/commands/output.ts";
import { explainText } from "../../../../src/render/explainText.ts";
import { root } from "../../../support/builtCli.ts";
import { screenPlaces } from "../../../support/screenPlaces.ts";
import { recordedExample } from "./exampleProject.ts";

/** The screen that README shows, without its closing line, which depends on the solvers that there are. */
function readmeLines(): readonly string[] {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const block = /```text\n(error: assertion failed: expect\(account[\s\S]*?)```/.exec(text)![1]!;
  return block.slice(0, block.lastIndexOf(" steps -> ")).split("\n").slice(0, -1);
}

/** One screen for each of the five failing tests, with the line that is wrong. */
describe("examples/vitest: the faulty line is on the screen", () => {
  it.each([
    { name: "ships for nothing from 50 on", file: "shipping.ts", line: 3, shows: "with `total >= 50` it passes" },
    { name: "finds the median", file: "median.ts", line: 6, shows: "with `at >= 1`" },
    { name: "adds up an invoice", file: "invoice.ts", line: 4, shows: "why invoice(lines).tax is 6.19" },
    { name: "lets an account be used up to its limit", file: "account.ts", line: 13, shows: "with `<`" },
    { name: "packs what is in stock", file: "stock.ts", line: 12, shows: "2 === 1 is false" },
  ])("$name", async ({ name, file, line, shows }) => {
    const { files, calls } = await recordedExample(name);
    const { trace } = lowerTest(files, calls)!;
    const explanation = explainTrace(trace, { shrink: false, budget: 20_000 }, () => ({
      version: "",
      ms: 0,
      replay: () => "",
    }));
    if (explanation.kind !== "explained") throw new Error(explanation.kind);
    const screen = explainText(explanation, {
      paint: paintOf(false),
      source: (path) => files.find((each) => each.path === path)?.text ?? null,
    });
    expect([...screenPlaces(screen)]).toContain(`${file}:${line}`);
    expect(screen).toContain(shows);
    expect(screen).not.toMatch(/\$\w|22[0-9]{14}/);
    expect(screen.split("\n").length).toBeLessThanOrEqual(25);
    if (name.startsWith("lets an account"))
      expect(screen.split("\n")).toEqual(expect.arrayContaining([...readmeLines()]));
    const facts = (explanation.argument?.steps ?? []).flatMap((step) => (step.kind === "fact" ? step.formulas : []));
    for (const { text } of facts) expect(text).not.toMatch(/ [!=]= |->|\b22[0-9]{14}\b/);
    const observed = observedOnly(explanation);
    const said = explainText(observed, { paint: paintOf(false), source: () => null });
    expect(said.replace(/\s+/g, " ")).toContain("not proved: from one point on the program model does something else");
    expect(said).not.toMatch(/proof checked|\(proved\)/);
  });
});
