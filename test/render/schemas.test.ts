import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { headOf } from "../../src/commands/explain/joinExplanation.ts";
import { explain } from "../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { cancelledAtLook } from "../support/cancelledAtLook.ts";
import { compressReports } from "../support/reports/compressReports.ts";
import { explainReports } from "../support/reports/explainReports.ts";
import { asCompressed, asExplained } from "../support/reports/flatReport.ts";
import { schemaErrors } from "../support/schema.ts";

const errorsIn = (explanation: unknown) => schemaErrors("Explanation", explanation);

describe("schemas of compress and explain", () => {
  it.each(compressReports)("compress: %s", (_, report) => expect(errorsIn(asCompressed(report))).toEqual([]));
  it.each(explainReports)("explain: %s", (_, report) => expect(errorsIn(asExplained(report))).toEqual([]));

  it.each([
    ["explained", "int main(void) { int a[2] = {0}; int i = 2; return a[i]; }"],
    ["doesNotFail", "int main(void) { return 0; }"],
  ])("%s, as explain says it", async (kind, text) => {
    const explanation = explain(await loadCText("program.c", text), { checkers: ["z3"] });
    expect(explanation.kind).toBe(kind);
    expect(errorsIn(explanation)).toEqual([]);
  });

  it("describe a condition that was asked for, also after an interruption and without an answer", async () => {
    const text = "#include <math.h>\nint main(void) {\n  int x = 3;\n  return x;\n}\n";
    const watch = { condition: "x == 3", file: "program.c", line: 4 };
    const explained = explain(await loadCText("program.c", text, { watch }), { checkers: ["z3"] });
    expect(explained).toMatchObject({ kind: "explained", failure: { kind: "condition", message: "x == 3 holds" } });
    expect(errorsIn(explained)).toEqual([]);
    const stopped = explain(await loadCText("program.c", text, { watch }), { cancellation: cancelledAtLook(0) });
    expect(stopped).toMatchObject({ kind: "explained", status: "unknown", failure: { message: "x == 3 holds" } });
    expect(stopped.unknowns.map(({ reason }) => reason)).toEqual([expect.stringContaining("the work was interrupted")]);
    expect(errorsIn(stopped)).toEqual([]);
    const head = headOf(recordTrace(await loadCText("program.c", text)), { version: "", ms: 0 });
    for (const kind of ["notExplained", "interrupted"]) {
      expect(errorsIn({ ...head, kind, failure: null })).toEqual([]);
      expect(errorsIn({ ...head, kind })).not.toEqual([]);
    }
  });

  it("find a field that is missing or unknown", () => {
    const explained = asExplained(explainReports[0]![1]);
    const { argument, ...rest } = explained;
    expect(errorsIn(rest)).not.toEqual([]);
    expect(errorsIn({ ...explained, surplus: 1 })).not.toEqual([]);
    const steps = [{ ...argument!.steps[0], kind: "step" }];
    expect(errorsIn({ ...explained, argument: { ...argument, steps } })).not.toEqual([]);
  });
});
