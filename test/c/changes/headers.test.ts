import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { cChanges } from "../../../src/c/cFrontEnd.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";
import { createSwitchedRuns } from "../../../src/interpreter/rerun/switchedRuns.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-headers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const header = join(folder, "span.h");
const text = `#ifndef SPAN_H
#define SPAN_H
static int length(int first, int last) { return last - first; }
#endif
`;

/** Two files include the header, so each of them has its own \`length\`. */
function spans() {
  writeFileSync(header, text);
  const project = projectOf([
    {
      path: join(folder, "main.c"),
      text: '#include "span.h"\nint twice(void);\nint main(void) { return twice() + length(3, 5); }\n',
    },
    { path: join(folder, "twice.c"), text: '#include "span.h"\nint twice(void) { return 2 * length(1, 2); }\n' },
  ]);
  return { project, frontEnd: cChanges({ preprocess: "builtin" }) };
}

it("are changed in all files that include them", () => {
  const { project, frontEnd } = spans();
  const changes = frontEnd.propose(project, { executed: () => true }).filter(({ file }) => file === header);
  const sum = changes.findIndex(({ kind, edits }) => kind === "arithmetic" && edits[0]?.text === "+");
  expect(sum).not.toBe(-1);
  const { program, selections } = frontEnd.loadSwitched(project, changes);
  const runs = createSwitchedRuns(program, { undefinedBehaviour: "stop" });
  expect(runs.run({}, [])).toMatchObject({ end: "exit", code: 4 });
  expect(runs.run({}, selections[sum] ?? [])).toMatchObject({ end: "exit", code: 14 });
});

it("behave as a program with the changed text, and keep their text on the disk", () => {
  const { project, frontEnd } = spans();
  const changes = frontEnd.propose(project, { executed: () => true }).filter(({ file }) => file === header);
  const { program, selections } = frontEnd.loadSwitched(project, changes);
  const runs = createSwitchedRuns(program, { undefinedBehaviour: "stop" });
  let compared = 0;
  for (const [i, change] of changes.slice(0, 60).entries()) {
    const versions = selections[i];
    if (versions == null) continue;
    const { outcome } = runProgram(frontEnd.load(frontEnd.changed(project, change)), { maxSteps: 1_000 });
    const { end, code } = runs.run({ maxSteps: 1_000 }, versions);
    expect([end, end === "exit" ? code : null]).toEqual(
      outcome.kind === "exit" ? ["exit", outcome.code] : [expect.not.stringMatching("exit"), null],
    );
    compared++;
  }
  expect(compared).toBeGreaterThan(20);
  expect(readFileSync(header, "utf8")).toBe(text);
});
