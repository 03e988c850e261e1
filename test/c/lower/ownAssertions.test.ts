import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

async function outcomeOf(text: string) {
  return runProgram(await loadCText("program.c", text, { preprocess: "builtin" })).outcome;
}

describe("a program's own __VERIFIER_assert", () => {
  it("has the program's meaning", async () => {
    const text = `extern void reach_error(void);
void __VERIFIER_assert(int cond) { if (cond) { reach_error(); } }
int main(void) { __VERIFIER_assert(CONDITION); return 0; }`;
    expect(await outcomeOf(text.replace("CONDITION", "1"))).toMatchObject({ kind: "error-location" });
    expect(await outcomeOf(text.replace("CONDITION", "0"))).toMatchObject({ kind: "exit" });
  });

  it.each([
    "if (!(cond)) { ERROR: { reach_error(); abort(); } } return;",
    "if (cond == 0) { ERROR: goto ERROR; }",
    "if (cond) {} else { reach_error(); }",
  ])("is an assertion if it fails for 0: %s", async (body) => {
    const text = `extern void reach_error(void); extern void abort(void);
void __VERIFIER_assert(int cond) { ${body} }
int main(void) { int x = 3; __VERIFIER_assert(x == 4); return 0; }`;
    expect(await outcomeOf(text)).toMatchObject({ kind: "assertion", text: "x == 4" });
  });
});
