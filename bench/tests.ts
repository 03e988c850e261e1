import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { writeCommitCases } from "./tests/commitCases.ts";
import { compareResults } from "./tests/compareResults.ts";
import { seedFaults } from "./tests/seedFaults.ts";
import { type CaseResult, explainCase, readCases } from "./tests/testCase.ts";

const usage = `npm run bench -- tests FOLDER [options]
  FOLDER               one JSON file for each case: project, command, test, file, edit (the fault), lines (the truth)
  --only TEXT          only cases whose names contain it
  --dump FILE          write the results
  --built FOLDER       the command to measure (dist)
  --no-apply           do not apply the changes that are shown
  --keep FOLDER        write the explanations there
  --seed PROJECT       instead, write cases: faults of different kinds in a project, each of which lets a test fail
  --sources GLOB       its sources that get faults
  --command TEXT       what runs its tests: "npx vitest run"
  --count N            so many faults (4); --random N another choice of them
  --commits LIST       instead, write cases of bug-fix commits: a JSON list of name, git, commit, modules, command, file
  --transparency       instead, run all tests of the projects as they are, with the survey and with the recorder`;

/** Explains faults in projects with tests; tries each change that is shown as passing under the project's own runner. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ only: { type: "string", default: "" }, dump: { type: "string" }, transparency: { type: "boolean" } },
      built: { type: "string", default: "dist" },
      ...{ "no-apply": { type: "boolean", default: false }, keep: { type: "string" } },
      ...{ seed: { type: "string" }, sources: { type: "string", default: "src/**/*" } },
      ...{ command: { type: "string", default: "npm test" }, count: { type: "string", default: "4" } },
      ...{ random: { type: "string", default: "1" }, commits: { type: "string" } },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) return console.error(usage);
  if (values.seed !== undefined) {
    const { seed: project, sources, count, random } = values;
    const command = values.command.split(" ");
    return seedFaults({ project, command, sources, count: Number(count), seed: Number(random), folder });
  }
  if (values.commits !== undefined) return writeCommitCases(values.commits, folder);
  const cases = readCases(folder).filter(({ name }) => name.includes(values.only));
  if (values.transparency === true) return compareResults(cases);
  const results: CaseResult[] = [];
  for (const each of cases) {
    const result = await explainCase(each, values.built, !values["no-apply"], values.keep ?? null);
    results.push(result);
    console.log(lineOf(result));
    for (const { text, isTrue, why } of result.changes) if (!isTrue) console.log(`  FALSE: ${text}: ${why}`);
    if (values.dump !== undefined) writeFileSync(values.dump, JSON.stringify(results, null, 1));
  }
  console.log(tableOf(results));
}

function lineOf({
  name,
  error,
  seconds,
  wall,
  rank,
  isOnScreen,
  isInGraph,
  head,
  changes,
  isTreeUnchanged,
}: CaseResult) {
  const parts = [
    error ?? (rank === 0 ? "no suspect" : `${rank}. suspect`),
    isOnScreen ? "on the screen" : isInGraph ? "in the graph only" : "not shown",
    `${changes.filter(({ isTrue }) => isTrue).length} of ${changes.length} changes true`,
    `${seconds.toFixed(1)} s of processor time, ${wall.toFixed(1)} s`,
    ...(isTreeUnchanged ? [] : ["THE PROJECT WAS CHANGED"]),
    head,
  ];
  return `${name}: ${parts.join("; ")}`;
}

function tableOf(results: readonly CaseResult[]): string {
  const count = (matches: (result: CaseResult) => boolean) => {
    const found = results.filter(matches).length;
    return `${found} of ${results.length} (${((100 * found) / Math.max(1, results.length)).toFixed(0)} %)`;
  };
  const times = results.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.toFixed(1) ?? "-";
  const changes = results.flatMap((each) => each.changes);
  return [
    `answered                              ${count(({ error }) => error === null)}`,
    `faulty line is the first suspect      ${count(({ rank }) => rank === 1)}`,
    `among the first five                  ${count(({ rank }) => rank >= 1 && rank <= 5)}`,
    `on the screen                         ${count(({ isOnScreen }) => isOnScreen)}`,
    `in the chain of all events            ${count(({ isInGraph }) => isInGraph)}`,
    `changes shown as passing, false ones  ${changes.length}, ${changes.filter(({ isTrue }) => !isTrue).length}`,
    `project unchanged                     ${count(({ isTreeUnchanged }) => isTreeUnchanged)}`,
    `processor time, median / 90 % / most  ${at(0.5)} / ${at(0.9)} / ${at(1)} s`,
  ].join("\n");
}
