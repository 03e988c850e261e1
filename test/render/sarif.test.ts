import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { explain } from "../../src/commands/explain/pipeline.ts";
import type { Explained } from "../../src/commands/explain/result.ts";
import { toSarif } from "../../src/render/sarif.ts";
import { artifactLocation } from "../../src/render/sarifLocations.ts";
import { countersExplained, explainReports, fooExplained, shellExplained } from "../support/reports/explainReports.ts";
import { asExplained, type FlatExplained } from "../support/reports/flatReport.ts";
import { at } from "../support/reports/reportParts.ts";

const schemaFile = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaFile, "utf8"));
const validate = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false, allErrors: true }).compile(
  schema,
);

function errorsIn(log: object): unknown {
  validate(JSON.parse(JSON.stringify(log)));
  return validate.errors ?? [];
}

const resultOf = (report: FlatExplained) => toSarif(asExplained(report)).runs[0].results[0]!;
const flowOf = (report: FlatExplained) => resultOf(report).codeFlows[0]!.threadFlows[0]!;

describe("toSarif", () => {
  it.each(explainReports)("%s is valid SARIF 2.1.0", (_, report) =>
    expect(errorsIn(toSarif(asExplained(report)))).toEqual([]),
  );

  it("is refused by the schema if it is wrong", () => {
    expect(errorsIn({ ...toSarif(asExplained(fooExplained)), version: "2.0.0" })).not.toEqual([]);
    expect(errorsIn({ ...toSarif(asExplained(fooExplained)), runs: [{ results: [{}] }] })).not.toEqual([]);
  });

  it("has one location for each statement, loop and target, with facts in messages and states", () => {
    const { locations } = flowOf(countersExplained);
    expect(locations.map((each) => each.location.message!.text)).toEqual([
      "i = 0",
      "j = 0 (now j >= i)",
      "while (i != n): 100 iterations, each time j >= i (now j >= n)",
      "assert(j < n), but j >= n",
    ]);
    expect(locations.map((each) => each.kinds ?? [])).toEqual([[], [], ["loop"], ["danger"]]);
    expect(locations.map((each) => each.executionOrder)).toEqual([1, 2, 3, 4]);
    expect(locations.every((each) => each.importance === "essential")).toBe(true);
    expect(locations[2]!.state).toEqual({
      "j >= i": { text: "true" },
      j: { text: "200" },
      n: { text: "100" },
      "j >= n": { text: "true" },
    });
    expect(locations[2]!.location.physicalLocation.region).toMatchObject({ startLine: 12, startColumn: 10 });
  });

  it("nests calls", () => {
    expect(flowOf(fooExplained).locations.map((each) => each.nestingLevel)).toEqual([0, 1, 1, 1, 0]);
    expect(flowOf(shellExplained).locations.map((each) => each.nestingLevel)).toEqual([0, 1, 1, 1, 1, 0]);
  });

  it("puts a fact before the first statement into the initial state", () => {
    const flow = flowOf({ ...countersExplained, steps: countersExplained.steps.slice(2) });
    expect(flow.initialState).toEqual({ i: { text: "0" }, j: { text: "0" }, "j >= i": { text: "true" } });
    expect(flow.locations[0]!.location.message!.text).toMatch(/^given j >= i: while/);
  });

  it("has rule, place, inputs and file hashes in the result", () => {
    const [run] = toSarif(asExplained(countersExplained)).runs;
    const result = run.results[0]!;
    expect(result).toMatchObject({ ruleId: "assertion", ruleIndex: 0, level: "error" });
    expect(result.message.text).toBe("assertion failed: j < n (fails the same way for every n >= 0)");
    expect(result.relatedLocations).toMatchObject([{ id: 1, message: { text: "input 1 is 100" } }]);
    expect(run.artifacts).toMatchObject([
      { location: { uri: "two-counters.c" }, hashes: { "sha-256": countersExplained.program.files[0]!.sha256 } },
    ]);
    const irrelevant = { ...countersExplained.inputCondition, irrelevant: [0] };
    expect(resultOf({ ...countersExplained, inputCondition: irrelevant }).relatedLocations).toEqual([]);
  });

  it("names undefined behaviour in the rule's id", () => {
    const outcome = {
      ...countersExplained.outcome,
      kind: "undefined-behaviour",
      behaviour: "signed-overflow",
    } as const;
    expect(resultOf({ ...countersExplained, outcome })).toMatchObject({
      ruleId: "undefined-behaviour/signed-overflow",
      ruleIndex: 3,
    });
  });

  it("has no result if there is nothing to explain, and unknowns are notifications", () => {
    const unknowns = [
      { reason: "no failing run was found", where: at("two-counters.c", 8, "n"), help: "Give inputs." },
    ];
    const log = toSarif({
      ...asExplained({ ...countersExplained, status: "unknown", unknowns }),
      kind: "notExplained",
      failure: null,
    });
    expect(errorsIn(log)).toEqual([]);
    expect(log.runs[0].results).toEqual([]);
    expect(log.runs[0].invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ level: "warning" }] },
    ]);
  });

  it("shows observations, one location for each row, without an argument", async () => {
    const program = await loadCText(
      "small.c",
      "#include <assert.h>\nint main(void) {\n  int x = 3;\n  assert(x == 4);\n}\n",
    );
    const observed = { ...explain(program, { checkers: ["z3"], shrink: false }), argument: null } as Explained;
    const log = toSarif(observed);
    expect(errorsIn(log)).toEqual([]);
    const [flow] = log.runs[0].results[0]!.codeFlows[0]!.threadFlows;
    expect(flow!.locations.map((each) => each.location.message!.text)).toEqual(["int x = 3;; x is 3"]);
  });

  it("has the values and the first suspect in the message, related suspects, and calls as stacks", async () => {
    const text = `#include <assert.h>
static int cap(int n) { return n > 8 ? 8 : n; }
static void test(int n) { assert(cap(n) < 8); }
int main(void) { test(8); return 0; }
`;
    const program = await loadCText("small.c", text);
    const log = toSarif(explain(program, { checkers: ["z3"], shrink: false }) as Explained);
    expect(errorsIn(log)).toEqual([]);
    const { message, relatedLocations, stacks } = log.runs[0].results[0]!;
    expect(message.text).toMatch(/cap\(n\) is 8; look at cap:2: with .* the run passes$/);
    expect(relatedLocations[0]!.message!.text).toMatch(/^suspect 1: with /);
    expect(stacks!.map(({ frames }) => frames.map((each) => each.location.logicalLocations![0]!.name))).toEqual([
      ["test", "main"],
    ]);
  });

  it("keeps the fingerprint after edits elsewhere and other values, but not for another reason", () => {
    const print = (report: FlatExplained) => resultOf(report).partialFingerprints;
    const moved = countersExplained.steps.map((step) =>
      step.kind === "loop" ? { ...step, iterations: 7, location: { ...step.location, line: 99, endLine: 99 } } : step,
    );
    expect(print({ ...countersExplained, steps: moved })).toEqual(print(countersExplained));
    expect(print({ ...countersExplained, steps: moved.slice(1) })).not.toEqual(print(countersExplained));
  });

  it("turns paths into addresses", () => {
    expect(artifactLocation("./src/a b.c")).toEqual({ uri: "src/a%20b.c", uriBaseId: "%SRCROOT%" });
    expect(artifactLocation("/tmp/a.c")).toEqual({ uri: "file:///tmp/a.c" });
    expect(artifactLocation("C:\\x\\a.c")).toEqual({ uri: "file:///C:/x/a.c" });
  });
});
