import { expect, test } from "vitest";
import { agreements } from "../../../src/analyses/counterfactual/agreement.ts";
import type { JudgeTest } from "../../../src/analyses/counterfactual/judgeChanges.ts";
import { budgetOf } from "../../../src/base/cancellation.ts";
import { cChanges } from "../../../src/c/cFrontEnd.ts";
import type { Change } from "../../../src/changes/change.ts";
import type { ChangeKind } from "../../../src/changes/kinds.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";

/** Counts the numbers up to a limit; it forgets the last one. */
const text = `#include <stdio.h>
int main(void) {
  int n, limit, count = 0;
  scanf("%d %d", &n, &limit);
  for (int i = 0; i < n; i++)
    if (i * i < limit) count++;
  printf("%d\\n", count);
  return 0;
}
`;

function change(kind: ChangeKind, line: number, was: string, now: string): Change {
  const start = text.indexOf(was);
  return { kind, file: "count.c", lines: [line], size: 2, edits: [{ start, end: start + was.length, text: now }] };
}

const sources = {
  frontEnd: cChanges({ preprocess: "builtin" }),
  project: projectOf([{ path: "count.c", text }]),
};
const encode = (input: string) => new TextEncoder().encode(input);
const judged = (name: string, input: string): JudgeTest => ({
  name,
  run: { stdin: encode(input) },
  steps: 200,
  passes: false,
});
const judges = {
  failing: judged("a", "5 9"),
  others: [judged("b", "3 100")],
  left: [],
  past: null,
  mustPass: "never",
  undefinedBehaviour: "stop",
} as const;

test("changes that do the same on further inputs share their votes, whatever they look like", () => {
  const boundary = change("boundary", 6, "i * i < limit", "i * i <= limit");
  const byOne = change("boundByOne", 6, "i * i < limit", "i * i < limit + 1");
  const type = change("widerType", 3, "int n, limit", "int n, limit = 0");
  const accident = change("otherCondition", 6, "i * i < limit", "i < 4");
  const votes = agreements(sources, [boundary, byOne, accident], judges, budgetOf(1_000_000));
  expect(votes.get(boundary)).toBe(votes.get(byOne));
  expect(votes.get(boundary)).toBeGreaterThan(2 * (votes.get(accident) ?? 1));
  expect(agreements(sources, [boundary, type], judges, budgetOf(1_000_000)).get(type)).toBeGreaterThan(0);
});

test("nothing is said without an input, or with one change", () => {
  const boundary = change("boundary", 6, "i * i < limit", "i * i <= limit");
  const byOne = change("boundByOne", 6, "i * i < limit", "i * i < limit + 1");
  const without = { ...judges, failing: { ...judges.failing, run: {} }, others: [] };
  expect(agreements(sources, [boundary, byOne], without, budgetOf(1_000_000)).size).toBe(0);
  expect(agreements(sources, [boundary], judges, budgetOf(1_000_000)).size).toBe(0);
});
