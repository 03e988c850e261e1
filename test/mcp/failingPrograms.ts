import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { root as repository } from "../support/builtCli.ts";
import type { TestClient } from "./client.ts";

/** A failing program: what is wrong with it, what can be asked, and the change that was meant. */
export type FailingProgram = {
  readonly name: string;
  /** Folders and files of the repository, which are copied to the root of the workspace. */
  readonly copied: readonly string[];
  /** The command that runs its tests; null for a C program. */
  readonly command: string | null;
  readonly explain: object;
  /** The place of the fault: it is the first suspect, or among the suspects. */
  readonly fault: string;
  readonly isFirst: boolean;
  /** Questions about the run, and a part of the answer. */
  readonly whys: readonly (readonly [asked: object, told: string])[];
  readonly history: readonly [asked: object, told: string];
  readonly fix: { readonly file: string; readonly old: string; readonly new: string };
  /** How the tests end with it. */
  readonly verdict: string;
};

const example = (path: string) => readFileSync(join(repository, "examples", path), "utf8");
const passes = "the failing run passes; there are no other tests";

const programs: readonly FailingProgram[] = [
  {
    name: "one element too many (C)",
    copied: ["examples/programs/best-mark.c"],
    command: null,
    explain: { files: ["best-mark.c"], arguments: ["12", "9", "15"] },
    fault: "best-mark.c:12",
    isFirst: true,
    whys: [
      [{ line: 12 }, "count = 3"],
      [{ line: 16, not: true }, "was not executed"],
    ],
    history: [{ variable: "best" }, "best = 15"],
    fix: { file: "best-mark.c", old: "i <= count", new: "i < count" },
    verdict: passes,
  },
  {
    name: "a loop that begins one too late (C, wrong output)",
    copied: ["examples/programs/invoice.c"],
    command: null,
    explain: {
      files: ["invoice.c"],
      stdin: example("programs/order.txt"),
      expected_output: example("programs/invoice.expected"),
    },
    fault: "invoice.c:10",
    isFirst: true,
    whys: [
      [{ variable: "cents" }, "total\\("],
      [{ line: 11 }, "sum"],
    ],
    history: [{ variable: "sum" }, "sum = 0"],
    fix: { file: "invoice.c", old: "int i = 1", new: "int i = 0" },
    verdict: passes,
  },
  {
    name: "a missing update (C, searched inputs)",
    copied: ["examples/explain/missing-update.c"],
    command: null,
    explain: { files: ["missing-update.c"] },
    fault: "missing-update.c:16",
    isFirst: false,
    whys: [
      [{}, "missing-update.c"],
      [{ variable: "seen" }, "seen"],
    ],
    history: [{ variable: "dropped" }, "dropped = 1"],
    fix: { file: "missing-update.c", old: "dropped++;", new: "dropped++; seen++;" },
    verdict: passes,
  },
  {
    name: "a use after free (C)",
    copied: ["examples/use-after-free.c"],
    command: null,
    explain: { files: ["use-after-free.c"] },
    fault: "use-after-free.c:24",
    isFirst: false,
    whys: [
      [{ line: 14 }, "free"],
      [{ variable: "priority" }, "priority = 2"],
    ],
    history: [{ variable: "priority" }, "priority = 2"],
    fix: { file: "use-after-free.c", old: "priority - message->priority", new: "priority - 2" },
    verdict: passes,
  },
  {
    name: "a boundary in another file (C, tests in main)",
    copied: ["examples/tests/stack.c", "examples/tests/stack.h", "examples/tests/test_stack.c"],
    command: null,
    explain: { files: ["test_stack.c", "stack.c"] },
    fault: "stack.c:4",
    isFirst: true,
    whys: [
      [{ file: "stack.c", line: 4 }, "size"],
      [{ file: "test_stack.c", variable: "value" }, "value ="],
    ],
    history: [{ variable: "s.size" }, "s.size = 3"],
    fix: { file: "stack.c", old: "CAPACITY - 1", new: "CAPACITY" },
    verdict: "all \\d+ tests pass",
  },
  {
    name: "an accumulator that is not read (node:test)",
    copied: ["examples/node-test/src", "examples/node-test/test", "examples/node-test/package.json"],
    command: "npm test",
    explain: {},
    fault: "src/queue.js:12",
    isFirst: true,
    whys: [
      [{ file: "src/queue.js", line: 12 }, "result"],
      [{ variable: "result" }, "job"],
    ],
    history: [{ variable: "result" }, "result = 6"],
    fix: { file: "src/queue.js", old: "await job(start)", new: "await job(result)" },
    verdict: "all 2 tests pass",
  },
  {
    name: "a boundary (jest)",
    copied: ["examples/jest/src", "examples/jest/test", "examples/jest/package.json"],
    command: "npm test",
    explain: { test: "costs less from three pieces on" },
    fault: "src/cart.js:7",
    isFirst: true,
    whys: [
      [{ file: "src/cart.js", line: 8 }, "reduced"],
      [{ variable: "reduced" }, "count = 3"],
    ],
    history: [{ variable: "reduced" }, "reduced = false"],
    fix: { file: "src/cart.js", old: "count > 3", new: "count >= 3" },
    verdict: "all 2 tests pass",
  },
  {
    name: "a wrong operator (mocha)",
    copied: ["examples/mocha/src", "examples/mocha/test", "examples/mocha/package.json"],
    command: "npm test",
    explain: {},
    fault: "src/calendar.js:3",
    isFirst: true,
    whys: [
      [{ file: "src/calendar.js", line: 3 }, "year"],
      [{ variable: "year" }, "year ="],
    ],
    history: [{ variable: "year" }, "year ="],
    fix: { file: "src/calendar.js", old: "year % 400 !== 0", new: "year % 400 === 0" },
    verdict: "all 3 tests pass",
  },
  {
    name: "a boundary of a loop (vitest, TypeScript)",
    copied: [
      "examples/vitest/src",
      "examples/vitest/test",
      "examples/vitest/package.json",
      "examples/vitest/vitest.config.ts",
    ],
    command: "npx vitest run",
    explain: { test: "finds the median" },
    fault: "src/median.ts:6",
    isFirst: true,
    whys: [
      [{ file: "src/median.ts", line: 16 }, "returned 1"],
      [{ file: "src/median.ts", line: 6 }, "at > 1"],
    ],
    history: [{ variable: "at" }, "at = "],
    fix: { file: "src/median.ts", old: "while (at > 1", new: "while (at > 0" },
    verdict: '"shop > finds the median" passes now; 1 of 5 tests pass, none breaks',
  },
  {
    name: "a comparison in a class (vitest, TypeScript)",
    copied: [
      "examples/vitest/src",
      "examples/vitest/test",
      "examples/vitest/package.json",
      "examples/vitest/vitest.config.ts",
    ],
    command: "npx vitest run",
    explain: { test: "lets an account be used up to its limit" },
    fault: "src/account.ts:13",
    isFirst: true,
    whys: [
      [{ file: "src/account.ts", line: 14, not: true }, "led past it|left before"],
      [{ file: "src/account.ts", line: 13 }, "amount"],
    ],
    history: [{ variable: "this.balance" }, "this.balance = 50"],
    fix: {
      file: "src/account.ts",
      old: "this.balance - amount <= -this.limit",
      new: "this.balance - amount < -this.limit",
    },
    verdict: '"shop > lets an account be used up to its limit" passes now; 1 of 5 tests pass, none breaks',
  },
];

export function failingProgram(name: string): FailingProgram {
  const found = programs.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no program "${name}"`);
  return found;
}

export const failingProgramNames: readonly string[] = programs.map(({ name }) => name);

/** Finds the cause, asks, and tries the change that was meant. */
export async function repairWith(client: TestClient, program: FailingProgram): Promise<void> {
  const { explain, fault, isFirst, whys, history, fix, verdict } = program;
  const explained = await client.tell("explain", explain);
  const run = /^run (r\d+):/.exec(explained)?.[1];
  expect(explained).toMatch(new RegExp(`^suspect ${isFirst ? 1 : "\\d"} .*: ${fault} in`, "m"));
  for (const [asked, told] of whys) expect(await client.tell("why", { run, ...asked })).toMatch(new RegExp(told));
  expect(await client.tell("history", { run, ...history[0] })).toMatch(new RegExp(history[1]));
  const tried = await client.tell("try_change", { run, edits: [fix] });
  expect(tried).toMatch(new RegExp(`^${verdict}.*\\[re-run\\]$`, "m"));
  expect(tried).toContain(`+++ b/${fix.file}`);
}
