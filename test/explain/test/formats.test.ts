import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { explainTrace } from "../../../src/explain/pipeline.ts";
import { lowerTest } from "../../../src/explain/test/lowerTest.ts";
import { observedSlice } from "../../../src/explain/test/observedSlice.ts";
import { toSarif } from "../../../src/formats/sarif.ts";
import { root } from "../../support/builtCli.ts";
import { recordedIn } from "./exampleProject.ts";

const folder = "test/fixtures/recorded";
const about = { version: "0.0.0", ms: 0 };

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const name of ["common", "run", "compress"]) ajv.addSchema(readJson(join(root, `schema/${name}.schema.json`)));
const ownSchema = ajv.compile(readJson(join(root, "schema/explain.schema.json")));
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
    expect(ownSchema(json), JSON.stringify(ownSchema.errors)).toBe(true);
    expect(json.failure.location).toMatchObject({ file: "collections.spec.ts", line: 31 });
    const log = JSON.parse(JSON.stringify(toSarif(explanation)));
    expect(sarifSchema(log), JSON.stringify(sarifSchema.errors)).toBe(true);
    const [result] = log.runs[0].results;
    expect(result.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: "collections.spec.ts" },
      region: { startLine: 31 },
    });
    const told = JSON.stringify([result, json.sections]);
    expect(told).toContain("collections.ts");
    expect(told).not.toMatch(/"\$\w|22[0-9]{14}/);
  });
});
