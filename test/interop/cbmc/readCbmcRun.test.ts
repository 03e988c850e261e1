import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { parseCbmcOutput } from "../../../src/interop/cbmc/cbmcOutput.ts";
import { type CbmcStep, cbmcSteps } from "../../../src/interop/cbmc/cbmcTrace.ts";
import { inputValues, type ReadCbmcOptions, readCbmcRun } from "../../../src/interop/cbmc/readCbmcRun.ts";
import { root } from "../../support/builtCli.ts";

const sampleText = (name: string) => readFileSync(join(root, `test/fixtures/cbmc/${name}.cbmc.json`), "utf8");

/** Reads JSON given as a value or text. */
function read(output: unknown, options: Partial<ReadCbmcOptions> = {}) {
  const text = typeof output === "string" ? output : JSON.stringify(output, null, 1);
  return readCbmcRun(text, { file: "trace.json", ...options });
}

function errorOf(work: () => unknown): TracefoldError {
  try {
    work();
  } catch (error) {
    if (error instanceof TracefoldError) return error;
    throw error;
  }
  throw new Error("no error");
}

const integer = (data: string, type = "signed int") => ({ name: "integer", data, type });
const at = (line: number, inFunction = "main") => ({ file: "p.c", line: `${line}`, function: inFunction });
const assign = (lhs: string, line: number, data: string, more = {}) => ({
  stepType: "assignment",
  assignmentType: "variable",
  lhs,
  value: integer(data),
  sourceLocation: at(line),
  hidden: false,
  ...more,
});
const call = (name: string, line: number) => ({
  stepType: "function-call",
  function: { displayName: name },
  sourceLocation: at(line),
});
const leave = (name: string, line: number) => ({ ...call(name, line), stepType: "function-return" });
const failure = (property: string) => ({ stepType: "failure", property, reason: "assertion x", sourceLocation: at(9) });
const result = (property: string, trace: readonly object[]) => ({
  property,
  description: "d",
  status: "FAILURE",
  trace,
});

