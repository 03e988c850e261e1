import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { observedSlice } from "../../../../src/commands/explain/failingTest/observedSlice.ts";
import { explainTrace } from "../../../../src/commands/explain/pipeline.ts";
import { toSarif } from "../../../../src/render/sarif.ts";
import { schemaErrors } from "../../../support/schema.ts";
import { recordedIn } from "./exampleProject.ts";

const folder = "test/fixtures/recorded";
const about = { version: "0.0.0", ms: 0 };

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const sarifFile = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const { $schema: _, id: __, ...sarif } = readJson(sarifFile);
const sarifSchema = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false }).compile(sarif);

/** The same formats as for a C program, at places of TypeScript. */
describe("explain --test in other formats", () => {
  it.each(["by the model", "by the log alone"])("json and sarif are valid: %s", async (by) => {
    const recorded = await recordedIn(folder, "collections > takes all there is");
    const explanation =
      by === "by the log alone"
        ? observedSlice(recorded, about, "a reason")!
        : explainTrace(lowerTest(recorded.files, recorded.calls)!.trace, { shrink: false, budget: 500 }, () => ({
            ...about,
            replay: () => "",
          }));
    if (explanation.kind !== "explained") throw new Error(explanation.kind);
    const json = JSON.parse(JSON.stringify(explanation));
    expect(schemaErrors("Explanation", json)).toEqual([]);
    expect(json.failure.location).toMatchObject({ file: "collections.spec.ts", line: 31 });
    const log = JSON.parse(JSON.stringify(toSarif(explanation)));
    expect(sarifSchema(log), JSON.stringify(sarifSchema.errors)).toBe(true);
    const [result] = log.runs[0].results;
    expect(result.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: "collections.spec.ts" },
      region: { startLine: 31 },
    });
    const told = JSON.stringify([result, json.graph.nodes]);
    expect(told).toContain("collections.ts");
    expect(told).not.toMatch(/"\$\w|22[0-9]{14}/);
  });
});
