import { expect, it } from "vitest";
import { present } from "../../src/base/checked.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { explainTrace } from "../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { screenOf } from "../../src/render/chooseRows.ts";
import { type Argued, explainProofText } from "../../src/render/explainProofText.ts";
import { explainText } from "../../src/render/explainText.ts";
import { plain } from "../../src/render/layout.ts";
import { sectionText } from "../../src/render/rows.ts";

/** The screen for a program in a file p.c. */
async function screen(source: string, args: readonly string[] = []): Promise<string> {
  const trace = recordTrace(await loadCText("p.c", source), { args });
  const explanation = explainTrace(trace, {}, () => ({ version: "", ms: 0, replay: () => "" }));
  return explainText(explanation, { paint: plain, source: () => source });
}

it("does not call a proof rejected if none is claimed, and says what the logic does not compute", async () => {
  const source = `#include <assert.h>
int main(int argc, char **argv) { assert(argc < 3 || argv[1][2] != 39); return 0; }
`;
  const shown = (await screen(source, ["it's", "x"])).replaceAll(/\s+/g, " ");
  expect(shown).toContain("not proved: the failure does not follow from what the logic computes of the run");
  expect(shown).toContain("(what the arguments hold is taken as unknown)");
  expect(shown).not.toMatch(/NOT accepted|rejected|refuted|undecided/);
});

it("shows the output if it says more than the assertion with its values", async () => {
  const program = (print: string) => `#include <assert.h>
#include <stdio.h>
int main(void) { int n = 3; ${print} assert(n == 4); return 0; }
`;
  expect(await screen(program('printf("n = %d\\n", n);'))).not.toContain("printed:");
  expect(await screen(program('printf("\\n");'))).not.toContain("printed:");
  expect(await screen(program('printf("record 7: n = %d\\n", n);'))).toContain("printed: record 7: n = 3\n");
});

it("shows a wrapped index exactly", async () => {
  const source = `#include <string.h>
int main(void) { char b[8] = "", *s = b; size_t i = strlen(s) - 1; return s[i]; }
`;
  expect(await screen(source)).toContain("index 18446744073709551615 is outside of b[8]");
});

it("names blocks in the complete form as in the default form, in at most 100 columns", async () => {
  const source = `#include <stdlib.h>
struct item { int size; struct item *next; };
static struct item *make(int size) { struct item *made = malloc(sizeof *made); made->size = size; made->next = NULL; return made; }
int main(void) {
  struct item *first = make(3), *second = make(4);
  first->next = second;
  int *cells = malloc(first->next->size);
  cells[1] = 0;
  return 0;
}
`;
  const trace = recordTrace(await loadCText("p.c", source));
  const explanation = explainTrace(trace, { flowSensitive: true }, () => ({ version: "", ms: 0, replay: () => "" }));
  expect(explanation.kind === "explained" && explanation.argument !== null).toBe(true);
  const shown = explainProofText(explanation as Argued, { paint: plain });
  expect(shown).not.toMatch(/heap\d|\$\d/);
  expect(shown).toContain("(the 2nd item of make)->size == 4");
  expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
});

it("shows the return that carries the wrong value on if there is room", async () => {
  const source = `#include <assert.h>
static int twice(int v) {
  int x = v * 3;
  return x;
}
int main(void) {
  int a = twice(3);
  assert(a == 6);
  return 0;
}
`;
  expect(await screen(source)).toMatch(/^ +4 +return x; +returns 9$/m);
});

it("shows the loop that ended before the missing write", async () => {
  const source = `#include <assert.h>
int main(void) {
  int max = 0;
  int count = 1;
  int cells[2] = {7, 9};
  for (int i = 0; i < count - 1; i++)
    max = cells[i];
  assert(max == 7);
  return 0;
}
`;
  expect(await screen(source)).toMatch(/^ +(main:)?6 +for \(int i = 0; i < count - 1; i\+\+\) +0 < 0 is false/m);
});

it("continues a value that is too long for one line on the next one", async () => {
  const source = "#include <assert.h>\nint main(void) { int n = 3;\n  n++;\n  assert(n == 3); return 0; }\n";
  const trace = recordTrace(await loadCText("p.c", source));
  const explained = explainTrace(trace, { proves: false }, () => ({ version: "", ms: 0, replay: () => "" }));
  if (explained.kind !== "explained") throw new Error(explained.kind);
  const row = present(screenOf(explained).sections[0]?.rows[0]);
  const values = ["next of the 3rd connection of a client", "next of the 2nd connection of a client"];
  const long = { ...row, rounds: { count: 2, changes: [{ text: "connection", values }] } };
  const { lines } = sectionText({ question: "why", rows: [long] }, explained, plain);
  expect(lines.slice(2).join(" ").trim().replaceAll(/\s+/g, " ")).toBe(`2 times: connection ${values.join(" -> ")}`);
  expect(lines.length).toBe(4);
  expect(lines.every((line) => line.length <= 100)).toBe(true);
});
