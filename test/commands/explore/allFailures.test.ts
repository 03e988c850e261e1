import { expect, it } from "vitest";
import { covers } from "../../../src/analyses/explore/coveredRuns.ts";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { inputConditionForExplore } from "../../../src/commands/explain/inputCondition.ts";
import { exploreProgram } from "../../../src/commands/explore/pipeline.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

const text = `extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = 1;
  if (a > 100) x = 0;
  if (b < -50 && a != 7) x = 0;
  __VERIFIER_assert(x == 1);
  __VERIFIER_assert(a != 60);
}`;

it("finds a different failure next with --all, outside of proved conditions", async () => {
  const program = await loadCText("p.c", text);
  const conditions: ReturnType<typeof inputConditionForExplore>[] = [];
  const { failures, isComplete } = exploreProgram(program, {
    goal: { kind: "property", properties: ["assertions"] },
    ...{ mode: "classic", searcher: "bfs", seed: 1, runs: 0, maxStates: 500, maxDepth: 100 },
    ...{ all: true, wholeTree: false, run: {}, cancellation: neverCancelled },
    explainFailure(trace) {
      const why = inputConditionForExplore(trace, {});
      conditions.push(why);
      return why;
    },
  });
  expect(isComplete).toBe(true);
  expect(failures.map(({ reason }) => reason).sort()).toEqual([
    "fails the same way whenever a != 7 && a <= 100 && b <= -51",
    "fails the same way whenever a == 60 && b >= -50",
    "fails the same way whenever a >= 101 && b <= -51",
    "fails the same way whenever a >= 101 && b >= -50",
  ]);
  // Each is covered by its own condition alone, and together they are all there are.
  for (const { inputs } of failures) {
    expect(conditions.filter(({ covered }) => covers(covered!, inputs))).toHaveLength(1);
  }
  for (const a of [-60n, 6n, 7n, 8n, 59n, 60n, 61n, 100n, 101n]) {
    for (const b of [-52n, -51n, -50n, 0n]) {
      const isFailing = runProgram(program, { inputs: [a, b] }).outcome.kind === "assertion";
      expect(conditions.some(({ covered }) => covers(covered!, [a, b]))).toBe(isFailing);
    }
  }
});
