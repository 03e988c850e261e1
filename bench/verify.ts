import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type EngineName, engineNames } from "../src/analyses/verify/engine.ts";
import {
  type Cancellation,
  cancelledAfterWork,
  sharedCancellation,
  workMilliseconds,
} from "../src/base/cancellation.ts";
import { TracefoldError } from "../src/base/errors.ts";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { verifyProgram } from "../src/commands/verify/pipeline.ts";
import type { Verification, VerifyOptions } from "../src/commands/verify/verification.ts";
import { certificateSize } from "../src/cutpoints/certificate.ts";
import type { ArithmeticMode } from "../src/cutpoints/obligation.ts";
import { readProject } from "../src/frontEnd/project.ts";
import type { Program } from "../src/ir/program.ts";
import { loadProject } from "../src/languages/loadProject.ts";
import type { BackendChoice } from "../src/solver/backend/backends.ts";
import { around, programs } from "../test/analyses/verify/cellPrograms.ts";
import { plainPrograms } from "../test/analyses/verify/plainPrograms.ts";
import { branches, computedState } from "../test/analyses/verify/programs.ts";

/**
 * `npm run bench -- verify [--programs DIR] [--limit 60] [--processor-time] [--only NAME] [--solver wasm] [--ablation] [--data-model LP64] [--unbounded]`: the
 * families of n branches, and
 * for the tasks of a folder, whose expected verdict is in the file name (`_true`, `_safe`, `_false`, `_unsafe`) or in a `.yml` beside
 * it: verdict, engine, time, size of the certificate, who checked it. `--ablation` decides what each engine decided again without it.
 * With `--processor-time` the limit and the seconds are those of all processors together, for a machine that does other work, too: no
 * more than what fits into the limit on an idle one. `--unbounded` is for sets that assume mathematical integers.
 */
export async function run(args: readonly string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const folder = option("--programs");
  const settings: Settings = {
    seconds: Number(option("--limit") ?? 60),
    solver: (option("--solver") ?? "auto") as BackendChoice,
    dataModel: option("--data-model") === "LP64" ? "LP64" : "ILP32",
    isWork: args.includes("--processor-time"),
    arithmetic: args.includes("--unbounded") ? "unbounded" : "stop",
  };
  if (folder === undefined) {
    await benchFamilies(settings, args.includes("--quick") ? [10, 20] : [10, 50, 100, 200]);
    return benchPortfolio(settings);
  }
  const only = new RegExp(option("--only") ?? "");
  const tasks = tasksIn(folder).filter(({ path }) => only.test(path));
  const decided = await decideAll(tasks, settings);
  if (args.includes("--ablation")) await ablate(decided, settings);
}

/** What an engine is worth: the tasks that it decided, decided again without it. All others would be decided as before. */
async function ablate(decided: readonly Decided[], settings: Settings): Promise<void> {
  for (const left of engineNames) {
    const own = decided.filter(({ engine, isRight }) => isRight && engine === left);
    const others = engineNames.filter((name) => name !== left);
    let lost = 0;
    let wrong = 0;
    for (const { task } of own) {
      const { result } = await decideFile(task.path, settings, others);
      const kind = typeof result === "string" ? "unknown" : result.verdict.kind;
      if (kind !== task.expected) lost++;
      if (kind !== task.expected && kind !== "unknown") wrong++;
    }
    console.log(`without ${left.padEnd(12)} ${lost} fewer right of the ${own.length} that it decided, ${wrong} wrong`);
  }
}

type Settings = {
  readonly seconds: number;
  readonly solver: BackendChoice;
  readonly dataModel: "ILP32" | "LP64";
  readonly isWork: boolean;
  readonly arithmetic: ArithmeticMode;
};
type Task = { readonly path: string; readonly expected: "safe" | "unsafe" };
type Decided = { readonly task: Task; readonly engine: string | null; readonly isRight: boolean };

