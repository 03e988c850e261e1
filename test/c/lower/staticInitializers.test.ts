import { expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

test("a static variable cannot start with the value of a local one", async () => {
  const text = "int f(int m) { static int x[] = {1, m}; return x[1]; }\nint main(void) { return f(3); }\n";
  await expect(loadCText("a.c", text)).rejects.toMatchObject({ code: "TF171", range: { line: 1, column: 37 } });
});

test("a static variable may start with an address or a size", async () => {
  const text = `int g = 4;
int f(int m) { static int *p = &g; static int n = sizeof m; return *p + n; }
int main(void) { return f(3); }
`;
  expect(runProgram(await loadCText("a.c", text), {}).outcome).toMatchObject({ kind: "exit", code: 8 });
});
