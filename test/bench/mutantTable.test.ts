import { describe, expect, test } from "vitest";
import { unanswered } from "../../bench/mutants/caseAnswer.ts";
import { shownLines } from "../../bench/mutants/explainCase.ts";
import type { FailingCase } from "../../bench/mutants/failingCases.ts";
import type { Mutation } from "../../bench/mutants/mutation.ts";
import { mutantOptions } from "../../bench/mutants/options.ts";
import { type CaseScore, scoreOf } from "../../bench/mutants/score.ts";
import { missedLimits, tableLines } from "../../bench/mutants/table.ts";

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
  test("a changed line is shown or not, and has a rank", () => {
    const suspects = [
      { function: "g", line: 3 },
      { function: "f", line: 8 },
      { function: "f", line: 7 },
    ];
    const score = scoreOf(failing(changed), { ...answer, suspects }, 10_000);
    expect(score).toMatchObject({ answered: true, lineShown: false, rank: 3, functionRank: 2, lines: 2 });
  });

  test("beside what is deleted counts", () => {
    expect(scoreOf(failing(deleted), answer, 10_000)).toMatchObject({ lineShown: false, neighbourShown: true });
    expect(scoreOf(failing(changed), answer, 10_000)).toMatchObject({ neighbourShown: false, rank: null });
  });

  test("an answer that comes too late is none", () => {
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

test("the lines that a screen shows", () => {
  const screen = `mutant.c:54:17: undefined behaviour
  48 | r = 0
     | -- r == 0
  51 : [!(w->cell[r][c])]
note: mutant.c:17:12: a read that is not resolved
243 steps -> 2 statements
`;
  expect(shownLines(screen)).toEqual([54, 48, 51]);
});

test("options", () => {
  expect(mutantOptions(["--mutants", "--half", "kept", "--limit", "150"])).toMatchObject({ half: "kept", limit: 150 });
  expect(mutantOptions(["--mutants", "--half", "other"])).toBeNull();
  expect(mutantOptions(["--mutants", "--unknown"])).toBeNull();
  expect(mutantOptions(["--mutants", "--limit", "none"])).toBeNull();
});