async function benchFamilies(settings: Settings, sizes: readonly number[]): Promise<void> {
  row("minimax alone: n branches", "states", "seconds", "verdict", "check/find", "no interpolation");
  for (const [name, family] of [
    ["sums", branches],
    ["a computed state", computedState],
  ] as const) {
    for (const n of sizes) {
      const program = await loadCText("family.c", family(n), { preprocess: "builtin", uninitialized: "input" });
      const decide = (interpolation: boolean) =>
        timed(() => verifyProgram(program, { ...optionsOf(settings, ["minimax"]), interpolation }));
      const { result, seconds } = decide(true);
      const plain = n <= 10 ? decide(false).result : null;
      const { verdict } = result;
      const ratio = verdict.kind === "safe" ? verdict.checkMs / Math.max(1, 1000 * seconds - verdict.checkMs) : null;
      const forgetless = plain === null ? "" : `${plain.tree?.states} states`;
      row(
        `${name}, n = ${n}`,
        result.tree?.states ?? 0,
        seconds.toFixed(1),
        verdict.kind,
        ratio === null ? "" : ratio.toFixed(2),
        forgetless,
      );
    }
  }
}

/** The programs of the tests, by all engines together and by each alone: how many are decided, in how many seconds, and rightly. */
async function benchPortfolio(settings: Settings): Promise<void> {
  const load = (text: string) => loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });
  const tasks = await Promise.all([
    ...plainPrograms.flatMap(({ safe, unsafe }) => [
      load(safe).then((program) => ({ program, expected: "safe" })),
      load(unsafe).then((program) => ({ program, expected: "unsafe" })),
    ]),
    ...Object.values(programs).map(async (body) => ({ program: await load(around(body)), expected: "safe" })),
  ]);
  row(`engines, on ${tasks.length} programs`, "right", "wrong", "seconds", "check/find");
  for (const engine of [null, ...engineNames]) {
    let [right, wrong, finding, checking] = [0, 0, 0, 0];
    for (const { program, expected } of tasks) {
      const engines = engine === null ? null : [engine];
      const { result, seconds } = timed(() => verifyProgram(program, optionsOf(settings, engines)));
      const { verdict } = result;
      if (verdict.kind === expected) right++;
      else if (verdict.kind !== "unknown") wrong++;
      const checkSeconds = verdict.kind === "safe" ? verdict.checkMs / 1000 : 0;
      checking += checkSeconds;
      finding += seconds - checkSeconds;
    }
    const total = (finding + checking).toFixed(1);
    row(engine ?? "portfolio", right, wrong, total, (checking / Math.max(0.001, finding)).toFixed(2));
  }
}

