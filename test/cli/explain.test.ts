import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stageNames } from "../../src/commands/explain/stages/stage.ts";
import { builtCli, root } from "../support/builtCli.ts";
import { untilTimeUp } from "../support/untilTimeUp.ts";

const examples = join(root, "examples/explain");
const fixtures = join(root, "test/fixtures/cbmc");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-explain-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tracefold(args: readonly string[], cwd = examples) {
  const { stdout, stderr, status } = spawnSync("node", [builtCli(), ...args], {
    cwd,
    encoding: "utf8",
    timeout: 600_000,
  });
  return { stdout, stderr, status };
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("--no-proof", () => {
  it("prints what was observed, once, without a solver", () => {
    const { stdout, stderr, status } = tracefold(["explain", "unit-test.c", "--entry", "testFoo", "--no-proof"]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout.match(/assertion failed/g)).toHaveLength(1);
    expect(stdout).toMatch(/; not proved \(--no-proof\)$/m);
    const { stdout: json } = tracefold([
      "explain",
      "unit-test.c",
      "--entry",
      "testFoo",
      "--no-proof",
      "--format",
      "json",
    ]);
    expect(JSON.parse(json)).toMatchObject({
      kind: "explained",
      status: "ok",
      proof: { checked: false },
      missing: [{ kind: "proof" }],
    });
  });

  it("is refused where a proof is the question", () => {
    const { status, stderr } = tracefold(["explain", "unit-test.c", "--flow-sensitive", "--no-proof"]);
    expect(status).toBe(2);
    expect(stderr).toContain("--flow-sensitive and --target ask for a proof");
  });
});

describe("sources of the run", () => {
  it("explains a unit test, with the command that replays it", () => {
    const { stdout, status } = tracefold(["explain", "unit-test.c", "--entry", "testFoo"]);
    expect(status).toBe(0);
    expect(stdout).toContain("assertion failed: res >= 0");
    expect(stdout).toMatch(/^replay: tracefold run unit-test\.c --entry testFoo {2}/m);
    expect(stdout).not.toContain("--inputs");
  });

  it("runs a fuzz target with the bytes of a crash file, and shrinks them", () => {
    const file = written(
      "fuzz.c",
      `#include <stdint.h>
#include <stddef.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 || data[0] != 'J') return 0;
  size_t i = 1;
  while (data[i] != ';') i++;
  return 0;
}
int main(void) { return 0; }
`,
    );
    const crash = written("crash-1", "J[1,2]");
    const { stdout } = tracefold(["explain", file, "--fuzz-input", crash]);
    expect(stdout).toContain("error: data[i]: byte 6 is outside of the data (6 bytes)");
    expect(stdout).toMatch(/^replay: printf 'J.' \| tracefold run \S+ --fuzz-input - /m);
    expect(stdout).not.toContain("__tf_fuzz");
    expect(tracefold(["run", file, "--fuzz-input", crash]).status).toBe(1);
    expect(tracefold(["run", file, "--fuzz-input", written("empty", "")]).status).toBe(0);
    const none = written("none.c", "int main(void) { return 0; }\n");
    expect(tracefold(["run", none, "--fuzz-input", crash]).stderr).toContain(
      "there is no function LLVMFuzzerTestOneInput",
    );
  });

  it("prints nothing with --quiet, whether the run fails or not", () => {
    const file = written("fine.c", "int main(void) { return 0; }\n");
    expect(tracefold(["explain", file, "--inputs", "1", "--quiet"])).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(tracefold(["explain", file, "--inputs", "1"]).stdout).not.toBe("");
    const failing = ["explain", "unit-test.c", "--entry", "testFoo", "--quiet"];
    expect(tracefold(failing)).toEqual({ stdout: "", stderr: "", status: 0 });
  });

  it("writes stages with --dump, checks them with --check, and refuses an unknown stage", () => {
    const [all, one] = [join(folder, "all"), join(folder, "one")];
    const args = ["explain", "overflow.c", "--inputs", "2000000000,2100000000,9", "--check"];
    expect(tracefold([...args, "--dump", "stages", all, "facts", one]).status).toBe(0);
    expect(readdirSync(all)).toHaveLength(stageNames.length);
    expect(readdirSync(one)).toEqual(["5-facts.txt"]);
    const { status, stderr } = tracefold([...args, "--dump", "fact", one]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("fact is none of smt, dependences")]);
  });

  it("prints how the run fails once, ahead of the rest", () => {
    const whole = join(folder, "whole.txt");
    expect(tracefold(["explain", "overflow.c", "--inputs", "2000000000,2100000000,9", "--out", whole]).status).toBe(0);
    const printed = tracefold(["explain", "overflow.c", "--inputs", "2000000000,2100000000,9"]).stdout;
    expect(printed).toBe(readFileSync(whole, "utf8"));
  });

  it("knows how the run fails when the time is up, and exits with status 3", () => {
    const file = written(
      "alternating.c",
      `#include <assert.h>
int main(void) {
  long sum = 0;
  for (int i = 1; i <= 3000; i++) {
    if (i % 2) sum += i;
    else sum -= i;
  }
  assert(sum == 50);
  return 0;
}
`,
    );
    const { stdout, stderr, status } = untilTimeUp((seconds) => tracefold(["explain", file, "--timeout", seconds]), 1);
    expect(stdout).toMatch(/^error: assertion failed: sum == 50\n {2}--> \S*alternating\.c:8:3 in main\n/);
    expect(stdout + stderr).toMatch(/^unknown: the time was up: /m);
    expect(status).toBe(3);
  });

  it("searches for a failing run with a seed if none is given", () => {
    const { stdout, status } = tracefold(["explain", "wrong-branch.c"]);
    expect(status).toBe(0);
    expect(stdout).toContain("each = 15");
    const [, inputs] = /^replay: tracefold run wrong-branch\.c --inputs=(\S+)/m.exec(stdout)!;
    // What was found has been made small before it was explained.
    expect(stdout).toContain(`inputs: ${inputs!.split(",").join(", ")}\n`);
  });

  it("makes a failing run with the command of the smallest reproducer", () => {
    const { stdout } = tracefold(["explain", "overflow.c", "--inputs", "2000000000,2100000000,9"]);
    const command = /^replay: tracefold (.*?) {2}/m.exec(stdout)![1]!;
    const replayed = tracefold(command.split(" "));
    expect(replayed.status).toBe(1);
    expect(replayed.stdout).toContain("overflows int");
  });

  it("quotes the program's arguments for the shell", () => {
    const file = written(
      "arguments.c",
      "#include <assert.h>\nint main(int argc, char **argv) { int n = argv[1][2]; assert(n != 39); return argc < 3; }\n",
    );
    const { stdout, status } = tracefold(["explain", file, "--", "it's", "x"]);
    expect(status).toBe(0);
    expect(stdout).toContain("-- 'it'\\'''");
  });

  it("explains a trace of CBMC", () => {
    const { stdout, status } = tracefold(["explain", "unit_foo.c", "--cbmc-trace", "unit_foo.cbmc.json"], fixtures);
    expect(status).toBe(0);
    expect(stdout).toContain("x = x + b");
  });

  it("explains a witness that explain wrote", () => {
    const witness = join(folder, "witness.yml");
    const inputs = ["--inputs", "3"];
    expect(tracefold(["explain", "wrong-branch.c", ...inputs, "--format", "witness", "--out", witness]).status).toBe(0);
    const { stdout, status } = tracefold(["explain", "wrong-branch.c", "--witness", witness]);
    expect(status).toBe(0);
    expect(stdout).toContain("inputs: 3");
  });
});

