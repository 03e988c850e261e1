import { describe, expect, it } from "vitest";
import { describeRun, explain, loadCText, recordTrace, stepCursor, TracefoldError } from "../src/index.ts";

describe("the library", () => {
  it("loads, records and describes a run", async () => {
    const program = await loadCText(
      "sum.c",
      "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; return s; }",
    );
    const trace = recordTrace(program);
    expect(trace.outcome).toMatchObject({ kind: "exit", code: 3 });
    const cursor = stepCursor(trace);
    let steps = 0;
    while (cursor.next()) steps++;
    expect(steps).toBe(trace.steps);
    expect(describeRun(program, trace, { version: "test", ms: 0 }).outcome.message).toBe(
      "the program exits with status 3",
    );
  });

  it("explains a failing run", async () => {
    const program = await loadCText(
      "small.c",
      "#include <assert.h>\nint main(void) {\n  int x = 3;\n  int y = 4;\n  assert(x == y - 2);\n  return 0;\n}\n",
    );
    const report = explain(program);
    if (report.kind !== "explained") throw new Error(report.kind);
    expect(report).toMatchObject({ status: "ok", argument: { size: { statements: 2 } }, proof: { checked: true } });
    expect(report.argument!.steps.at(-1)).toMatchObject({ kind: "target", text: "assert(x == y - 2)" });
    expect(report.failure.condition!.operands.map(({ value }) => value)).toEqual(["3", "2"]);
  });

  it("throws errors with code and place", async () => {
    const error = await loadCText("bad.c", "int main(void) { return x; }").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TracefoldError);
    expect(error).toMatchObject({ code: "TF166", range: { file: "bad.c", line: 1, column: 25 } });
  });
});