function tasksIn(folder: string): readonly Task[] {
  return readdirSync(folder)
    .filter((name) => /\.[ci]$/.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .flatMap((name): Task[] => {
      const expected = expectedOf(join(folder, name));
      return expected === null ? [] : [{ path: join(folder, name), expected }];
    });
}

function expectedOf(path: string): Task["expected"] | null {
  const name = basename(path);
  if (/_(false|unsafe)/.test(name)) return "unsafe";
  if (/_(true|safe)/.test(name)) return "safe";
  try {
    const text = readFileSync(path.replace(/\.[ci]$/, ".yml"), "utf8");
    const verdict = /unreach-call\.prp\s*\n\s*expected_verdict:\s*(true|false)/.exec(text)?.[1];
    return verdict === undefined ? null : verdict === "true" ? "safe" : "unsafe";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function decideAll(tasks: readonly Task[], settings: Settings): Promise<readonly Decided[]> {
  let wrong = 0;
  let [finding, checking] = [0, 0];
  const decided: Decided[] = [];
  row("task", "expected", "verdict", "engine", "seconds", "certificate", "checked by");
  for (const task of tasks) {
    const { path, expected } = task;
    const { result, seconds } = await decideFile(path, settings, null);
    const verdict = typeof result === "string" ? null : result.verdict;
    const kind = verdict?.kind ?? "unknown";
    const isWrong = kind !== "unknown" && kind !== expected;
    if (isWrong) wrong++;
    const engine = verdict === null || verdict.kind === "unknown" ? null : verdict.engine;
    decided.push({ task, engine, isRight: kind === expected });
    if (verdict?.kind === "safe") {
      checking += verdict.checkMs / 1000;
      finding += seconds - verdict.checkMs / 1000;
    }
    row(basename(path), expected, kind, ...cellsOf(result, seconds), isWrong ? "WRONG" : "");
  }
  const right = decided.filter(({ isRight }) => isRight);
  console.log(
    `${right.length} of ${tasks.length} right, ${wrong} wrong, ${tasks.length - right.length - wrong} unknown`,
  );
  const counts = engineNames.map((name) => `${name} ${right.filter(({ engine }) => engine === name).length}`);
  console.log(`right by engine: ${counts.join(", ")}`);
  // Checks are timed on the wall.
  if (settings.isWork) return decided;
  const ratio = (checking / Math.max(0.001, finding)).toFixed(2);
  console.log(`checking certificates / finding them: ${checking.toFixed(1)} s / ${finding.toFixed(1)} s = ${ratio}`);
  return decided;
}

function cellsOf(result: Verification | string, seconds: number): readonly (string | number)[] {
  if (typeof result === "string") return ["", seconds.toFixed(1), result.slice(0, 60)];
  const { verdict } = result;
  if (verdict.kind === "unknown") return ["", seconds.toFixed(1), verdict.reasons[0]?.reason.slice(0, 60) ?? ""];
  if (verdict.kind === "unsafe") return [verdict.engine, seconds.toFixed(1), "", "a run"];
  const conditions = verdict.assumptions.length === 0 ? "" : ` if ${verdict.assumptions.length} conditions`;
  const by = verdict.checkedBy.length === 0 ? "rewriting" : verdict.checkedBy.join("+");
  return [verdict.engine, seconds.toFixed(1), certificateSize(verdict.certificate), `${by}${conditions}`];
}

async function decideFile(path: string, settings: Settings, engines: readonly EngineName[] | null) {
  const shared = sharedCancellation();
  const now = () => (settings.isWork ? workMilliseconds(shared.processes) : performance.now());
  const start = now();
  const since = () => (now() - start) / 1000;
  try {
    const project = await readProject([path], { dataModel: settings.dataModel });
    const program: Program = await loadProject(project, { uninitialized: "input", undefined: "input" });
    const options = settings.isWork ? withinWork(settings, engines, shared) : optionsOf(settings, engines);
    return { result: verifyProgram(program, options), seconds: since() };
  } catch (error) {
    if (error instanceof TracefoldError) return { result: error.message, seconds: since() };
    throw error;
  }
}

function optionsOf({ seconds, solver, arithmetic }: Settings, engines: readonly EngineName[] | null) {
  return { property: "assert", arithmetic, engines, solver, seed: 1, milliseconds: 1000 * seconds, run: {} } as const;
}

/** As much time on the wall as it takes, where the machine does other work, too, to have the limit of processor time. */
function withinWork(settings: Settings, engines: readonly EngineName[] | null, shared: Cancellation): VerifyOptions {
  const options = optionsOf(settings, engines);
  const milliseconds = options.milliseconds * slowness();
  return { ...options, milliseconds, cancellation: cancelledAfterWork(options.milliseconds, shared, milliseconds) };
}

/** How long a tenth of a second of work takes, in tenths of a second. */
function slowness(): number {
  const [start, work] = [performance.now(), process.cpuUsage()];
  const used = () => process.cpuUsage(work).user / 1000;
  while (used() < 100);
  return Math.max(1, (performance.now() - start) / used());
}

function timed<Result>(work: () => Result): { readonly result: Result; readonly seconds: number } {
  const start = performance.now();
  const result = work();
  return { result, seconds: (performance.now() - start) / 1000 };
}

function row(...cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, i) => (i === 0 ? `${cell}`.padEnd(52) : `${cell}`.padEnd(16))).join(""));
}