describe("readCbmcRun", () => {
  it("reads the failing assertion of a unit test without inputs", () => {
    expect(readCbmcRun(sampleText("unit_foo"), { file: "unit_foo.cbmc.json" })).toEqual({
      property: "testFoo.assertion.1",
      reason: "assertion res >= 0",
      location: { file: "unit_foo.c", line: 11 },
      inputs: [],
    });
  });

  it("does not take uninitialised variables of shell sort as inputs unless the program says so", () => {
    const run = readCbmcRun(sampleText("shell3"), { file: "shell3" });
    expect(run.inputs).toEqual([]);
    const site = { file: "some/where/shell3.c", line: 3 };
    const asInputs = readCbmcRun(sampleText("shell3"), { file: "shell3", sites: [site, site] });
    expect(asInputs.inputs.map((input) => input.name)).toEqual(["i", "j"]);
  });

  it("reads the four inputs of retry in order", () => {
    const text = sampleText("retry4");
    const whole = read(text);
    expect(whole.inputs).toHaveLength(4);
    expect(whole.inputs[0]).toEqual({
      name: "__VERIFIER_nondet_int",
      value: -2147483648n,
      location: { file: "retry4.c", line: 5 },
    });
    expect(inputValues(whole.inputs, "retry4")).toEqual(new Array(4).fill(-2147483648n));
    const withSites = read(text, { sites: [{ file: "retry4.c", line: 5 }] });
    expect(withSites).toEqual(whole);
  });

  it("yields the visible steps", () => {
    const { results } = parseCbmcOutput(sampleText("unit_foo"), "f");
    const kinds = results.flatMap(({ trace }) => cbmcSteps(trace ?? [])).map(describeStep);
    expect(kinds).toEqual([
      "location",
      "location",
      "call main",
      "location",
      "call testFoo",
      "call foo",
      "a = 0",
      "b = -2",
      "x = 1",
      "x = 1",
      "x = -1",
      "y = 0",
      "goto_symex$$return_value$$foo = -1",
      "return foo",
      "return_value_foo = -1",
      "res = -1",
      "failure testFoo.assertion.1",
    ]);
  });

  it("finds inputs that are assigned directly, by the program's lines", () => {
    const trace = [
      call("main", 1),
      assign("x", 3, "5"),
      assign("y", 4, "6"),
      assign("x", 5, "7"),
      { stepType: "loop-head", sourceLocation: at(5) },
      assign("x", 5, "8"),
      failure("p.1"),
    ];
    const output = [{ result: [result("p.1", trace)] }];
    const sites = [3, 5].map((line) => ({ file: "p.c", line }));
    expect(inputValues(read(output, { sites }).inputs, "f")).toEqual([5n, 7n, 8n]);
    expect(read(output).inputs).toEqual([]);
  });

  it("tells inputs from results of functions with a body on the same line", () => {
    const trace = [
      call("main", 1),
      assign("return_value_nondet$1", 3, "5"),
      call("f", 3),
      assign("a", 3, "5", { assignmentType: "actual-parameter" }),
      assign("goto_symex$$return_value$$f", 10, "6", { sourceLocation: at(10, "f") }),
      leave("f", 11),
      assign("x", 3, "6"),
      call("f", 4),
      leave("f", 11),
      assign("return_value_f", 4, "9"),
      assign("y", 4, "9"),
      call("f", 5),
      leave("f", 11),
      assign("z", 5, "1"),
      assign("u", 5, "2"),
      failure("p.1"),
    ];
    const sites = [3, 5].map((line) => ({ file: "p.c", line }));
    const run = read([{ result: [result("p.1", trace)] }], { sites });
    expect(run.inputs.map(({ name, value }) => [name, value])).toEqual([
      ["nondet", 5n],
      ["u", 2n],
    ]);
  });

  it("takes the first of several traces, or the one that is named", () => {
    const trace = (n: string, property: string) => [assign("return_value_nondet", 3, n), failure(property)];
    const output = [
      {
        result: [
          { property: "ok.1", status: "SUCCESS" },
          result("a.1", trace("1", "a.1")),
          result("b.1", trace("2", "b.1")),
        ],
      },
    ];
    expect(read(output)).toMatchObject({ property: "a.1" });
    const second = read(output, { property: "b.1" });
    expect(second).toMatchObject({ property: "b.1" });
    expect(inputValues(second.inputs, "f")).toEqual([2n]);
    const error = errorOf(() => read(output, { property: "c.1" }));
    expect(error).toMatchObject({ code: "TF187", message: "no failing trace of property c.1" });
    expect(error.help).toContain("a.1, b.1");
  });

  it("takes keys in any order, and the lone trace of --stop-on-fail", () => {
    const trace = [
      { stepType: "input", inputID: "argc", values: [integer("3")], sourceLocation: at(1) },
      failure("a.1"),
    ];
    const turned = [{ result: [{ trace, status: "FAILURE", property: "a.1" }] }];
    expect(read(turned)).toMatchObject({ property: "a.1", inputs: [] });
    expect(read([{ counterexample: trace }])).toMatchObject({ property: "a.1", reason: "assertion x" });
  });

  it("reads the values of all types", () => {
    const values = [
      { name: "integer", data: "36028797018963968ul", type: "unsigned long int" },
      { name: "integer", data: "'a'", binary: "01100001", type: "char" },
      { name: "integer", data: "?", binary: "11111111", type: "unsigned char" },
      { name: "integer", data: "?", binary: "11111111", type: "signed char" },
      { name: "boolean", data: "TRUE", binary: "1" },
      { name: "float", data: "0.1f", binary: "00111101110011001100110011001101", type: "float" },
      { name: "float", data: "+INFINITY", binary: `0${"1".repeat(11)}${"0".repeat(52)}`, type: "double" },
      { name: "pointer", data: "NULL", type: "int *" },
      { name: "pointer", data: "((signed int *)NULL)", type: "int *" },
    ];
    const trace = [...values.map((value) => ({ ...assign("return_value_nondet", 3, ""), value })), failure("a.1")];
    const { inputs } = read([{ result: [result("a.1", trace)] }]);
    expect(inputValues(inputs, "f")).toEqual([
      36028797018963968n,
      97n,
      255n,
      -1n,
      1n,
      Math.fround(0.1),
      Number.POSITIVE_INFINITY,
      0n,
      0n,
    ]);
    const pointer = { ...assign("return_value_nondet", 3, ""), value: { name: "pointer", data: "&x!0@1" } };
    const bad = read([{ result: [result("a.1", [pointer, failure("a.1")])] }]);
    expect(() => inputValues(bad.inputs, "f")).toThrow("input 1 of the trace, nondet at p.c:3, has no numeric value");
  });

  it("says what is wrong with broken JSON, and where", () => {
    const text = sampleText("unit_foo");
    const cut = errorOf(() => read(text.slice(0, 5000)));
    expect(cut).toMatchObject({ code: "TF185", kind: "input", range: { file: "trace.json" } });
    expect(cut.range!.line).toBe(text.slice(0, 5000).split("\n").length);
    expect(cut.message).toMatch(/^this is not JSON: /);
    expect(errorOf(() => read("CBMC version 6\n"))).toMatchObject({ code: "TF185", range: { line: 1, column: 1 } });
  });

  it("gives the reason if no trace fails", () => {
    const message = (output: unknown) => {
      const error = errorOf(() => read(output));
      expect(error.code).toBe("TF186");
      return error.message;
    };
    expect(message([{ result: [{ property: "a", status: "SUCCESS" }] }])).toBe("no property fails");
    expect(message([{ result: [{ property: "a", status: "FAILURE" }] }])).toBe(
      "properties fail, but no trace says how",
    );
    expect(message([{ messageType: "ERROR", messageText: "syntax error" }])).toBe(
      "CBMC ended with an error: syntax error",
    );
    expect(message({ some: "thing" })).toBe("there is no result of CBMC in this file");
  });
});

function describeStep(step: CbmcStep): string {
  switch (step.kind) {
    case "assignment":
      return `${step.target} = ${step.value}`;
    case "call":
    case "return":
      return `${step.kind} ${step.function}`;
    case "failure":
      return `failure ${step.property}`;
    default:
      return step.kind;
  }
}
