import { describe, expect, test } from "vitest";
import { unanswered } from "../../bench/mutants/caseAnswer.ts";
import type { FailingCase } from "../../bench/mutants/failingCases.ts";
import type { Mutation } from "../../bench/mutants/mutation.ts";
import { mutantOptions } from "../../bench/mutants/options.ts";
import { refutedFacts } from "../../bench/mutants/refutedFacts.ts";
import { type CaseScore, scoreOf } from "../../bench/mutants/score.ts";
import { shownLines } from "../../bench/mutants/shownLines.ts";
import { missedLimits, tableLines } from "../../bench/mutants/table.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { explainTrace } from "../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { formulas } from "../support/reports/reportParts.ts";

const changed: Mutation = {
  kind: "comparison",
  start: 0,
  end: 1,
  replacement: "<=",
  description: "i < n -> i <= n",
  lines: [7],
  neighbours: [],
  function: "f",
  forbidden: [],
};

const deleted: Mutation = { ...changed, kind: "deleted statement", lines: [7], neighbours: [6, 9] };

function failing(mutation: Mutation): FailingCase {
  return {
    id: "p/comparison/1",
    program: "p",
    half: "look",
    mutation,
    entry: "test_f",
    passing: [],
    maxSteps: 1000,
    failure: { kind: "assertion", line: 20 },
    steps: 10,
  };
}

const answer = { ...unanswered("", 100), answered: true, reason: null, screen: "one\ntwo\n", shown: [20, 6] };

describe("the score of a case", () => {
  test("records whether a changed line is shown, and its rank", () => {
    const suspects = [
      { function: "g", line: 3 },
      { function: "f", line: 8 },
      { function: "f", line: 7 },
    ];
    const score = scoreOf(failing(changed), { ...answer, suspects }, 10_000);
    expect(score).toMatchObject({ answered: true, lineShown: false, rank: 3, functionRank: 2, lines: 2 });
  });

  test("counts lines beside a deleted statement", () => {
    expect(scoreOf(failing(deleted), answer, 10_000)).toMatchObject({ lineShown: false, neighbourShown: true });
    expect(scoreOf(failing(changed), answer, 10_000)).toMatchObject({ neighbourShown: false, rank: null });
  });

  test("does not count an answer that comes too late", () => {
    expect(scoreOf(failing(changed), { ...answer, ms: 12_000 }, 10_000).answered).toBe(false);
  });
});

describe("the table", () => {
  const good: CaseScore = { ...scoreOf(failing(changed), answer, 10_000), lineShown: true, rank: 1 };
  const bad: CaseScore = { ...good, lineShown: false, rank: 6 };

  test("keeps the halves apart", () => {
    const lines = tableLines([good, bad, { ...good, half: "kept" }], { suspectsOnly: false });
    expect(lines[0]).toMatch(/look\s+kept\s+limit$/);
    expect(lines).toContainEqual(expect.stringMatching(/^changed line on the screen\s+50\.0 %\s+100\.0 %\s+>= 95 %$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}among the first 10\s+100\.0 %\s+100\.0 %$/));
  });

  test("says which limits are missed", () => {
    expect(missedLimits([good], { suspectsOnly: false })).toEqual([]);
    const missed = missedLimits([good, { ...bad, half: "kept" }], { suspectsOnly: false });
    expect(missed).toContain("kept: changed line on the screen 0.0 %, limit >= 95 %");
    expect(missed.every((line) => line.startsWith("kept: "))).toBe(true);
    expect(missedLimits([bad], { suspectsOnly: true })).not.toContainEqual(expect.stringContaining("screen"));
  });
});

test("reads the lines that a screen shows", async () => {
  const text = `#include <assert.h>
static int both(int a, int b) {
  return a > 0 &&
         b > 0;
}
void test_both(void) {
  assert(both(1, 0));
}
int main(void) { test_both(); }
`;
  const program = await loadCText("both.c", text, { entry: "test_both" });
  const about = () => ({ version: "", ms: 0, replay: () => "" });
  const explanation = explainTrace(recordTrace(program), {}, about);
  expect(shownLines(explanation, text)).toEqual(expect.arrayContaining([3, 4, 7]));
});

test("finds facts that the run refutes", async () => {
  const fact = (formula: string, values: Readonly<Record<string, number>>) => ({
    kind: "fact" as const,
    id: 0,
    function: "f",
    formulas: formulas(...formula.split(" && ")),
    values: Object.entries(values).map(([name, value]) => ({ name, value })),
    location: null,
    because: [],
  });
  const good = fact("c + 7 * r <= 0 && q->count == 8", { c: 0, r: 0, "q->count": 8 });
  const bad = fact("i < n", { i: 3, n: 3 });
  const unclear = fact("i < n && strlen(s) == 2", { i: 3, n: 3 });
  expect(await refutedFacts({ steps: [good, unclear] })).toBe(0);
  expect(await refutedFacts({ steps: [good, bad] })).toBe(1);
});

test("reads its options", () => {
  expect(mutantOptions(["--mutants", "--half", "kept", "--limit", "150"])).toMatchObject({ half: "kept", limit: 150 });
  expect(mutantOptions(["--mutants", "--half", "other"])).toBeNull();
  expect(mutantOptions(["--mutants", "--unknown"])).toBeNull();
  expect(mutantOptions(["--mutants", "--limit", "none"])).toBeNull();
});
