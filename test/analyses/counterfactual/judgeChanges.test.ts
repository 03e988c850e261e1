import { expect, test } from "vitest";
import { judgeChanges } from "../../../src/analyses/counterfactual/judgeChanges.ts";
import { budgetOf } from "../../../src/base/cancellation.ts";
import { cChanges } from "../../../src/c/cFrontEnd.ts";
import type { Change } from "../../../src/changes/change.ts";
import type { ChangeKind } from "../../../src/changes/kinds.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";

/** Prints the larger number, and says `big` from 100 on. Both comparisons are wrong. */
const text = `#include <stdio.h>
int main(void) {
  int a, b;
  scanf("%d %d", &a, &b);
  int m = a < b ? a : b;
  printf("%d\\n", m);
  if (m > 100) puts("big");
  return 0;
}
`;
const frontEnd = cChanges({ preprocess: "builtin" });
const project = projectOf([{ path: "larger.c", text }]);

function replaced(was: string, now: string, kind: ChangeKind = "comparison"): Change {
  const start = text.indexOf(was);
  return { kind, file: "larger.c", lines: [5], size: 2, edits: [{ start, end: start + was.length, text: now }] };
}

function judged(name: string, input: string, output: string, passes: boolean) {
  const [stdin, stdout] = [input, output].map((each) => new TextEncoder().encode(each)) as [Uint8Array, Uint8Array];
  return { name, passes, steps: 100, run: { stdin, expected: { stdout, compares: "tokens" as const } } };
}

const judges = {
  failing: judged("explained", "3 5", "5", false),
  others: [judged("other cause", "2 100", "100 big", false), judged("same", "4 4", "4", true)],
  left: [],
  past: null,
  mustPass: "never",
  undefinedBehaviour: "stop",
} as const;

function judge(changes: readonly Change[]) {
  const { helpful } = judgeChanges(frontEnd, project, changes, judges, budgetOf(1_000_000));
  return helpful.map(({ asked, broken, stillFailing }) => ({ asked, broken, stillFailing }));
}

test("a failing test that no change repairs is not held against a change", () => {
  expect(judge([replaced("a < b", "a > b"), replaced("a < b", "a <= b")])).toEqual([
    { asked: 1, broken: [], stillFailing: ["other cause"] },
  ]);
});

test("a failing test that another change repairs counts", () => {
  const both: Change = {
    ...replaced("a < b", "a > b"),
    edits: [...replaced("a < b", "a > b").edits, ...replaced("m > 100", "m >= 100").edits],
  };
  expect(judge([replaced("a < b", "a > b"), both])).toEqual([
    { asked: 2, broken: ["other cause"], stillFailing: [] },
    { asked: 2, broken: [], stillFailing: [] },
  ]);
});

test("a change that breaks a passing test does not repair", () => {
  expect(judge([replaced("a < b ? a : b", "a == b ? 0 : b")])).toEqual([
    { asked: 2, broken: ["same", "other cause"], stillFailing: [] },
  ]);
});

test("changes that need a program of their own wait for the others, and are tried", () => {
  const loads: string[] = [];
  const watched: typeof frontEnd = {
    ...frontEnd,
    loadSwitched(given, changes) {
      loads.push("switched");
      return frontEnd.loadSwitched(given, changes);
    },
    load(given) {
      loads.push("alone");
      return frontEnd.load(given);
    },
  };
  const type = { ...replaced("int a, b", "long a, b"), kind: "widerType" as const };
  const { tried, invalid, complete } = judgeChanges(
    watched,
    project,
    [type, replaced("a < b", "a > b")],
    judges,
    budgetOf(1_000_000),
  );
  expect(loads).toEqual(["switched", "alone"]);
  expect({ all: tried + invalid, complete }).toEqual({ all: 2, complete: true });
});

test("a change that prints what is expected counts only if other tests pass with it", () => {
  const prints = replaced('printf("%d', 'printf("5"); return 0; printf("%d', "insertedGuardedOutput");
  const ifFive = replaced('printf("%d', 'if (b == 5) { printf("5"); return 0; } printf("%d', "insertedGuardedOutput");
  expect(judge([prints])).toEqual([]);
  expect(judge([ifFive])).toEqual([{ asked: 1, broken: [], stillFailing: ["other cause"] }]);
  const alone = { ...judges, others: [] };
  expect(judgeChanges(frontEnd, project, [ifFive], alone, budgetOf(1_000_000)).helpful).toEqual([]);
});
