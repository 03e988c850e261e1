import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type CTest, toCTest } from "../../src/render/cTest.ts";
import { hasTool } from "../support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-ctest-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(int argc, char **argv) {
  int a = __VERIFIER_nondet_int();
  unsigned char b = __VERIFIER_nondet_uchar();
  char line[20] = "";
  fgets(line, sizeof line, stdin);
  printf("%s\\n", argv[1]);
  assert(!(a == -7 && b == 200 && strcmp(line, "what??/ \\"now\\"\\n") == 0 && argc == 3));
  return 5;
}
`;

const test: CTest = {
  path: join(folder, "test.c"),
  files: [join(folder, "program.c")],
  entry: "main",
  takesArguments: true,
  programName: "program",
  args: ["one\ttwo", "three"],
  stdin: Buffer.from('what??/ "now"\nmore\n'),
  inputs: [
    { source: "__VERIFIER_nondet_int", type: "int", value: "-7" },
    { source: "__VERIFIER_nondet_uchar", type: "unsigned char", value: "200" },
  ],
  expected: {},
  failure: "assertion failed */",
  flags: [],
};

function run(changes: Partial<CTest>) {
  writeFileSync(join(folder, "program.c"), program);
  writeFileSync(test.path, toCTest({ ...test, ...changes }));
  const compiled = spawnSync("gcc", ["-w", "test.c", "-o", "failing"], { cwd: folder, encoding: "utf8" });
  expect(compiled.stderr).toBe("");
  const { signal, stderr, status } = spawnSync("./failing", { cwd: folder, encoding: "utf8" });
  return { signal, stderr, status };
}

describe.skipIf(!hasTool("gcc"))("a C test", () => {
  it("gives the program what the run was given", () => {
    expect(run({})).toMatchObject({ signal: "SIGABRT", stderr: expect.stringContaining("Assertion `!(a == -7") });
    expect(run({ args: ["one\ttwo"] })).toMatchObject({ signal: null, status: 0 });
    expect(run({ inputs: test.inputs.slice(0, 1).concat({ ...test.inputs[1]!, value: "201" }) }).status).toBe(0);
  });

  it("compares output and status", () => {
    const passing = { args: ["one\ttwo"], expected: { stdout: Buffer.from("one\ttwo\n"), exit: 5 } };
    expect(run(passing)).toMatchObject({ signal: null, status: 0 });
    expect(run({ ...passing, expected: { exit: 0 } }).stderr).toContain("status 5, expected 0");
    const printed = run({ ...passing, expected: { stdout: Buffer.from("one\tTwo\n") } });
    expect(printed).toMatchObject({ signal: "SIGABRT", stderr: expect.stringContaining("byte 4 of the output") });
    const longer = run({ ...passing, expected: { stdout: Buffer.from("one\ttwo\n\n") } });
    expect(longer.stderr).toContain("the output ends after 8 bytes");
  });
});
