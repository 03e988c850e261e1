import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import { builtCli, root } from "../support/builtCli.ts";

const schema = (name: string) => JSON.parse(readFileSync(join(root, "schema", name), "utf8"));
const validate = new Ajv2020({ allErrors: true })
  .addSchema(schema("common.schema.json"))
  .compile(schema("explore.schema.json"));

const folder = mkdtempSync(join(tmpdir(), "tracefold-explore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = join(folder, "p.c");
writeFileSync(
  program,
  `extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (a == -123456789) {
    if (b == 200) __VERIFIER_assert(a > 0);
    return 2;
  }
  return 3;
}
`,
);

function tracefold(...args: string[]) {
  const { stdout, stderr, status } = spawnSync("node", [builtCli(), ...args], { encoding: "utf8", timeout: 600_000 });
  return { stdout, stderr, status };
}

describe("tracefold explore", () => {
  it("finds the failing input, and the printed command repeats the run", () => {
    const { stdout, status } = tracefold("explore", program, "--runs", "0", "--mode", "classic");
    expect(status).toBe(1);
    expect(stdout).toContain("assertion failed: a > 0");
    expect(stdout).toContain("--inputs=-123456789,200");
    expect(tracefold("run", program, "--inputs=-123456789,200").status).toBe(1);
  });

  it("follows its schema, writes the tree and tests, and reads tests back", () => {
    const [tree, tests, ktests] = ["t.json", "xml", "ktest"].map((name) => join(folder, name));
    const { stdout } = tracefold(
      "explore",
      program,
      "--runs",
      "20",
      "--format",
      "json",
      "--tree",
      tree!,
      "--tests",
      tests!,
    );
    const report = JSON.parse(stdout);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(report).toMatchObject({ status: "failed", complete: true, tree: { leaves: 3, failedLeaves: 0 } });
    expect(JSON.parse(readFileSync(tree!, "utf8")).tree[0].kind).toBe("root");
    tracefold(
      "explore",
      program,
      "--runs",
      "0",
      "--tests",
      ktests!,
      "--test-format",
      "ktest",
      "--tree",
      join(folder, "t.dot"),
    );
    expect(readFileSync(join(folder, "t.dot"), "utf8")).toMatch(/^digraph exploration/);
    for (const suite of [tests!, ktests!]) {
      const files = readdirSync(suite).filter((name) => /^test.*\.(xml|ktest)$/.test(name));
      const codes = files.map((name) => tracefold("run", program, "--inputs-file", join(suite, name)).stdout);
      expect(codes.filter((text) => text.includes("assertion failed"))).toHaveLength(1);
      expect(codes.filter((text) => text.includes("2"))).not.toHaveLength(0);
    }
  });

  it("covers branches, and says which lines cannot be reached", () => {
    const covered = tracefold("explore", program, "--cover", "branches");
    expect(covered.stdout).toContain("of 6 branches reached");
    const line = tracefold("explore", program, "--reach", "p.c:9");
    expect([line.status, line.stdout]).toEqual([0, expect.stringContaining("reached with inputs -123456789")]);
  });

  it("has a reason for what is left open, and for what it does not understand", () => {
    const open = tracefold("explore", program, "--runs", "0", "--max-states", "3", "--mode", "classic");
    expect(open.status).toBe(3);
    expect(open.stdout).toContain("the limit of 3 states was reached");
    expect(tracefold("explore", program, "--property", "speed").status).toBe(2);
    expect(tracefold("explore", program, "--reach", "somewhere").status).toBe(2);
    writeFileSync(join(folder, "bad.ktest"), "KTEST\0\0");
    expect(tracefold("run", program, "--inputs-file", join(folder, "bad.ktest")).stderr).toContain("TF131");
  });
});
