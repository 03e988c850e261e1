import type { TestReport } from "../run/result.ts";
import type { TriedTest, TryResult } from "./result.ts";

/** The same tests of a program before and after a change, in the same order; the first one is to be repaired. */
export function compareTests(before: readonly TestReport[], after: readonly TestReport[], target: string): TryResult {
  const passedBefore = new Set(before.filter(({ passes }) => passes).map(({ name }) => name));
  const failing = after.filter(({ name, passes }) => !passes && name !== target);
  const own = after.find(({ name }) => name === target);
  const known = new Set(after.map(({ name }) => name));
  const ran = after.filter(({ name }) => known.has(name));
  return {
    kind: "ran",
    target:
      own === undefined ? { name: target, passes: false, message: "the program has no such test now" } : told(own),
    ran: ran.length,
    passed: ran.filter(({ passes }) => passes).length,
    broken: failing.filter(({ name }) => passedBefore.has(name)).map(told),
    stillFailing: failing.filter(({ name }) => !passedBefore.has(name)).map(told),
    notRun: before.filter(({ name }) => passedBefore.has(name) && !known.has(name)).map(({ name }) => name),
  };
}

function told({ name, passes, outcome: { message, location } }: TestReport): TriedTest {
  const place = location === null ? "" : `${location.file}:${location.line}: `;
  return { name, passes, message: `${place}${message}` };
}
