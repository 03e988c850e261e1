import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import type { Explained } from "../../../src/commands/explain/result.ts";
import { screenOf } from "../../../src/render/chooseRows.ts";
import { builtCli, root } from "../../support/builtCli.ts";

const folder = join(root, "test/fixtures/programs");

type Case = { readonly words: readonly string[]; readonly file: string; readonly lines: readonly number[] };

const assertsOf = (name: string, ...lines: number[]): Case => ({
  words: [`asserts/${name}.c`],
  file: `${name}.c`,
  lines,
});

const outputOf = (name: string, lines: readonly number[], stdin: readonly string[], ...more: string[]): Case => ({
  words: [
    `outputs/${name}.c`,
    ...stdin.flatMap((each) => ["--stdin", `outputs/${each}`]),
    "--expect-stdout",
    `outputs/${name}.out`,
    ...more,
  ],
  file: `${name}.c`,
  lines,
});

/** Each program has one fault, on these lines; they were written before the tool ran on them. */
const cases: readonly Case[] = [
  assertsOf("config", 30),
  assertsOf("contacts", 41),
  assertsOf("discount", 49, 50),
  assertsOf("elevator", 49),
  assertsOf("exceptions", 25),
  assertsOf("matrix", 20, 34),
  assertsOf("roman", 24),
  assertsOf("undo", 30, 31, 46),
  assertsOf("watchdog", 22, 23),
  { words: ["tests/test_queue.c", "tests/queue.c"], file: "queue.c", lines: [44, 46] },
  { words: ["tests/test_store.c", "tests/store.c"], file: "store.c", lines: [21] },
  { words: ["tests/records.c", "--fuzz-input", "tests/records.bin"], file: "records.c", lines: [29] },
  { ...outputOf("bank", [24], ["bank.in"], "outputs/ledger.c"), file: "ledger.c" },
  outputOf("csv", [61], ["csv.in"], "--", "amount"),
  outputOf("grades", [32], ["grades.in"]),
  outputOf("heap", [49], ["heap.in"]),
  outputOf("ticket", [31], ["ticket.in"]),
  outputOf("vending", [29, 30], []),
  outputOf("wordfreq", [34], ["wordfreq.in"]),
];

/** Whether the faulty line is the first suspect, and whether a row or the failing line shows it. */
function shownOf({ words, file, lines }: Case): { readonly isFirst: boolean; readonly isShown: boolean } {
  const { stdout } = spawnSync("node", [builtCli(), "explain", "--format", "json", ...words], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const explained: Explained = JSON.parse(stdout);
  expect(explained.kind, words[0]).toBe("explained");
  const isFault = ({ location }: { readonly location: { readonly file: string; readonly line: number } }) =>
    basename(location.file) === file && lines.includes(location.line);
  const rows = screenOf(explained).sections.flatMap((section) => section.rows);
  const [first] = explained.suspects;
  return {
    isFirst: first !== undefined && isFault(first),
    isShown: rows.some(isFault) || isFault(explained.failure),
  };
}

it("shows the faults of programs as people write and test them", () => {
  const shown = cases.map((each) => ({ name: each.words[0], ...shownOf(each) }));
  console.log(shown.map(({ name, isFirst, isShown }) => `${name} ${isFirst} ${isShown}`).join("\n"));
  expect(shown.filter(({ isShown }) => isShown).length).toBeGreaterThanOrEqual(18);
  expect(shown.filter(({ isFirst }) => isFirst).length).toBeGreaterThanOrEqual(12);
});
