import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtCli, root } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";

function runJson(...args: string[]) {
  const { stdout, stderr } = spawnSync("node", [builtCli(), "run", "--format", "json", ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: 600_000,
  });
  expect(stderr).toBe("");
  const report = JSON.parse(stdout);
  expect(schemaErrors("RunReport", report)).toEqual([]);
  return report;
}

describe("run --format json follows its schema", () => {
  it("describes an exit", () => {
    const report = runJson("examples/gcd.c", "--inputs", "252,105");
    expect(report).toMatchObject({
      tool: { name: "tracefold" },
      command: "run",
      status: "ok",
      outcome: { kind: "exit", code: 0 },
      inputs: [
        { value: 252, type: "unsigned int", source: "__VERIFIER_nondet_uint", location: { line: 12 } },
        { value: 105, location: { file: "examples/gcd.c", line: 13, column: 16 } },
      ],
      output: "gcd(252, 105) = 21\n",
    });
    expect(report.program.files[0].path).toBe("examples/gcd.c");
    expect(report.trace.steps).toBeGreaterThan(10);
  });

  it("describes an assertion, with its negation as the target", () => {
    const report = runJson("examples/counters.c", "--inputs", "12");
    expect(report).toMatchObject({
      status: "failed",
      outcome: { kind: "assertion", location: { line: 15, column: 3 }, function: "main" },
      target: { formula: "!(sent == received)", location: { line: 15 } },
    });
  });

  it("describes a reached error, undefined behaviour and a limit", () => {
    expect(runJson("examples/state-machine.c", "--inputs", "2,2,2,1,2,0,0,0").outcome.kind).toBe("error-location");
    expect(runJson("examples/use-after-free.c").outcome).toMatchObject({
      kind: "undefined-behaviour",
      behaviour: "use-after-free",
    });
    const limited = runJson("examples/bounded-loop.c", "--max-steps", "20");
    expect(limited).toMatchObject({ status: "unknown", outcome: { kind: "limit", limit: "steps" } });
    expect(limited.unknowns).toHaveLength(1);
  });

  it("describes output that is not text, and standard error", () => {
    const path = join(mkdtempSync(join(tmpdir(), "tracefold-json-")), "bytes.c");
    writeFileSync(path, '#include <stdio.h>\nint main(void) { putchar(0xff); fprintf(stderr, "oh"); }');
    const report = runJson(path);
    expect(report).toMatchObject({ output: "\ufffd", outputBase64: "/w==", errorOutput: "oh" });
    rmSync(dirname(path), { recursive: true });
  });

  it("lists the steps with --trace", () => {
    const { trace } = runJson("examples/counters.c", "--inputs", "2", "--trace");
    expect(trace.list).toHaveLength(trace.steps);
    expect(trace.list[1]).toMatchObject({ step: 2, depth: 0, function: "main", value: "2" });
  });
});
