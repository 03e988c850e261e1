import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { createSwitchedRuns } from "../../../src/interpreter/rerun/switchedRuns.ts";

it("forgets what earlier runs wrote to large arrays, and keeps the literals between them", async () => {
  const program = await loadCText(
    "p.c",
    `static int first[40000];
static const char *text = "kept";
static int second[40000];
int main(void) {
  int status = first[39999] + second[39999] + (text[3] != 't');
  first[39999] = 1;
  second[39999] = 2;
  return status;
}
`,
    { preprocess: "builtin" },
  );
  const runs = createSwitchedRuns(program, {});
  for (let i = 0; i < 3; i++) expect(runs.run({}, [])).toMatchObject({ end: "exit", code: 0 });
});
