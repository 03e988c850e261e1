import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { inferContracts } from "../src/analyses/infer/inferContracts.ts";
import { testCommand } from "../src/commands/infer/recordSuite.ts";
import { replayRecording } from "../src/concolic/js/replayRecording.ts";
import { directoryVariable } from "../src/js/recorder/logFormat.ts";
import { defaultSettings, startRecording } from "../src/js/recorder/vitest.ts";
import { createTerms } from "../src/logic/terms.ts";
import { createSolver } from "../src/solver/solverChain.ts";
import { replayTime } from "./recorder/replayTime.ts";

/**
 * `npm run bench -- recorder --packages DIR`: public packages that lie in DIR, listed in its `packages.json` as
 * `{ folder, command }` with commands of DIR/node_modules. Each suite runs plain and recorded: the same tests must pass
 * and fail. Prints the cost in processor time, and what replay and inference make of the recording.
 */
export function run(args: readonly string[]): void {
  const at = args.indexOf("--packages");
  if (at < 0 || args[at + 1] === undefined) {
    console.log("recorder: give --packages DIR (docs/benchmarks.md says what is in it)");
    return;
  }
  const folder = resolve(args[at + 1]!);
  const only = args[args.indexOf("--only") + 1];
  const list = JSON.parse(readFileSync(join(folder, "packages.json"), "utf8")) as readonly Package[];
  const wanted = list.filter((one) => !args.includes("--only") || one.folder === only);
  const rows = wanted.map((one) => measure(folder, one));
  printRows(rows);
}

type Package = { readonly folder: string; readonly command: string };

type Row = {
  readonly name: string;
  readonly results: number;
  readonly failing: number;
  readonly differing: readonly string[];
  readonly ratio: number;
  readonly calls: number;
  readonly lost: number;
  readonly wrong: number;
  readonly disagreed: number;
  readonly open: number;
  readonly agreed: number;
  readonly called: number;
  readonly contracts: number;
  readonly cases: number;
  readonly events: number;
  /** For an event: when the code runs for the first time, and when it is warm. */
  readonly first: number;
  readonly warm: number;
  readonly questions: number;
};

type Finished = { readonly results: readonly string[]; readonly seconds: number };

function measure(root: string, { folder, command }: Package): Row {
  const project = join(root, folder);
  const recording = mkdtempSync(join(tmpdir(), "tracefold-bench-"));
  try {
    const plain = execute(root, project, command, {});
    startRecording(recording, defaultSettings(project));
    const recorded = execute(root, project, ...recordedCommand(command, project, recording));
    return { name: folder, ...compare(plain, recorded), ...analyse(recording) };
  } finally {
    rmSync(recording, { recursive: true });
  }
}

function recordedCommand(command: string, project: string, recording: string): [string, Record<string, string>] {
  const built = (name: string): string => resolve(import.meta.dirname, `../dist/${name}.js`);
  if (!existsSync(built("register"))) throw new Error("npm run build first");
  const words = command.split(" ");
  const meant = testCommand(words, project);
  const env = { [directoryVariable]: recording };
  if (meant.kind === "jest") throw new Error("jest is not measured");
  if (meant.kind === "vitest") return [`node ${built("runVitest")} ${meant.words.join(" ")}`, env];
  return [meant.words.join(" "), { ...env, NODE_OPTIONS: `--import=${built("register")}` }];
}

function execute(root: string, project: string, command: string, env: Record<string, string>): Finished {
  const path = [join(project, "node_modules/.bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const script = `TIMEFORMAT="%U %S"; time ${command}`;
  const options = {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env, PATH: path },
  } as const;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], options);
  const times = /([\d.]+) ([\d.]+)\s*$/.exec(stderr.trim());
  return { results: resultsOf(stdout), seconds: Number(times?.[1] ?? 0) + Number(times?.[2] ?? 0) };
}

/** Lines of TAP without numbers and durations; of other reporters, the counts. */
function resultsOf(output: string): readonly string[] {
  const tap = output.match(/^\s*(not )?ok .*$/gm);
  const lines = tap ?? output.match(/^\s*(Total|Passed|Skipped):.*$/gm) ?? [];
  return lines
    .map((line) =>
      line
        .replace(/(ok) \d+/, "$1")
        .replace(/# time=.*$|\(\d+ms\)|\d+(\.\d+)?ms/g, "")
        .trim(),
    )
    .sort();
}

function compare(plain: Finished, recorded: Finished): Pick<Row, "results" | "failing" | "differing" | "ratio"> {
  const differing = [
    ...plain.results.filter((line) => !recorded.results.includes(line)),
    ...recorded.results.filter((line) => !plain.results.includes(line)),
  ];
  if (plain.results.length !== recorded.results.length)
    differing.push(`${plain.results.length} results plain, ${recorded.results.length} recorded`);
  const failing = plain.results.filter((line) => line.startsWith("not ok")).length;
  return { results: plain.results.length, failing, differing, ratio: recorded.seconds / plain.seconds };
}

function analyse(recording: string): Omit<Row, "name" | "results" | "failing" | "differing" | "ratio"> {
  const replayed = replayRecording(recording);
  const chain = createSolver();
  try {
    const tools = { terms: createTerms(), solver: chain.solver };
    const { contracts } = inferContracts(tools, replayed.functions, { wanted: () => true, stop: () => false });
    const called = replayed.functions.filter(({ subject }) => subject.leftOut === null);
    const cases = contracts.map((one) => one.cases.length).sort((a, b) => a - b);
    const { stats } = replayed;
    for (const [reason, count] of stats.lostReasons) console.error(`  lost ${count}: ${reason}`);
    return {
      calls: replayed.functions.reduce((sum, one) => sum + one.calls, 0),
      lost: stats.lost,
      wrong: stats.wrongDecisions,
      disagreed: stats.disagreed,
      open: stats.open,
      agreed: stats.agreed,
      called: called.length,
      contracts: contracts.length,
      cases: cases[cases.length >> 1] ?? 0,
      events: stats.events,
      ...replayTime(recording, stats.events),
      questions: chain.statistics.queries / Math.max(1, contracts.length),
    };
  } finally {
    chain.solver.dispose();
  }
}

function printRows(rows: readonly Row[]): void {
  console.log(
    "package          results fail differ  cpu   calls  lost wrong disagree   open agreed  contracts cases  events  first  warm questions",
  );
  for (const row of rows) {
    const numbers = [
      String(row.results).padStart(7),
      String(row.failing).padStart(4),
      String(row.differing.length).padStart(6),
      `${row.ratio.toFixed(2)}x`.padStart(6),
      String(row.calls).padStart(7),
      String(row.lost).padStart(5),
      String(row.wrong).padStart(5),
      String(row.disagreed).padStart(8),
      String(row.open).padStart(6),
      String(row.agreed).padStart(6),
      `${row.contracts}/${row.called}`.padStart(10),
      String(row.cases).padStart(5),
      String(row.events).padStart(7),
      row.first.toFixed(1).padStart(6),
      row.warm.toFixed(1).padStart(5),
      row.questions.toFixed(1).padStart(9),
    ];
    console.log(`${row.name.padEnd(16)} ${numbers.join(" ")}`);
    for (const line of row.differing.slice(0, 5)) console.log(`  differs: ${line}`);
  }
  const ratios = rows.map((row) => row.ratio).sort((a, b) => a - b);
  console.log("first, warm: microseconds of processor time to replay an event, as it is bundled");
  console.log(`median cost ${(ratios[ratios.length >> 1] ?? 0).toFixed(2)}x`);
}
