import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { proveExplanation } from "../src/commands/explain/proveExplanation.ts";
import { mulberry32 } from "../src/interpreter/inputs.ts";
import { recordTrace, type Trace } from "../src/interpreter/trace.ts";
import { createTerms } from "../src/logic/terms.ts";
import { foldedRun } from "../src/recordedRun/foldedRun.ts";
import { runOf } from "../src/recordedRun/runOf.ts";
import { targetOf } from "../src/recordedRun/target.ts";
import { traceFormula } from "../src/recordedRun/traceFormula.ts";
import { createSolver } from "../src/solver/solverChain.ts";
import { createProver } from "../src/symbolic/createProver.ts";
import { createSymbols } from "../src/symbolic/symbols.ts";
import { claimCost } from "./claimCost.ts";
import { runMutants } from "./mutants.ts";
import { runOutputs } from "./outputs.ts";
import { benchReruns, threeLoops } from "./reruns.ts";

/**
 * What an explanation costs: against one check of the same trace formula (aim 5, at most 10), from 1,000 to 10,000 steps (at
 * most 15), re-runs a second from the beginning and from checkpoints, the first output on the smallest example (0.6 s), and a run of a million steps against recording it (at
 * most 5). With `--mutants`: how good explanations are, instead of what they cost; with `--outputs`, of
 * programs whose tests compare outputs.
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args.includes("--mutants")) return runMutants(args);
  if (args.includes("--outputs")) return runOutputs(args);
  // The first question starts the solvers, which every command does once.
  await explainStraight(50);
  const small = await benchStraight(1_000);
  const large = args.includes("--quick") ? null : await benchStraight(10_000);
  if (large !== null) row("1,000 to 10,000 steps, explain", ratio(large, small), "at most 15");
  await benchReruns(row, args.includes("--quick") ? 100_000 : 1_000_000);
  await benchLoops(args.includes("--quick") ? 100_000 : 1_000_000);
  const { whole, without } = await claimCost();
  row("what is said of other inputs, with its proof", ratio(whole, without), "at most 1.5");
  await benchStart();
}

function row(what: string, ...cells: readonly string[]) {
  console.log(what.padEnd(44) + cells.map((cell) => cell.padStart(16)).join(""));
}

const ratio = (a: number, b: number) => `${(a / b).toFixed(1)}x`;
const ms = (time: number) => `${time.toFixed(0)} ms`;

function timed<Result>(work: () => Result): { readonly result: Result; readonly time: number } {
  const start = performance.now();
  const result = work();
  return { result, time: performance.now() - start };
}

/** Assignments between a few variables, and a failing assertion about one of them. */
function straightProgram(steps: number): string {
  const next = mulberry32(steps);
  const pick = () => Math.floor(next() * 12);
  const lines = Array.from({ length: steps }, () => `  v${pick()} = v${pick()} + ${Math.floor(next() * 7) - 3};`);
  const variables = Array.from({ length: 12 }, (_, i) => `  int v${i} = ${i};`);
  return `#include <assert.h>\nint main(void) {\n${[...variables, ...lines].join("\n")}\n  assert(v0 == 1000000);\n  return 0;\n}\n`;
}

async function explainStraight(steps: number): Promise<{ readonly trace: Trace; readonly time: number }> {
  const trace = recordTrace(await loadCText(`straight${steps}.c`, straightProgram(steps)));
  const { time, result } = timed(() => proveExplanation(trace, { shrink: false }));
  if (!result.proof.checked) throw new Error("the explanation is not proved");
  if (!result.abstraction?.explained) throw new Error("the explanation has no facts");
  return { trace, time };
}

async function benchStraight(steps: number): Promise<number> {
  const { trace, time } = await explainStraight(steps);
  const check = plainCheck(trace);
  row(
    `${steps.toLocaleString("en-US")} steps`,
    `explain ${ms(time)}`,
    `check ${ms(check)}`,
    ratio(time, check),
    "at most 10x",
  );
  return time;
}

/** The trace formula made and asked once, with a solver of its own. */
function plainCheck(trace: Trace): number {
  return timed(() => {
    const { solver } = createSolver();
    const symbols = createSymbols(trace.program, createTerms());
    const run = runOf(trace);
    const formula = traceFormula(symbols, foldedRun(run, [], targetOf(run)));
    const session = createProver(symbols, solver).open(formula.transitions.map((transition) => transition.formula));
    const answer = session.implies([], formula.target);
    solver.dispose();
    if (answer.kind !== "proved") throw new Error("the run does not imply its target");
  }).time;
}

/**
 * A long run of a few loops: as commands, which is what a user waits for, and in this process, where recording is machine
 * code by now and takes less time than a solver needs to start.
 */
async function benchLoops(steps: number): Promise<void> {
  const text = threeLoops(steps);
  const program = await loadCText("loops.c", text);
  recordTrace(program);
  const recorded = timed(() => recordTrace(program, {}));
  const explained = timed(() => proveExplanation(recorded.result, { shrink: false }));
  const name = `${recorded.result.steps.toLocaleString("en-US")} steps of three loops`;
  if (existsSync(main)) {
    const folder = mkdtempSync(join(tmpdir(), "tracefold-bench-"));
    const file = join(folder, "loops.c");
    writeFileSync(file, text);
    const run = await fastest(["run", file]);
    const explain = await fastest(["explain", "--no-shrink", file]);
    rmSync(folder, { recursive: true });
    row(
      `${name}, commands`,
      `explain ${ms(explain.whole)}`,
      `run ${ms(run.whole)}`,
      ratio(explain.whole, run.whole),
      "at most 5x",
    );
  }
  row(
    `${name}, in process`,
    `explain ${ms(explained.time)}`,
    `record ${ms(recorded.time)}`,
    ratio(explained.time, recorded.time),
  );
}

const main = new URL("../dist/cli/main.js", import.meta.url).pathname;

async function benchStart(): Promise<void> {
  if (!existsSync(main)) return console.log("no dist/: npm run build measures the start");
  const { first, whole } = await fastest([
    "explain",
    new URL("../examples/explain/unit-test.c", import.meta.url).pathname,
  ]);
  row("the smallest example, first output", ms(first), "at most 600 ms");
  row("the smallest example, whole command", ms(whole));
}

type CommandTimes = { readonly first: number; readonly whole: number };

/** From the shell's point of view: when the first line is there, and when the command has ended; the least of five. */
async function fastest(args: readonly string[]): Promise<CommandTimes> {
  const runs: CommandTimes[] = [];
  for (let i = 0; i < 5; i++) runs.push(await timedOutput(args));
  return { first: Math.min(...runs.map(({ first }) => first)), whole: Math.min(...runs.map(({ whole }) => whole)) };
}

function timedOutput(args: readonly string[]): Promise<CommandTimes> {
  const start = performance.now();
  const child = spawn(process.execPath, [main, ...args]);
  let first = Number.POSITIVE_INFINITY;
  child.stdout.once("data", () => {
    first = performance.now() - start;
  });
  child.stdout.resume();
  return new Promise((resolve) => child.once("exit", () => resolve({ first, whole: performance.now() - start })));
}
