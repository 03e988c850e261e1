import { describe, expect, it } from "vitest";
import type { BatchReport, ReportedTask } from "../../src/batch/results/batchReport.ts";
import { benchexecXml } from "../../src/batch/results/benchexecXml.ts";
import { compareBatches } from "../../src/batch/results/diff.ts";
import { junitXml } from "../../src/batch/results/junitXml.ts";
import { batchTable } from "../../src/batch/results/table.ts";
import { plain } from "../../src/render/layout.ts";

const task = (more: Partial<ReportedTask>): ReportedTask => ({
  ...{ name: "a", command: "verify", category: "answered", answer: "safe", expected: null, reason: null, cause: null },
  ...{ seconds: 1, processorSeconds: 1, megabytes: 100, attempts: 1, key: "k" },
  ...more,
});

const report = (tasks: readonly ReportedTask[]): BatchReport => ({
  ...{ command: "batch", tool: { name: "tracefold", version: "1" }, tasks, groups: [], left: 0, reused: 0, seconds: 1 },
  limits: { seconds: 900, megabytes: 4000 },
});

describe("BenchExec's format", () => {
  it("names the property of the definition, relative to the file", () => {
    const definition = { path: "/set/x.yml", property: "no-overflow" };
    const given = task({ answer: "unsafe", expected: "safe", category: "wrong", definition });
    const xml = benchexecXml(report([given]), new Date(0), "/results/r.xml");
    expect(xml).toContain(
      '<run name="../set/x.yml" files="[../set/x.yml]" properties="no-overflow" expectedVerdict="true">',
    );
    expect(xml).toContain('value="false(no-overflow)"');
    expect(xml).toContain('timelimit="900s" memlimit="4194304000B"');
  });

  it("has characters that XML cannot have, and a limit, in its words", () => {
    const given = task({
      name: "<\u0001ö&\ud800>",
      answer: "unknown",
      category: "unknown",
      reason: "it took more than 2 s",
    });
    const xml = benchexecXml(report([given]), new Date(0), "r.xml");
    expect(xml).toContain('<run name="&#60;?ö&#38;?&#62;">');
    expect(xml).toContain('value="TIMEOUT"');
  });
});

describe("JUnit's format", () => {
  it("counts failures, errors and what is unknown", () => {
    const cause = { kind: "out-of-bounds-read", file: "a.c", line: 3, text: "a[i]" };
    const xml = junitXml(
      report([
        task({}),
        task({ command: "explain", answer: "explained", cause }),
        task({ answer: null, category: "failed", reason: "no" }),
        task({ answer: "unknown", category: "unknown", reason: "time" }),
      ]),
    );
    expect(xml).toContain('tests="4" failures="1" errors="1" skipped="1"');
    expect(xml).toMatch(
      /<failure message="explained" type="out-of-bounds-read">\s*out-of-bounds-read at a.c:3: a\[i\]/,
    );
  });
});

describe("the table", () => {
  it("of no task is one line", () => {
    const text = batchTable({ ...report([]), left: 1 }, plain, null);
    expect(text).toBe("0 tasks in 1.0 s; 0.0 s of processor time; 1 task not done: the same command goes on\n");
  });
});

describe("--diff", () => {
  it("tells what is new, gone, changed, faster and slower", () => {
    const before = [
      task({ name: "gone" }),
      task({ name: "same" }),
      task({ name: "changed" }),
      task({ name: "faster", processorSeconds: 4 }),
      task({ name: "slower" }),
    ];
    const after = [
      task({ name: "new" }),
      task({ name: "same", processorSeconds: 1.2 }),
      task({ name: "changed", answer: "unsafe" }),
      task({ name: "faster" }),
      task({ name: "slower", processorSeconds: 4 }),
    ];
    const { added, gone, changed, faster, slower } = compareBatches(before, after);
    expect([added, gone]).toEqual([["new"], ["gone"]]);
    expect(changed).toEqual([{ name: "changed", before: "safe", after: "unsafe" }]);
    expect([faster, slower].map(([first]) => first?.name)).toEqual(["faster", "slower"]);
  });
});
