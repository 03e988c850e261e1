import type { TestReport } from "../run/result.ts";
import type { TriedTest, TryResult } from "./result.ts";

/** The tests of a program before and after a change; `target` is the name of the one that is to be repaired. */
export function compareTests(before: readonly TestReport[], after: readonly TestReport[], target: string): TryResult {
  const passedBefore = new Set(before.filter(({ passes }) => passes).map(({ name }) => name));
  const failing = after.filter(({ name, passes }) => !passes && name !== target);
  const own = after.find(({ name }) => name === target);
  const names = new Set(after.map(({ name }) => name));
  return {
    kind: "ran",
    target:
      own === undefined ? { name: target, passes: false, message: "the program has no such test now" } : told(own),
    ran: after.length,
    passed: after.filter(({ passes }) => passes).length,
    broken: failing.filter(({ name }) => passedBefore.has(name)).map(told),
    stillFailing: failing.filter(({ name }) => !passedBefore.has(name)).map(told),
    notRun: before.filter(({ name }) => passedBefore.has(name) && !names.has(name)).map(({ name }) => name),
  };
}

function told({ name, passes, outcome: { message, location } }: TestReport): TriedTest {
  const place = location === null ? "" : `${location.file}:${location.line}: `;
  return { name, passes, message: `${place}${message}` };
}
