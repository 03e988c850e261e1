import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { applyTable } from "./changes/applyChanges.ts";
import { type Bug, bugsOf } from "./changes/bugs.ts";
import { compareDisguised } from "./changes/compareDisguised.ts";
import { explainBug } from "./changes/explainBug.ts";
import { builtCommand, screenOfBug, screensTable } from "./changes/screens.ts";
import { tableOf } from "./changes/table.ts";

const usage = `npm run bench -- changes FOLDER [options]
  FOLDER               one folder per bug: PROBLEM-bug-WRONG-RIGHT with PROBLEM-WRONG.c, PROBLEM-RIGHT.c,
                       input-*/output-* (given tests) and heldout-input-*/heldout-output-* (only for judging)
  --count N            so many bugs, chosen at random (300)
  --seed N             the choice (1)
  --skip N             leave out the first ones of the choice (0)
  --passing N          use at most N passing tests (all)
  --apply              apply the changes that are said to pass all tests to the text, and run it by gcc with sanitizers
  --disguise           compare with the same programs under other names, in another order and with blank lines
  --screens            run the built command with the given tests, and look for the faulty line in its text
  --command FILE       another build of the command for --screens
  --dump FILE          write the results with the evidence of every line`;

/** How often the faulty line is named, and how often the change that is shown passes tests that nobody gave. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      count: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      skip: { type: "string", default: "0" },
      passing: { type: "string" },
      apply: { type: "boolean", default: false },
      disguise: { type: "boolean", default: false },
      screens: { type: "boolean", default: false },
      command: { type: "string", default: builtCommand },
      dump: { type: "string" },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) return console.error(usage);
  const skip = Number(values.skip);
  const bugs = bugsOf(folder, Number(values.seed)).slice(skip, skip + Number(values.count));
  if (values.disguise) return compareAll(bugs);
  if (values.screens) return showScreens(bugs, resolve(values.command), values.dump);
  const results = [];
  for (const bug of bugs) {
    const passing = values.passing === undefined ? Number.POSITIVE_INFINITY : Number(values.passing);
    const result = explainBug(bug, passing, values.apply);
    results.push(result);
    const place = result.rank === 0 ? "not found" : `${result.rank}. of ${result.lines}`;
    const shown = result.shown === null ? "" : `${result.shown.kind}: ${result.shown.text}`;
    console.log(`${bug.name}: ${result.error ?? place}; ${result.seconds.toFixed(1)} s; ${shown}`);
    for (const { compiles, refutedBy, kind, line, text } of result.applied) {
      if (!compiles) console.log(`  does not compile: line ${line}, ${kind}: ${text}`);
      if (refutedBy !== null) console.log(`  ${refutedBy}: line ${line}, ${kind}: ${text}`);
    }
  }
  if (values.dump !== undefined) writeFileSync(values.dump, JSON.stringify(results));
  console.log(tableOf(results));
  if (values.apply) console.log(applyTable(results.flatMap(({ applied }) => applied)));
}

async function showScreens(bugs: readonly Bug[], command: string, dump: string | undefined): Promise<void> {
  const results = [];
  for (const bug of bugs) {
    const result = await screenOfBug(bug, command);
    results.push(result);
    const place = result.isFirst
      ? "first"
      : result.isOnRow
        ? "on a row"
        : result.isOnScreen
          ? "on the screen"
          : "not shown";
    console.log(`${bug.name}: ${result.error ?? place}; ${result.lines} lines; ${result.seconds.toFixed(1)} s`);
    if (dump !== undefined) writeFileSync(dump, JSON.stringify(results, null, 1));
  }
  console.log(screensTable(results));
}

function compareAll(bugs: readonly Bug[]): void {
  const results = [];
  for (const bug of bugs) {
    try {
      const result = compareDisguised(bug);
      results.push(result);
      console.log(`${result.name}: ${result.difference ?? "same"}${result.isReordered ? " (reordered)" : ""}`);
    } catch (error) {
      console.log(`${bug.name}: ${(error as Error).message}`);
    }
  }
  const same = results.filter(({ difference }) => difference === null).length;
  const reordered = results.filter(({ isReordered }) => isReordered).length;
  console.log(`${same} of ${results.length} answers are the same; functions of ${reordered} programs were reordered`);
}
