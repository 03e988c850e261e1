import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { explainTrace } from "../../../../src/commands/explain/pipeline.ts";
import { explainText } from "../../../../src/render/explainText.ts";
import { plain } from "../../../../src/render/layout.ts";
import { recordedIn } from "./exampleProject.ts";

describe("names of the source are never taken for names of the model", () => {
  it("shows variables that begin with $ and texts with numbers unchanged", async () => {
    const recorded = await recordedIn("test/fixtures/recorded", "naming > has a code for the weight");
    const { trace } = lowerTest(recorded.files, recorded.calls)!;
    const about = () => ({ version: "", ms: 0, replay: () => "" });
    const explanation = explainTrace(trace, { shrink: false }, about);
    const text = explainText(explanation, { paint: plain, source: () => null, all: true });
    expect(text).toContain('why codeOf(parcel) is "$objects == 2251799813685248"');
    expect(text).toContain("$objects = 8");
    if (explanation.kind !== "explained") throw new Error(explanation.kind);
    const facts = (explanation.argument?.steps ?? []).flatMap((step) =>
      step.kind === "fact" ? step.formulas.map((formula) => formula.text) : [],
    );
    expect(facts).toContain('{…}.code === "$objects == 2251799813685248"');
    expect(facts).toContain('codeOf(parcel) !== "heavy"');
    const json = JSON.stringify([explanation.graph, explanation.suspects]).replaceAll('\\"', '"');
    for (const said of [text, json, facts.join("\n")]) {
      expect(said).not.toMatch(/\$objects ===|"undefined"/);
      expect(said.replaceAll('"$objects == 2251799813685248"', "")).not.toMatch(/\b22\d{14}\b| == /);
    }
  });
});
