import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { explain } from "../../src/explain/explainProgram.ts";
import { root } from "../support/builtCli.ts";
import { cancelledAtLook } from "../support/cancelledAtLook.ts";
import { asExplained } from "../support/reports/asExplained.ts";
import { compressReports } from "../support/reports/compressReports.ts";
import { explainReports } from "../support/reports/explainReports.ts";

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
  it.each(explainReports)("explain: %s", (_, report) => expect(errorsIn("explain", asExplained(report))).toEqual([]));

  it.each([
    ["explained", "int main(void) { int a[2] = {0}; int i = 2; return a[i]; }"],
    ["doesNotFail", "int main(void) { return 0; }"],
  ])("%s, as explain says it", async (kind, text) => {
    const explanation = explain(await loadCText("program.c", text), { checkers: ["z3"] });
    expect(explanation.kind).toBe(kind);
    expect(errorsIn("explain", explanation)).toEqual([]);
  });

  it("a condition that was asked for, the same when the work was ended at once, and one that could not be explained", async () => {
    const text = "#include <math.h>\nint main(void) {\n  int x = 3;\n  return x;\n}\n";
    const watch = { condition: "x == 3", file: "program.c", line: 4 };
    const explained = explain(await loadCText("program.c", text, { watch }), { checkers: ["z3"] });
    expect(explained).toMatchObject({ kind: "explained", failure: { kind: "condition", message: "x == 3 holds" } });
    expect(errorsIn("explain", explained)).toEqual([]);
    const stopped = explain(await loadCText("program.c", text, { watch }), { cancellation: cancelledAtLook(0) });
    expect(stopped).toMatchObject({ kind: "interrupted", status: "unknown", failure: null });
    expect(stopped.unknowns.map(({ reason }) => reason)).toEqual([expect.stringContaining("the work was interrupted")]);
    expect(errorsIn("explain", stopped)).toEqual([]);
    const { argument: _, loops: __, proof: ___, missing: ____, ...rest } = asExplained(explainReports[0]![1]);
    const {
      failure: _f,
      also: _g,
      sections: _a,
      suspects: _b,
      cut: _c,
      reproducer: _d,
      inputCondition: _e,
      ...head
    } = rest;
    for (const kind of ["notExplained", "interrupted"]) {
      expect(errorsIn("explain", { ...head, kind, failure: null })).toEqual([]);
      expect(errorsIn("explain", { ...head, kind })).not.toEqual([]);
    }
  });

  it("a field that is missing or unknown is found", () => {
    const explained = asExplained(explainReports[0]![1]);
    const { argument, ...rest } = explained;
    expect(errorsIn("explain", rest)).not.toEqual([]);
    expect(errorsIn("explain", { ...explained, surplus: 1 })).not.toEqual([]);
    const steps = [{ ...argument!.steps[0], kind: "step" }];
    expect(errorsIn("explain", { ...explained, argument: { ...argument, steps } })).not.toEqual([]);
  });
});
