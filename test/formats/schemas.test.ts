import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { root } from "../support/builtCli.ts";
import { compressReports, explainReports } from "../support/reportFixtures.ts";

const schema = (name: string) => JSON.parse(readFileSync(join(root, `schema/${name}.schema.json`), "utf8"));
const ajv = new Ajv2020({ strictTypes: false });
for (const name of ["common", "run", "compress", "explain"]) ajv.addSchema(schema(name));

function errorsIn(name: string, report: unknown): unknown {
  const validate = ajv.getSchema(`tracefold/${name}.schema.json`)!;
  validate(JSON.parse(JSON.stringify(report)));
  return validate.errors ?? [];
}

describe("schemas of compress and explain", () => {
  it.each(compressReports)("compress: %s", (_, report) => expect(errorsIn("compress", report)).toEqual([]));
  it.each(explainReports)("explain: %s", (_, report) => expect(errorsIn("explain", report)).toEqual([]));

  it("a field that is missing or unknown is found", () => {
    const [, report] = explainReports[0]!;
    const { dropped, ...rest } = report;
    expect(errorsIn("explain", rest)).not.toEqual([]);
    expect(errorsIn("explain", { ...report, dropped, surplus: 1 })).not.toEqual([]);
    expect(errorsIn("explain", { ...report, steps: [{ ...report.steps[0], kind: "step" }] })).not.toEqual([]);
  });
});
