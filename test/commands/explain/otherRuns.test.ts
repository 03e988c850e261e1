import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadC, loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { explainProofText } from "../../../src/render/explainProofText.ts";
import { plain } from "../../../src/render/layout.ts";
import { root } from "../../support/builtCli.ts";
import { provedReport } from "../../support/provedReport.ts";
import { asArgued } from "../../support/reports/flatReport.ts";

describe("a read of something without a value", () => {
  const claimed = { claims: "total", proved: true, formulas: ["count <= 0"] };

  it("fails whenever nothing was counted, for a library call in the shipped example", async () => {
    const program = await loadC(join(root, "examples/uninitialised.c"));
    const report = await provedReport(program, { run: { inputs: [0n] } });
    expect(report.inputCondition).toMatchObject(claimed);
  });

  it("is explained as a part of the output, beside a cell that the inputs choose", async () => {
    const text = `#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int table[4] = {1, 2, 3, 4};
  int largest;
  int count = __VERIFIER_nondet_int();
  int at = __VERIFIER_nondet_int();
  if (count > 0) largest = 7;
  printf("%d", table[at] + largest);
  return 0;
}
`;
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const { inputCondition } = await provedReport(program, { run: { inputs: [0n, 2n] } });
    // Another cell may be outside of the table, which is another failure.
    expect(inputCondition).toMatchObject({ claims: "total", proved: true, formulas: ["count <= 0", "at == 2"] });
    expect(runProgram(program, { inputs: [0n, 9n] }).outcome).toMatchObject({ problem: "out-of-bounds-read" });
  });
});

describe("an invariant of a folded loop", () => {
  const text = `#include <assert.h>
extern short __VERIFIER_nondet_short(void);
int main(void) {
  short n = __VERIFIER_nondet_short();
  int v = 8;
  if (n >= 5) return 0;
  for (int i = 0; i <= n; i += 3) {
    int u;
    if (n > -2147483647) u = 6;
    v = u;
    if (n > 32) v = 1 << v;
  }
  assert(!(v >= n));
  return 0;
}
`;

  it("is separated from facts about the recorded input alone", async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const report = await provedReport(program, { run: { inputs: [1n] } });
    expect(report.inputCondition).toMatchObject({ proved: true, formulas: ["n <= 4"] });
    const [loop] = report.loops;
    const texts = (only: boolean) =>
      loop!.invariant.filter(({ onlyThisRun = false }) => onlyThisRun === only).map((formula) => formula.text);
    expect(texts(false)).toEqual(["n <= v"]);
    // The condition lets n be 4.
    expect(texts(true)).toEqual(["n <= 1"]);
    const printed = explainProofText(asArgued(report), { paint: plain });
    expect(printed).toContain("-- each time: n <= v\n");
    expect(printed).toContain("-- each time on this run: n <= 1\n");
  });
});

describe("bytes of standard input", () => {
  const claimOf = async (body: string, stdin: string) => {
    const text = `#include <assert.h>\n#include <stdio.h>\nint main(void) {\n${body}\n}\n`;
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const { inputCondition } = await provedReport(program, { run: { inputs: [], stdin: Buffer.from(stdin) } });
    return inputCondition!;
  };

  it("are inputs if they are read one by one", async () => {
    const claim = await claimOf(
      `int sign = getchar(), digit = getchar();
if (digit < '0' || digit > '9') return 1;
assert(sign == '-' ? digit == '0' : 1);`,
      "-7\n",
    );
    expect(claim).toMatchObject({ claims: "total", proved: true, bytes: 2 });
    expect(claim.formulas).toEqual(["byte 1 == '-'", "byte 2 >= '1'", "byte 2 <= '9'"]);
    expect(claim.text).toMatch(/\(of 3 bytes of standard input\)$/);
  });

  it("are not inputs after another function reads, or after the end was read", async () => {
    const behind = await claimOf(`int a, c;\nscanf("%d", &a);\nc = getchar();\nassert(c != 'x');`, "12x");
    expect(behind.bytes).toBeUndefined();
    const end = await claimOf(`int c = getchar();\nassert(c != -1);`, "");
    expect(end.bytes).toBeUndefined();
  });
});

describe("a condition in plain words, proved to be the same", () => {
  const cases: readonly (readonly [body: string, inputs: readonly bigint[], formulas: readonly string[]])[] = [
    ["int x = 1 << a; assert(x != 8);", [3n], ["a == 3"]],
    ["int t[2] = {1, 2}; int *p = &t[a]; *p = b; assert(t[0] != 7);", [0n, 7n], ["a == 0", "b == 7"]],
    ['static const char t[8] = "x"; int k = t[a]; assert(k != 0);', [5n], ["a >= 1", "a <= 7"]],
    ["unsigned u = a; int r = -1; if (u < 3) r = 0; assert(r >= 0);", [4n], ["a < 0 || a >= 3"]],
    ["assert((unsigned char)a != 1);", [257n], ["(uint8_t)a == 1"]],
  ];

  it.each(cases)("%s", async (body, inputs, formulas) => {
    const reads = ["a", "b"].slice(0, inputs.length).map((name) => `int ${name} = __VERIFIER_nondet_int(); `);
    const text = `#include <assert.h>\nextern int __VERIFIER_nondet_int(void);
int main(void) { ${reads.join("")}${body} return 0; }\n`;
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const { inputCondition } = await provedReport(program, { run: { inputs } });
    expect(inputCondition).toMatchObject({ claims: "total", proved: true, formulas });
  });
});

describe("a short run whose loops leave its way open is taken round by round", () => {
  const text = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
struct operation { int key; int (*apply)(int); };
static struct operation table[3] = {{1, up}, {2, down}, {5, up}};
int main(void) {
  int key = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    if (table[i].key == key) assert(table[i].apply(x) > 3);
  return 0;
}
`;

  it("has a claim that is total, proved, and true at its corners", async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const { inputCondition } = await provedReport(program, { run: { inputs: [2n, 4n] } });
    const formulas = ["key == 2", "x >= -2147483647", "x <= 4"];
    expect(inputCondition).toMatchObject({ claims: "total", proved: true, formulas });
    for (const x of [4n, -2147483647n]) {
      expect(runProgram(program, { inputs: [2n, x] }).outcome.kind).toBe("assertion");
    }
    expect(runProgram(program, { inputs: [2n, 5n] }).outcome.kind).toBe("exit");
    expect(runProgram(program, { inputs: [2n, -2147483648n] }).outcome.kind).toBe("undefined-behaviour");
  });
});
