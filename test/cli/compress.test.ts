import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCli, root } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";
import { untilTimeUp } from "../support/untilTimeUp.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-compress-"));
  cpSync(join(root, "examples/folding/two-counters.c"), join(folder, "counters.c"));
  const made = tracefold("compress", "counters.c", "--inputs", "9", "--proof", "proof", "--quiet");
  expect(made).toEqual({ status: 0, stdout: "", stderr: "" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tracefold(...args: readonly string[]) {
  const options = { cwd: folder, encoding: "utf8", timeout: 600_000 } as const;
  const { stdout, stderr, status } = spawnSync("node", [builtCli(), ...args], options);
  return { status, stdout, stderr };
}

/** A copy of the proof beside the program, with one of its files changed. */
function tampered(name: string, change: (text: string) => string): string {
  const copy = mkdtempSync(join(folder, "tampered-"));
  cpSync(join(folder, "proof"), copy, { recursive: true });
  writeFileSync(join(copy, name), change(readFileSync(join(copy, name), "utf8")));
  return copy;
}

describe("tracefold compress", () => {
  it.each([
    ["an entry function that there is not", ["counters.c", "--inputs", "9", "--entry", "nothing"], 2, "TF182"],
    ["inputs that are not given", ["counters.c"], 2, "TF134"],
    ["an input that is no number", ["counters.c", "--inputs", "x"], 2, "TF142"],
    ["a file that is not there", ["gone.c"], 2, "TF101"],
    ["an assumption that ends the run", ["counters.c", "--inputs=-1"], 2, "TF144"],
    ["overflow that wraps", ["counters.c", "--inputs", "9", "--ub", "wrap"], 2, "TF221"],
    ["a limit of steps", ["counters.c", "--inputs", "9", "--max-steps", "5"], 3, "TF341"],
    ["a set of candidates that there is not", ["counters.c", "--candidates", "all"], 2, "Allowed choices"],
    ["a proof where none can be written", ["counters.c", "--inputs", "9", "--proof", "counters.c"], 2, "TF133"],
  ])("%s", (_, args, status, message) => {
    const result = tracefold("compress", ...args);
    expect(result).toMatchObject({ status, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("replaces a longer proof by a shorter one, and leaves other files alone", () => {
    const target = join(folder, "again");
    mkdirSync(target);
    writeFileSync(join(target, "7-loop4-body-2.smt2"), "");
    writeFileSync(join(target, "notes.txt"), "");
    tracefold("compress", "counters.c", "--inputs", "9", "--proof", "again");
    expect(readdirSync(target).sort()).toEqual(["notes.txt", ...readdirSync(join(folder, "proof"))].sort());
  });
});

describe("--error-flag", () => {
  const program = `extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int bad = 0;
  for (int i = 0; i < 20; i++) {
    if (__VERIFIER_nondet_int() == 7) bad++;
    if (bad > 0) reach_error();
  }
  return 0;
}
`;
  const inputs = Array.from({ length: 20 }, (_, i) => (i === 2 ? 7 : i % 5)).join();

  beforeAll(() => writeFileSync(join(folder, "flag.c"), program));

  it("continues after the error, and proves that err is 1 at the end", () => {
    const args = ["flag.c", "--inputs", inputs, "--error-flag", "--proof", "flag"];
    const { status, stdout } = tracefold("compress", ...args, "--format", "json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      status: "ok",
      folding: { target: { formula: "err == 1" } },
      proof: { checked: true },
    });
    expect(report.loops).toMatchObject([{ iterations: 20, invariant: [{ text: "err == 1" }] }]);
    expect(status).toBe(0);
    expect(tracefold("check", "flag", "--quiet")).toEqual({ status: 0, stdout: "", stderr: "" });
    // Without it the run ends at the error.
    const short = JSON.parse(tracefold("compress", "flag.c", "--inputs", inputs, "--format", "json").stdout);
    expect(short.trace.steps).toBeLessThan(report.trace.steps / 2);
  });

  it("has no target for a run without an error", () => {
    const { status, stdout, stderr } = tracefold(
      "compress",
      "flag.c",
      "--inputs",
      inputs.replace("7", "6"),
      "--error-flag",
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/TF144/);
  });
});

describe("when the time is up", () => {
  // Many variables, each of which may take the value of others at any time, and no invariant that says enough.
  const count = 24;
  const variables = Array.from({ length: count }, (_, i) => `v${i}`);
  const cases = variables.map((v, i) => `case ${i}: ${v} = (v${(i + 1) % count} + v${(i + 5) % count}) / 2; break;`);
  const program = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int ${variables.map((v, i) => `${v} = ${i}`).join(", ")};
  for (int k = 0; k < 40; k++) {
    switch (__VERIFIER_nondet_int()) { ${cases.join("\n")} }
  }
  assert(v0 + v1 == v2 + v7);
}
`;
  const inputs = Array.from({ length: 40 }, (_, i) => (i * 7) % count).join();

  it("prints what it knows, and ends with exit status 3", () => {
    writeFileSync(join(folder, "slow.c"), program);
    const { status, stdout, stderr } = untilTimeUp((seconds) =>
      tracefold("compress", "slow.c", "--inputs", inputs, "--timeout", seconds),
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^not folded: .*for \(int k = 0; k < 40; k\+\+\).*\n {2}why: +the work was ended/m);
    expect(stdout).toMatch(/^unknown: the work was interrupted$/m);
    expect(stdout).not.toContain("proof checked");
    expect(status).toBe(3);
  });
});

describe("schemas", () => {
  const unfolded = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  for (int i = 0; i < 2; i++) if (__VERIFIER_nondet_int()) x = 1;
  assert(x != 0);
}
`;
  beforeAll(() => writeFileSync(join(folder, "unfolded.c"), unfolded));

  it("describe the output of compress and check and the manifest of a proof", () => {
    const printed = (...args: readonly string[]) => JSON.parse(tracefold(...args, "--format", "json").stdout);
    expect(schemaErrors("Explanation", printed("compress", "counters.c", "--inputs", "9"))).toEqual([]);
    const unfolded = printed("compress", "unfolded.c", "--inputs", "0,0");
    expect(unfolded.loops[0].failure).toMatchObject({
      tried: [{ from: 0 }, { from: 1 }],
      lost: { fact: { text: "x == 0" } },
    });
    expect(schemaErrors("Explanation", unfolded)).toEqual([]);
    expect(schemaErrors("CheckReport", printed("check", "proof"))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, "proof/proof.json"), "utf8"));
    expect(schemaErrors("ProofManifest", manifest)).toEqual([]);
    expect(schemaErrors("ProofManifest", { ...manifest, claim: { ...manifest.claim, folds: [{}] } })).not.toEqual([]);
  });
});

describe("tracefold check", () => {
  it("accepts the output of compress, by its folder or its manifest", () => {
    for (const path of ["proof", "proof/proof.json"]) {
      const { status, stdout } = tracefold("check", path);
      expect(stdout).toMatch(/proof accepted \(3 obligations, .*\) for a run of 35 steps/);
      expect(status).toBe(0);
    }
    expect(tracefold("check", "proof", "--quiet")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("exits with status 1 for a wrong invariant, and names the obligation that fails", () => {
    const { status, stdout } = tracefold(
      "check",
      tampered("proof.json", (text) => text.replace(" 0)", " 1)")),
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refuted: target \(.*\)\n {2}\{ i <= j \+ 1 \} \[i == n\] \{ j >= n \}$/m);
    expect(stdout).toContain("proof NOT accepted");
  });

  it("exits with status 1 for a missing script", () => {
    const copy = tampered("proof.v", (text) => text);
    rmSync(join(copy, "2-loop1-body-1.smt2"));
    const { status, stdout } = tracefold("check", copy, "--format", "json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ command: "check", status: "failed" },
      problems: [{ path: join(copy, "2-loop1-body-1.smt2"), of: "proof", problem: "missing" }],
    });
  });

  it.each([
    ["a changed list of inputs", (text: string) => text.replace('"9"', '"8"'), "TF147: the run has 32 steps, not 35"],
    ["broken JSON", (text: string) => text.slice(0, 100), "TF149"],
    ["no proof", () => "{}", "TF149"],
    ["a formula that is none", (text: string) => text.replace("(<= ", "(? "), "TF191"],
  ])("exits with status 2: %s", (_, change, message) => {
    const result = tracefold("check", tampered("proof.json", change));
    expect(result).toMatchObject({ status: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("exits with status 1 for a missing program", () => {
    const { status, stdout } = tracefold(
      "check",
      tampered("proof.json", (text) => text.replaceAll("counters.c", "gone.c")),
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^wrong: gone\.c is missing$/m);
    expect(stdout).toContain("proof NOT accepted");
  });

  it("exits with status 1 for a changed program", () => {
    const text = readFileSync(join(folder, "counters.c"), "utf8");
    writeFileSync(join(folder, "counters.c"), text.replace("j + 2", "j + 1"));
    try {
      const { status, stdout } = tracefold("check", "proof");
      expect(status).toBe(1);
      expect(stdout).toMatch(/^wrong: counters\.c was edited: the proof is about another text$/m);
      expect(stdout).toContain("proof NOT accepted");
    } finally {
      writeFileSync(join(folder, "counters.c"), text);
    }
  });

  it("exits with status 2 for an empty or missing folder", () => {
    mkdirSync(join(folder, "empty"));
    for (const path of ["empty", "nowhere"]) {
      const { status, stderr } = tracefold("check", path);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /TF101: .*: there is no such file\n {2}tracefold compress, explain and verify write a proof with --proof DIR/,
      );
    }
  });
});
