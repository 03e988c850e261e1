import { expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { explainTrace } from "../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { explainText } from "../../src/render/explainText.ts";
import { plain } from "../../src/render/layout.ts";

/** The first lines of the screen for a program in a file p.c, up to the first question. */
async function head(source: string, stdout?: string): Promise<string> {
  const expected = stdout === undefined ? {} : { expected: { stdout: Buffer.from(stdout) } };
  const trace = recordTrace(await loadCText("p.c", source), expected);
  const explanation = explainTrace(trace, { proves: false }, () => ({ version: "", ms: 0, replay: () => "" }));
  const shown = explainText(explanation, { paint: plain, source: () => source });
  return shown.split(/^why |^what if/m)[0]!;
}

it.each([
  [
    "an array of the same function",
    "int main(void) {\n  int a[3];\n  int i = 3;\n  a[i] = 1;\n  return 0;\n}\n",
    "2 | int a[3];",
  ],
  [
    "an array of the caller",
    "static void fill(int *p, int n) {\n  for (int i = 0; i <= n; i++) p[i] = 0;\n}\nint main(void) {\n  int a[3];\n  fill(a, 3);\n  return a[0];\n}\n",
    "5 | int a[3];",
  ],
  [
    "an inner array",
    "static int m[2][3];\nint main(void) {\n  int i = 3;\n  m[0][i] = 1;\n  return 0;\n}\n",
    "1 | static int m[2][3];",
  ],
])("shows the declaration of %s that is too small", async (_, source, line) => {
  expect(await head(source)).toContain(`${line}    declared here\n`);
});

it("shows no declaration on the line of the access, and none of a block", async () => {
  expect(await head("int main(void) { int a[3]; int i = 3; a[i] = 1; return 0; }\n")).not.toContain("declared here");
  const block = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(8);\n  p[2] = 1;\n  return 0;\n}\n";
  expect(await head(block)).not.toContain("declared here");
});

const printing = (text: string) => `#include <stdio.h>\nint main(void) {\n  printf(${text});\n  return 0;\n}\n`;

it("says if only the line end is missing, or a number has another form", async () => {
  expect(await head(printing('"hello"'), "hello\n")).toContain("error: no line end after line 1: expected");
  const form = "error: the right number in another form in line 1: expected";
  expect(await head(printing('"x %f\\n", 3.0'), "x 3\n")).toContain(form);
  expect(await head(printing('"x %d\\n", 4'), "x 3\n")).toContain("error: wrong output in line 1: expected");
});
