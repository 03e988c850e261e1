import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning } from "../../src/base/isRunning.ts";
import { isSame, keyTasks } from "../../src/batch/doAll.ts";
import { builtCli, root } from "../support/builtCli.ts";
import { readJsonLines, runCli, startCli, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();

beforeAll(() => {
  for (const name of ["array-sum.c", "gcd.c", "bounded-loop.c"])
    cpSync(join(root, "examples", name), join(folder, name));
  const property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
  mkdirSync(join(folder, "set/properties"), { recursive: true });
  writeFileSync(join(folder, "set/properties/unreach-call.prp"), property);
  writeFileSync(join(folder, "set/properties/termination.prp"), "CHECK( init(main()), LTL(F end) )\n");
  for (const [name, bound] of [
    ["holds", 10],
    ["fails", 9],
  ] as const) {
    const program = `extern void reach_error(void);\nint main(void) { int i = 0; while (i < 10) i++; if (i > ${bound}) reach_error(); return 0; }\n`;
    writeFileSync(join(folder, `set/${name}.c`), program);
    writeFileSync(
      join(folder, `set/${name}.yml`),
      `format_version: '2.0'\ninput_files: '${name}.c'\nproperties:\n  - property_file: properties/unreach-call.prp\n    expected_verdict: true\n  - property_file: properties/termination.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n`,
    );
  }
  writeFileSync(join(folder, "set/broken.yml"), "format_version: '2.0'\ninput_files: 'missing.c'\n");
  writeFileSync(join(folder, "set/all.set"), "# all\n*.yml\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

const storedIn = (store: string) => {
  const path = join(folder, store, "results.jsonl");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};

function childrenOf(id: number): readonly number[] {
  const text = readFileSync(`/proc/${id}/task/${id}/children`, "utf8");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

describe("tracefold batch", () => {
  it("compares a benchmark set with its verdicts, and reports what is broken in it", async () => {
    const words = [
      "batch",
      "set/all.set",
      "--store",
      "s1",
      "--jsonl",
      "s1.jsonl",
      "--xml",
      "s1.xml",
      "--junit",
      "j.xml",
    ];
    const { status, stdout } = await runCli(words, folder);
    expect(stdout).toContain("1  right: safe");
    expect(stdout).toContain("1  wrong: unsafe");
    expect(stdout).toContain("missing.c: there is no such file");
    expect(status).toBe(1);
    expect(readJsonLines(join(folder, "s1.jsonl")).map(({ category }) => category)).toEqual([
      "wrong",
      "right",
      "failed",
    ]);
    const xml = readFileSync(join(folder, "s1.xml"), "utf8");
    expect(xml).toContain('<column title="status" value="false(unreach-call)"/>');
    expect(xml).toContain(
      '<run name="set/fails.yml" files="[set/fails.yml]" properties="unreach-call" expectedVerdict="true">',
    );
    // table-generator fails without all four.
    expect(xml).toMatch(/<os name=".*"\/>\s*<cpu cores="\d+" .*\/>\s*<ram size="\d+B"\/>\s*<environment\/>/);
    expect(xml).toContain('<column title="category" value="wrong" hidden="true"/>');
    expect(readFileSync(join(folder, "j.xml"), "utf8")).toContain('tests="3" failures="1" errors="1" skipped="0"');
  });

  it("does each task once: a second batch has its results from the store, unless a file has changed", async () => {
    const lines = [
      { name: "a", files: ["array-sum.c"] },
      { name: "b", command: "run", files: ["gcd.c"], options: ["--inputs", "12,18"], expected: "passes" },
    ];
    writeFileSync(join(folder, "two.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const words = ["batch", "two.jsonl", "--store", "s2", "--jsonl", "two-results.jsonl"];
    const first = await runCli(words, folder);
    expect(first.stdout).toContain("1 failure, 1 cause");
    const single = JSON.parse((await runCli(["explain", "array-sum.c", "--format", "json"], folder)).stdout);
    expect(readJsonLines(join(folder, "two-results.jsonl"))[0]?.cause).toMatchObject({
      file: single.suspects[0].location.file,
      line: single.suspects[0].location.line,
    });
    // A line that was being written when the machine stopped.
    appendFileSync(join(folder, "s2/results.jsonl"), '{"key":"torn');
    const second = await runCli(words, folder);
    expect(second.stdout).toContain("2 from the store");
    appendFileSync(join(folder, "gcd.c"), "\n");
    const third = await runCli([...words, "--html", "page.html"], folder);
    expect(third.stdout).toContain(", 1 from the store");
    expect(readFileSync(join(folder, "s2/results.jsonl"), "utf8").trim().split("\n")).toHaveLength(3);
    expect(existsSync(join(folder, "page.html"))).toBe(true);
  });

  it("explains each failing test of a folder of programs, and groups failures by cause", async () => {
    mkdirSync(join(folder, "programs/tests"), { recursive: true });
    const sum =
      '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); int c = a - b; printf("%d\\n", c); return 0; }\n';
    writeFileSync(join(folder, "programs/sum.c"), sum);
    for (const [name, input, output] of [
      ["1", "2 0", "2"],
      ["2", "2 3", "5"],
      ["3", "4 1", "5"],
    ] as const) {
      writeFileSync(join(folder, `programs/tests/${name}.in`), input);
      writeFileSync(join(folder, `programs/tests/${name}.out`), output);
    }
    const { stdout, status } = await runCli(["batch", "programs/sum.c", "--tests", "tests", "--store", "s3"], folder);
    expect(stdout).toContain("2  explained");
    expect(stdout).toContain("1  passes");
    expect(stdout).toContain("2 failures, 1 cause");
    expect(status).toBe(1);
  });

  it("ends what never ends or needs too much memory; its neighbours have their results", async () => {
    const endless = "int main(void) { volatile int x = 1; while (x) x = 1; return 0; }\n";
    const large =
      "#include <stdlib.h>\nint main(void) { for (int i = 0; i < 10000; i++) { char *p = malloc(1 << 20); for (int k = 0; k < 1 << 20; k += 64) p[k] = 1; } return 0; }\n";
    writeFileSync(join(folder, "endless.c"), endless);
    writeFileSync(join(folder, "large.c"), large);
    const lines = [
      { name: "endless", command: "run", files: ["endless.c"], options: ["--max-steps", "1e15"] },
      { name: "large", command: "run", files: ["large.c"], options: ["--max-steps", "1e15"] },
      ...["1,1", "2,4", "9,3"].map((inputs) => ({
        name: inputs,
        command: "run",
        files: ["gcd.c"],
        options: ["--inputs", inputs],
      })),
    ];
    writeFileSync(join(folder, "bad.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const limits = ["--task-seconds", "2", "--task-megabytes", "500", "--workers", "2"];
    const words = ["batch", "bad.jsonl", "--store", "s4", "--jsonl", "bad-results.jsonl", ...limits];
    const { status } = await runCli(words, folder);
    const results = readJsonLines(join(folder, "bad-results.jsonl"));
    expect(results.map(({ answer }) => answer)).toEqual(["unknown", "unknown", "passes", "passes", "passes"]);
    // On a busy machine the clock is over first.
    expect(results[0]?.reason).toMatch(/more than (2 s of processor time|8 s)/);
    expect(results[1]?.reason).toMatch(/500 MB of memory/);
    expect(status).toBe(3);
  });

  it("refuses a second batch on its store, and keeps results when it is interrupted", async () => {
    const endless = { name: "endless", command: "run", files: ["endless.c"], options: ["--max-steps", "1e15"] };
    const quick = { name: "quick", command: "run", files: ["gcd.c"], options: ["--inputs", "12,18"] };
    writeFileSync(join(folder, "stop.jsonl"), [quick, endless].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const words = ["batch", "stop.jsonl", "--store", "s5", "--workers", "1"];
    const { child, ended } = startCli(words, folder);
    const stored = () => {
      const path = join(folder, "s5/results.jsonl");
      return existsSync(path) && readFileSync(path, "utf8").includes("\n");
    };
    while (!stored()) await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await runCli(words, folder);
    expect(second.stderr).toContain(`another batch writes to s5: process ${child.pid}`);
    expect(second.status).toBe(2);
    child.kill("SIGINT");
    const first = await ended;
    expect(first.stdout).toMatch(/^ +1 {2}passes\n\n1 task in .*; 1 task not done: the same command goes on\n$/);
    expect(first.status).toBe(130);
    expect(existsSync(join(folder, "s5/lock"))).toBe(false);
  });

  it("keeps what it has on a full disk and when it is killed, and goes on from there", async () => {
    const lines = Array.from({ length: 20 }, (_, i) => ({
      ...{ name: `${i}`, command: "run", files: ["gcd.c"], options: ["--inputs", `${i + 1},18`] },
    }));
    writeFileSync(join(folder, "never.c"), "int main(void) { volatile int x = 1; while (x) x = 1; return 0; }\n");
    const never = { name: "never", command: "run", files: ["never.c"], options: ["--max-steps", "1e15"] };
    writeFileSync(join(folder, "twenty.jsonl"), [...lines, never].map((line) => `${JSON.stringify(line)}\n`).join(""));
    const words = ["batch", "twenty.jsonl", "--store", "s6", "--workers", "1", "--task-seconds", "2"];
    // Files of at most 8 KB, which is as good as a full disk.
    const script = `ulimit -f 8 && exec "${process.execPath}" "${builtCli()}" ${words.join(" ")}`;
    const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
    expect(stderr).toContain("TF133: --store: cannot write to s6 (there is no room left)");
    expect(status).toBe(2);
    const kept = storedIn("s6");
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(20);
    const { child, ended } = startCli(words, folder);
    while (storedIn("s6") < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const pool = childrenOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await ended;
    while (pool.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
    const last = await runCli(words, folder);
    expect(last.stdout).toContain("20  passes");
    expect(last.stdout).toContain("20 from the store");
    expect(storedIn("s6")).toBe(21);
    expect(last.status).toBe(3);
  });

  it("has one result for a task that is listed twice, and says that a task's files changed", async () => {
    writeFileSync(join(folder, "größe.c"), "int main(void) { return 0; }\n");
    const task = { command: "run", files: ["größe.c"] };
    writeFileSync(join(folder, "double.jsonl"), `${JSON.stringify(task)}\n${JSON.stringify(task)}\n`);
    const { stdout } = await runCli(["batch", "double.jsonl", "--store", "s7"], folder);
    expect(stdout).toContain("2  passes");
    expect(storedIn("s7")).toBe(1);
    const changing = { name: "x", command: "run", words: ["größe.c"], arguments: [], folder, expected: null } as const;
    const { keyed } = keyTasks([changing], "1s");
    expect(keyed.map(isSame)).toEqual([true]);
    appendFileSync(join(folder, "größe.c"), "\n");
    expect(keyed.map(isSame)).toEqual([false]);
    rmSync(join(folder, "größe.c"));
    expect(keyed.map(isSame)).toEqual([false]);
  });

  it("compares contracts with infer: kept and broken", async () => {
    mkdirSync(join(folder, "changed"));
    const account = readFileSync(join(root, "examples/infer/account.c"), "utf8");
    writeFileSync(join(folder, "account.c"), account);
    const changed = account.replace("a->balance -= amount", "a->balance += amount");
    writeFileSync(join(folder, "changed/account.c"), changed);
    const run = ["--all", "--entry", "test", "--inputs", "50", "--inputs", "120"];
    const { stdout: contracts } = await runCli(["infer", "account.c", ...run, "--format", "json"], folder);
    writeFileSync(join(folder, "changed/contracts.json"), contracts);
    writeFileSync(join(folder, "contracts.json"), contracts);
    const infer = { command: "infer", files: ["account.c"], options: [...run, "--diff", "contracts.json"] };
    const line = (task: object) => `${JSON.stringify(task)}\n`;
    writeFileSync(join(folder, "kept.jsonl"), line({ ...infer, name: "kept" }));
    writeFileSync(join(folder, "changed/broken.jsonl"), line({ ...infer, name: "broken" }));
    const words = ["batch", "kept.jsonl", "changed/broken.jsonl", "--store", "s8", "--jsonl", "s8.jsonl"];
    const { status } = await runCli(words, folder);
    expect(readJsonLines(join(folder, "s8.jsonl")).map(({ answer }) => answer)).toEqual(["kept", "broken"]);
    expect(status).toBe(1);
  });

  it("names what is wrong with its words", async () => {
    expect((await runCli(["batch"], folder)).status).toBe(2);
    expect((await runCli(["batch", "none.set"], folder)).stderr).toContain("none.set: there is no such file or folder");
  });
});
