import { describe, expect, it } from "vitest";
import { observedSlice } from "../../../../src/commands/explain/failingTest/observedSlice.ts";
import { paintOf } from "../../../../src/commands/output.ts";
import { explainText } from "../../../../src/render/explainText.ts";
import { screenPlaces } from "../../../support/screenPlaces.ts";
import { recordedExample } from "./exampleProject.ts";

/** Where the program model does not reach, the log alone has to show what led to the failure. */
describe("the slice by the log alone has the faulty line", () => {
  it.each([
    { name: "ships for nothing from 50 on", places: ["shipping.ts:3"] },
    { name: "finds the median", places: ["median.ts:6", "median.ts:16"] },
    { name: "adds up an invoice", places: ["invoice.ts:4", "invoice.ts:7"] },
    { name: "lets an account be used up to its limit", places: ["account.ts:13"] },
    { name: "packs what is in stock", places: ["stock.ts:12"] },
  ])("$name", async ({ name, places }) => {
    const recorded = await recordedExample(name);
    const explanation = observedSlice(recorded, { version: "", ms: 0 }, "the reason why");
    if (explanation?.kind !== "explained") throw new Error("there is no slice");
    const screen = explainText(explanation, {
      paint: paintOf(false),
      source: (path) => recorded.files.find((each) => each.path === path)?.text ?? null,
    });
    if (process.env.SCREENS !== undefined) console.log(screen);
    for (const place of places) expect([...screenPlaces(screen)], screen).toContain(place);
    expect(explanation.graph.nodes.every(({ evidence }) => evidence === "observed")).toBe(true);
    expect(screen.replace(/\s+/g, " ")).toContain("not proved: the reason why");
    expect(screen.split("\n").length).toBeLessThanOrEqual(25);
  });
});