describe("a run that does not fail", () => {
  it("says so and offers --target", () => {
    const { stdout, status } = tracefold(["explain", "wrong-branch.c", "--inputs", "0"]);
    expect(status).toBe(0);
    expect(stdout).toContain("does not fail");
    expect(stdout).toContain("--target");
  });

  it("explains any condition at any line", () => {
    const { stdout, status } = tracefold(["explain", "unit-test.c", "--target", "x == -1 && b < 0 @ unit-test.c:9"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/y = y \+ a; +<-- holds: x == -1 && b < 0/);
    expect(stdout).toContain("proof checked");
  });
});

describe("the head of an answer", () => {
  const sum = `int main(void) {
  int s = 0;
  for (int i = 0; i < 5; i++) {
    s += i;
  }
  return 1 / (s - 10);
}
`;

  it("says which visit of the line it explains", () => {
    const { stdout } = tracefold(["explain", written("sum.c", sum), "--target", "i == 2 @ 4"]);
    expect(stdout).toMatch(/sum\.c:4:5: i == 2 \(the last time that it holds: visit 3 of 5\)\n/);
  });

  it("says which conditions a proof's folder has, and how many", () => {
    const proof = join(folder, "proof");
    const { stdout } = tracefold(["explain", written("sum.c", sum), "--proof", proof]);
    const scripts = readdirSync(proof).filter((name) => name.endsWith(".smt2"));
    expect(stdout).toContain(`proof: ${proof} has the ${scripts.length} condition`);
    expect(stdout).toMatch(/not those between facts\n$/);
  });
});

describe("formats", () => {
  it("writes JSON, SARIF and invariants", () => {
    const json = tracefold(["explain", "off-by-one.c", "--inputs", "9", "--format", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ command: "explain", status: "ok", proof: { checked: true } });
    const sarif = tracefold(["explain", "off-by-one.c", "--inputs", "9", "--format", "sarif"]);
    expect(JSON.parse(sarif.stdout).runs[0].results[0].ruleId).toBe("assertion");
    const invariants = tracefold(["explain", "initial-value.c", "--format", "invariants"]);
    expect(invariants.stdout).toContain("invariant_set");
  });
});

describe("bad input: one message with its place, exit code 2", () => {
  const fails = (args: readonly string[], message: RegExp, cwd?: string) => {
    const { stdout, stderr, status } = tracefold(["explain", ...args], cwd);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
  };

  it("refuses bad targets", () => {
    fails(["unit-test.c", "--target", "x +* @ 9"], /^--target:1:\d+: TF136: the condition cannot be read/);
    fails(["unit-test.c", "--target", "x == 1"], /^--target:1:7: TF136: expected @/);
    fails(["unit-test.c", "--target", "x == 1 @ here"], /^--target:1:\d+: TF136: expected a file and line/);
    fails(["unit-test.c", "--target", "x = 1 @ 9"], /^--target:1:1: TF136: a condition cannot have side effects/);
    fails(
      ["unit-test.c", "--target", "x); } int f(void) { return (1 @ 9"],
      /^--target:1:1: TF136: this is not one expression/,
    );
    fails(["unit-test.c", "--target", "nothing == 1 @ 9"], /^--target:1:1: TF166: nothing is not declared/);
    fails(
      ["unit-test.c", "--target", "x == 1 @ 2"],
      /^--target:1:1: TF136: there is no statement .* line 2 of unit-test.c/,
    );
    fails(["unit-test.c", "--target", "x == 5 @ 9"], /^unit-test.c:9:3: TF137: the condition does not hold/);
  });

  it("refuses bad witnesses", () => {
    const good = join(folder, "good.yml");
    tracefold(["explain", "wrong-branch.c", "--inputs", "3", "--format", "witness", "--out", good]);
    fails(["off-by-one.c", "--witness", good], /^\S+good\.yml:\d+:\d+: TF197: this witness is about another file/);
    fails(["off-by-one.c", "--witness", written("bad.yml", "- : [")], /^\S+bad\.yml:\d+:\d+: TF194/);
    fails(["off-by-one.c", "--witness", join(folder, "none.yml")], /^TF132: --witness: cannot read .*no such file/);
    const other = readFileSync(good, "utf8").replace("\\result == 3", "\\result == 0");
    fails(
      ["wrong-branch.c", "--witness", written("other.yml", other)],
      /TF138: no run that follows this witness fails/,
    );
  });

  it("refuses bad traces of CBMC", () => {
    fails(["off-by-one.c", "--cbmc-trace", written("bad.json", '[{"x": ')], /^\S+bad\.json:\d+:\d+: TF185/);
    fails(["off-by-one.c", "--cbmc-trace", join(folder, "none.json")], /^TF132: --cbmc-trace: cannot read/);
    const fixed = written("fixed.c", readFileSync(join(fixtures, "unit_foo.c"), "utf8").replace("-2", "2"));
    fails([fixed, "--cbmc-trace", join(fixtures, "unit_foo.cbmc.json")], /TF138: the trace does not replay/);
  });

  it("refuses two sources of the run", () => {
    fails(["off-by-one.c", "--inputs", "1", "--witness", "w.yml"], /^TF130: a run comes from inputs/);
  });
});
