import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

async function outcomeOf(text: string) {
  return runProgram(await loadCText("program.c", text, { preprocess: "builtin" })).outcome;
}

const type = "struct s { int a, b; };";

describe("a struct with a member that has no value", () => {
  it.each(["struct s y; y = x;", "struct s y = x;", "struct s many[2]; many[1] = x; struct s y = many[1];"])(
    "can be copied: %s",
    async (copy) => {
      const text = `${type} int main(void) { struct s x; x.a = 1; ${copy} return y.a - 1; }`;
      expect(await outcomeOf(text)).toMatchObject({ kind: "exit", code: 0 });
      const read = text.replace("y.a - 1", "y.b");
      expect(await outcomeOf(read)).toMatchObject({ kind: "undefined-behaviour", problem: "uninitialised-read" });
    },
  );

  it.each([
    "int f(struct s y) { return y.a - 1; } int main(void) { struct s x; x.a = 1; return f(x); }",
    "int g(struct s z) { return z.a - 1; } int f(struct s y) { return g(y); } int main(void) { struct s x; x.a = 1; return f(x); }",
    "int f(int n, ...) { return n - 1; } int main(void) { struct s x; x.a = 1; return f(1, x); }",
  ])("can be passed: %s", async (text) => {
    expect(await outcomeOf(`${type} ${text}`)).toMatchObject({ kind: "exit", code: 0 });
  });

  it("can be returned, even if another path sets the member", async () => {
    const text = `${type}
struct s find(int key) { struct s r; r.a = 0; if (key > 3) { r.a = 1; r.b = key; } return r; }
int main(int argc, char **argv) { struct s y = find(argc); return y.a; }`;
    expect(await outcomeOf(text)).toMatchObject({ kind: "exit", code: 0 });
    const read = text.replace("return y.a;", "return y.b;");
    expect(await outcomeOf(read)).toMatchObject({ kind: "undefined-behaviour", problem: "uninitialised-read" });
  });

  it("costs no more with many copies to and fro", async () => {
    const swaps = "y = z; z = y; ".repeat(60);
    const text = `${type} int main(void) { struct s x; x.a = 1; struct s y = x, z = y; ${swaps} return y.a - 1; }`;
    expect(await outcomeOf(text)).toMatchObject({ kind: "exit", code: 0 });
    const read = text.replace("y.a - 1", "y.b");
    expect(await outcomeOf(read)).toMatchObject({ kind: "undefined-behaviour", problem: "uninitialised-read" });
  });
});
