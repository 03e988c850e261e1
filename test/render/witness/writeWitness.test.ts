import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { LoopResult } from "../../../src/commands/explain/result.ts";
import { readWitness, witnessValues } from "../../../src/interop/witness/readWitness.ts";
import { toInvariantWitness } from "../../../src/render/witness/invariantWitness.ts";
import { toViolationWitness } from "../../../src/render/witness/violationWitness.ts";
import { specificationOf } from "../../../src/render/witness/witnessMetadata.ts";
import { nestedCompressed } from "../../support/reports/compressReports.ts";
import {
  countersExplained,
  explainReports,
  fooExplained,
  shellExplained,
} from "../../support/reports/explainReports.ts";
import { asExplained, type FlatExplained } from "../../support/reports/flatReport.ts";
import { at, formula, formulas, outlineOf, sourceOf } from "../../support/reports/reportParts.ts";

const options = { outline: (path: string) => outlineOf(path) };
const waypoints = (report: FlatExplained, source = sourceOf) =>
  readWitness(
    toViolationWitness(asExplained(report), { outline: (path) => outlineOf(path, source) })!,
    "w.yml",
  ).waypoints.map(({ type, location, constraint }) =>
    [type, `${location.line}:${location.column ?? ""}`, constraint ?? ""].join(" ").trim(),
  );

