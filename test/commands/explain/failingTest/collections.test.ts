import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { explainTrace } from "../../../../src/commands/explain/pipeline.ts";
import { paintOf } from "../../../../src/commands/output.ts";
import { explainText } from "../../../../src/render/explainText.ts";
import { screenPlaces } from "../../../support/screenPlaces.ts";
import { recordedIn } from "./exampleProject.ts";

const folder = "test/fixtures/recorded";

/** Maps and Sets are part of the program model: nothing of them is taken from the log. */
describe("a wrong value that goes through a Map or a Set", () => {
  it.each([
    { name: "adds up what has a price", line: 10, inputs: 0 },
    // The words are a string's, and those are taken from the log.
    { name: "counts words", line: 18, inputs: 10 },
    { name: "counts all words", line: 18, inputs: 8 },
    { name: "takes all there is", line: 33, inputs: 0 },
    { name: "finds the first of the heaviest", line: 42, inputs: 0 },
    { name: "adds up", line: 51, inputs: 0 },
    { name: "weighs", line: 58, inputs: 0 },
    { name: "drops", line: 65, inputs: 0 },
    { name: "marks", line: 69, inputs: 0 },
    { name: "visits all nodes", line: 83, inputs: 0 },
    { name: "counts a line again, by values", line: 93, inputs: 0 },
    { name: "counts a line again, by entries", line: 93, inputs: 0 },
  ])("$name", async ({ name, line, inputs }) => {
    const { files, calls } = await recordedIn(folder, `collections > ${name}`);
    const { trace, isFaithful, demoted } = lowerTest(files, calls)!;
    expect(isFaithful).toBe(true);
    expect(demoted.size).toBe(0);
    expect(trace.inputs.length).toBe(inputs);
    const about = () => ({ version: "", ms: 0, replay: () => "" });
    const explanation = explainTrace(trace, { shrink: false, budget: 500 }, about);
    if (explanation.kind !== "explained") throw new Error(explanation.kind);
    const source = (path: string) => files.find((each) => each.path === path)?.text ?? null;
    const screen = explainText(explanation, { paint: paintOf(false), source });
    if (process.env.SCREENS !== undefined) console.log(screen);
    expect([...screenPlaces(screen)], screen).toContain(`collections.ts:${line}`);
    expect(screen.replace(/^inputs:[\s\S]*?when:/m, "")).not.toMatch(/\$\w|22[0-9]{14}/);
  });
});