describe("toViolationWitness", () => {
  it.each(explainReports)("writes a witness that can be read: %s", (_, report) => {
    const witness = readWitness(toViolationWitness(asExplained(report), options)!, "w.yml");
    expect(witness).toMatchObject({ dataModel: "LP64", files: report.program.files });
    expect(witness.waypoints.at(-1)).toMatchObject({
      type: "target",
      location: { line: report.outcome.location!.line },
    });
  });

  it("has inputs as values returned by calls, and facts as assumptions before the next statement", () => {
    expect(waypoints(countersExplained)).toEqual([
      "function_return 8:33 \\result == 100",
      "assumption 16:3 j >= n",
      "target 16:3",
    ]);
    expect(waypoints(fooExplained)).toEqual([
      "assumption 4:3 a == 0 && b == -2 && x == 1",
      "assumption 5:3 b == -2 && x == 1",
      "assumption 7:3 x == -1",
      "assumption 11:3 res < 0",
      "target 11:3",
    ]);
  });

  it("leaves out facts before a place that begins no statement", () => {
    expect(waypoints(shellExplained)).toEqual([
      "assumption 9:7 i == 2 && a[i] == 0",
      "assumption 12:19 j == 0 && v == 0",
      "assumption 19:3 a[0] == 0",
      "target 19:3",
    ]);
  });

  it("leaves out facts that begin to hold within the statement", () => {
    const source = () =>
      "int g;\nint f(void) { g = 2; return 1; }\nint main(void) {\n  int x = f();\n  return x / (g - g);\n}\n";
    const place = (line: number, column: number) => ({
      file: "a.c",
      line,
      column,
      endLine: line,
      endColumn: column + 3,
    });
    const [statement] = fooExplained.steps.filter((step) => step.kind === "statement");
    const fact = { ...fooExplained.steps[1]!, function: "main", formulas: formulas("g == 2"), location: place(2, 15) };
    const inCallee = { ...statement!, function: "f", text: "g = 2", location: place(2, 15) };
    const after = { ...statement!, function: "main", text: "x = f()", location: place(4, 7) };
    const target = { ...fooExplained.steps.at(-1)!, function: "main", location: place(5, 10) };
    const outcome = { ...fooExplained.outcome, location: place(5, 10), function: "main" };
    const shown = (...steps: object[]) => waypoints({ ...fooExplained, outcome, steps } as FlatExplained, source);
    expect(shown(inCallee, fact, after, target)).toEqual(["target 5:3"]);
    expect(shown(fact, after, target)).toEqual(["assumption 4:3 g == 2", "target 5:3"]);
    const returned = { ...target, location: place(5, 3) };
    expect(shown(inCallee, fact, returned)).toEqual(["assumption 5:3 g == 2", "target 5:3"]);
  });

  it("has inputs by the ends of their places and the target by its line, without the source", () => {
    expect(waypoints(countersExplained, () => null)).toEqual(["function_return 8:33 \\result == 100", "target 16:"]);
  });

  it("writes an input that is a variable as an assumption", () => {
    const input = { value: 7, type: "int", source: "j", location: at("two-counters.c", 14, "j + 2"), step: 9 };
    expect(waypoints({ ...countersExplained, inputs: [input] })[0]).toBe("assumption 14:5 j == 7");
  });

  it("writes only the inputs that matter if there are very many", () => {
    const inputs = Array.from({ length: 1500 }, (_, step) => ({ ...countersExplained.inputs[0]!, value: step, step }));
    const irrelevant = inputs.map((_, index) => index).slice(2);
    const inputCondition = { ...countersExplained.inputCondition, irrelevant };
    expect(waypoints({ ...countersExplained, inputs, inputCondition })).toHaveLength(2 + 2);
  });

  it("has no witness for a run that does not fail", () => {
    const outcome = { kind: "exit", message: "", location: null } as const;
    expect(toViolationWitness(asExplained({ ...countersExplained, outcome }), options)).toBeNull();
  });

  it("names the property that is violated", () => {
    const violated = (outcome: Partial<FlatExplained["outcome"]>) =>
      /G (.*)\) \)$/.exec(
        specificationOf(
          asExplained({ ...countersExplained, outcome: { ...countersExplained.outcome, ...outcome } }),
          options,
        ),
      )![1];
    expect(violated({})).toBe("! call(__assert_fail())");
    expect(violated({ kind: "error-location", message: "error reached: reach_error" })).toBe("! call(reach_error())");
    expect(violated({ kind: "error-location", message: "error reached: ERROR", error: "ERROR" })).toBe(
      "! label(ERROR)",
    );
    expect(violated({ kind: "undefined-behaviour", behaviour: "signed-overflow" })).toBe("! overflow");
    expect(violated({ kind: "undefined-behaviour", behaviour: "out-of-bounds-read" })).toBe("valid-deref");
    expect(violated({ kind: "undefined-behaviour", behaviour: "double-free" })).toBe("valid-free");
    expect(violated({ kind: "undefined-behaviour", behaviour: "division-by-zero" })).toBe("def-behavior");
  });

  it("fails an SV-COMP assertion where its function calls reach_error", () => {
    const source = () =>
      "void __VERIFIER_assert(int c) {\n  if (!c) {\n    reach_error();\n  }\n}\nint main() {\n  __VERIFIER_assert(0);\n}\n";
    const location = { file: "a.c", line: 7, column: 3, endLine: 7, endColumn: 23 };
    const outcome = { ...countersExplained.outcome, location };
    const report = { ...countersExplained, inputs: [], steps: [], outcome } as FlatExplained;
    expect(waypoints(report, source)).toEqual(["target 3:5"]);
    const witness = toViolationWitness(asExplained(report), { outline: (path) => outlineOf(path, source) });
    expect(parse(witness!)[0].metadata.task.specification).toBe("CHECK( init(main()), LTL(G ! call(reach_error())) )");
  });

  it("reads its inputs back as values", () => {
    const big = "18446744073709551615";
    const inputs = [100, -3, big].map((value, step) => ({ ...countersExplained.inputs[0]!, value, step }));
    const witness = readWitness(toViolationWitness(asExplained({ ...countersExplained, inputs }), options)!, "w.yml");
    expect(witnessValues(witness).map(({ value }) => value)).toEqual([100n, -3n, BigInt(big)]);
  });

  it("quotes texts that old YAML readers take for dates", () => {
    const text = toViolationWitness(asExplained(countersExplained), options)!;
    expect(text).toContain('creation_time: "1970-01-01T00:00:00Z"');
    expect(text).toContain('format_version: "2.0"');
    expect(parse(text)[0].metadata.uuid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe("toInvariantWitness", () => {
  const withLoops = (report: FlatExplained, loops: readonly LoopResult[]): FlatExplained => ({ ...report, loops });
  const loop = countersExplained.loops[0]!;
  const nested: FlatExplained = {
    ...countersExplained,
    program: nestedCompressed.program,
    loops: nestedCompressed.loops,
  };
  const invariants = (report: FlatExplained, more = {}) => {
    const text = toInvariantWitness(asExplained(report), { ...options, ...more });
    const content: { invariant: { location: { line: number; column: number }; value: string } }[] =
      text === null ? [] : parse(text)[0].content;
    return content.map(({ invariant: { location, value } }) => `${location.line}:${location.column} ${value}`);
  };
  const comments = (report: FlatExplained) =>
    (toInvariantWitness(asExplained(report), options) ?? "").split("\n").filter((line) => line.startsWith("#"));

  it("has the invariants of folded loops at their keywords", () => {
    expect(invariants(countersExplained)).toEqual(["12:3 j >= i"]);
    const byCondition = { ...loop, location: at("two-counters.c", 12, "i != n") };
    expect(invariants(withLoops(countersExplained, [byCondition]))).toEqual(["12:3 j >= i"]);
    expect(parse(toInvariantWitness(asExplained(countersExplained), options)!)[0]).toMatchObject({
      entry_type: "invariant_set",
      metadata: { producer: { description: expect.stringContaining("one failing run") } },
      content: [{ invariant: { type: "loop_invariant", format: "c_expression", location: { function: "main" } } }],
    });
  });

  it("leaves out loops folded late and says so", () => {
    expect(invariants(nested)).toEqual(["21:3 x == 1 && y >= 0"]);
    expect(comments(nested)).toEqual([
      "# left out:",
      "# nested.c:8: the invariant holds only from iteration 2 on",
      "# nested.c:11: the invariant holds only from iteration 2 on",
    ]);
  });

  it("leaves out conjuncts that are not in scope at the head, or that C cannot express", () => {
    const last = {
      ...nestedCompressed.loops[2]!,
      invariant: [...formulas("m >= 0", "x == 1"), formula("forall q: q == q", null)],
    };
    const report = withLoops(nested, [last]);
    expect(invariants(report)).toEqual(["21:3 x == 1"]);
    expect(comments(report)).toEqual([
      "# left out:",
      "# nested.c:21: m >= 0: no single m is in scope at the loop's head",
      "# nested.c:21: forall q: q == q: not an expression of C",
    ]);
  });

  it("leaves out conjuncts that hold on the recorded run only", () => {
    const [here, always] = formulas("i >= 0", "j >= i");
    const report = withLoops(countersExplained, [{ ...loop, invariant: [{ ...here!, onlyThisRun: true }, always!] }]);
    expect(invariants(report)).toEqual(["12:3 j >= i"]);
    expect(comments(report)).toEqual(["# left out:", "# two-counters.c:12: i >= 0: holds on this run only"]);
  });

  it("needs an invariant that holds in every activation of the loop", () => {
    const first = { ...loop, invariant: formulas("j >= i", "i >= 0") };
    expect(invariants(withLoops(countersExplained, [first, loop]))).toEqual(["12:3 j >= i"]);
    expect(invariants(withLoops(countersExplained, [loop, { ...loop, foldedFrom: null }]))).toEqual([]);
  });

  it("uses variables that the for declares, unless the name is used twice", () => {
    const source = () =>
      "int x, i;\nint main(void) {\n  for (int k = 0; k < 3; k++) { int m = k; x += m; }\n  for (int i = 0; i < 3; i++) x++;\n}\n";
    const place = (line: number) => ({ file: "d.c", line, column: 3, endLine: line, endColumn: 6 });
    const loops = [place(3), place(4)].map((location) => ({
      ...loop,
      location,
      invariant: formulas("x >= 0", "k >= 0", "m >= 0", "i >= 0"),
    }));
    const outline = () => outlineOf("d.c", source);
    expect(invariants(withLoops(countersExplained, loops), { outline })).toEqual([
      "3:3 x >= 0 && k >= 0 && i >= 0",
      "4:3 x >= 0",
    ]);
  });

  it("leaves out do loops and loops without a keyword", () => {
    const source = () =>
      "int x;\nint main(void) {\n  do { x++; } while (x < 3);\nagain:\n  if (x < 9) goto again;\n}\n";
    const place = (line: number, column: number) => ({
      file: "d.c",
      line,
      column,
      endLine: line,
      endColumn: column + 5,
    });
    const loops = [place(3, 22), place(5, 7)].map((location) => ({ ...loop, location, invariant: formulas("x >= 0") }));
    expect(
      toInvariantWitness(asExplained(withLoops(countersExplained, loops)), { outline: () => outlineOf("d.c", source) }),
    ).toBeNull();
  });
});
