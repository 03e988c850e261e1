import { readFileSync } from "node:fs";
import { cChanges, loadCText } from "../src/c/cFrontEnd.ts";
import { projectOf } from "../src/frontEnd/project.ts";
import { checkpointsOf, createRerunner } from "../src/interpreter/rerun/rerun.ts";
import { createSwitchedRuns } from "../src/interpreter/rerun/switchedRuns.ts";
import { rerunOptions } from "../src/interpreter/rerun/trackedRerun.ts";
import { runProgram } from "../src/interpreter/run.ts";
import { recordTrace, type Trace } from "../src/interpreter/trace.ts";

type Row = (what: string, ...cells: readonly string[]) => void;

/** A long run that fails, of about so many steps. */
export function threeLoops(steps: number): string {
  const rounds = Math.round(steps / 12);
  return `#include <assert.h>
int main(void) {
  int a = 0, b = 0, sum = 0;
  for (int i = 0; i < ${rounds}; i++) a++;
  for (int i = 0; i < ${rounds}; i++) { b++; sum = 1 - sum; }
  for (int i = 0; i < ${rounds}; i++) sum = 1 - sum;
  assert(a < b);
  return 0;
}
`;
}

/** Runs with one thing changed, a second: flips of short runs and of a long one, and versions of a program. */
export async function benchReruns(row: Row, steps: number): Promise<void> {
  const path = "examples/explain/off-by-one.c";
  const text = readFileSync(path, "utf8");
  for (const n of [20n, 1_000n]) benchShortFlips(row, recordTrace(await loadCText(path, text), { inputs: [n] }));
  benchSwitched(row);
  await benchFlips(row, steps);
}

const shortFlips = 5_000;

/** Flips of a short run from its beginning, after as many that warm up the code. */
function benchShortFlips(row: Row, trace: Trace): void {
  const options = { ...rerunOptions(trace), maxSteps: 4 * trace.steps };
  const rerunner = createRerunner(trace.program, { undefinedBehaviour: "stop" });
  const { numbers } = rerunner.variation;
  numbers[1] = 0;
  rerunner.run(options);
  const instances = numbers[0]!;
  const flipAll = () => {
    const start = process.cpuUsage();
    for (let i = 0; i < shortFlips; i++) {
      numbers[1] = 1 + (i % instances);
      rerunner.run(options);
    }
    return process.cpuUsage(start).user;
  };
  flipAll();
  row(`flips of ${count(trace.steps)} steps`, `${count(shortFlips)} runs`, rate(shortFlips, flipAll()));
}

/** So many flips, evenly spread over the run; each is the same run from the beginning and from a checkpoint. */
const flips = 100;

async function benchFlips(row: Row, steps: number): Promise<void> {
  const trace = recordTrace(await loadCText("loops.c", threeLoops(steps)));
  const options = { ...rerunOptions(trace), maxSteps: 2 * trace.steps };
  const checkpointed = checkpointsOf(trace, options, undefined);
  if (checkpointed === null) return;
  const { checkpoints, points } = checkpointed;
  const rerunner = createRerunner(trace.program, { undefinedBehaviour: "stop", resumes: points });
  const { numbers } = rerunner.variation;
  numbers[1] = 0;
  rerunner.run(options);
  const instances = numbers[0]!;
  const flipAll = (isFromStart: boolean) => {
    const ends: string[] = [];
    for (let i = 0; i < flips; i++) {
      const instance = 1 + Math.floor((i * instances) / flips);
      const from = isFromStart ? undefined : checkpoints.findLast((each) => each.instances < instance);
      numbers[1] = instance;
      ends.push(JSON.stringify(rerunner.run(options, from)));
    }
    return ends.join();
  };
  // Both kinds are machine code by the second time.
  if (flipAll(true) !== flipAll(false)) throw new Error("a re-run from a checkpoint ends otherwise");
  for (const isFromStart of [true, false]) {
    const start = process.cpuUsage();
    flipAll(isFromStart);
    const what = isFromStart ? "from the beginning" : `from ${checkpoints.length} checkpoints`;
    row(`flips of ${count(trace.steps)} steps, ${what}`, `${flips} runs`, rate(flips, process.cpuUsage(start).user));
  }
}

/** Sums the positive differences of some numbers, about a hundred steps; the bound of its loop is wrong. */
const rising = `#include <stdio.h>
static int rise(const int *values, int count) {
  int sum = 0;
  for (int i = 1; i < count - 1; i++) {
    int step = values[i] - values[i - 1];
    if (step > 0) sum += step;
  }
  return sum;
}
int main(void) {
  int values[20], count, total = 0;
  if (scanf("%d", &count) != 1 || count > 20) return 1;
  for (int i = 0; i < count; i++) {
    if (scanf("%d", &values[i]) != 1) return 1;
    total += values[i];
  }
  printf("%d\\n", total);
  printf("%d\\n", rise(values, count));
  return 0;
}
`;

const versions = 300;
const rounds = 40;

/** One program with many versions of its parts, each of which is run: with its compilation, and warm. */
function benchSwitched(row: Row): void {
  const project = projectOf([{ path: "rising.c", text: rising }], {});
  const frontEnd = cChanges();
  const run = {
    stdin: Buffer.from("10 3 9 4 4 12 1 1 6 8 2\n"),
    expected: { stdout: Buffer.from("50\n21\n"), compares: "tokens" },
    onOutput: () => undefined,
    maxSteps: 1_000,
  } as const;
  const { steps } = runProgram(frontEnd.load(project), run);
  const changes = frontEnd.propose(project, { executed: () => true }).slice(0, versions);
  const start = process.cpuUsage().user;
  const { program, selections } = frontEnd.loadSwitched(project, changes);
  const runs = createSwitchedRuns(program, {});
  const valid = selections.flatMap((each) => each ?? []).map((selection) => [selection]);
  const runAll = () => valid.filter((selected) => runs.run(run, selected).end === "exit").length;
  const passing = runAll();
  const cold = process.cpuUsage().user;
  // By the second round the code is machine code.
  runAll();
  const warm = process.cpuUsage().user;
  for (let round = 0; round < rounds; round++) {
    if (runAll() !== passing) throw new Error("a repeated run of a version ends otherwise");
  }
  const end = process.cpuUsage().user;
  const what = `${valid.length} versions, runs of ${steps} steps`;
  row(`${what}, with compilation`, `${valid.length} runs`, rate(valid.length, cold - start));
  row(`${what}, warm`, `${rounds * valid.length} runs`, rate(rounds * valid.length, end - warm), "at least 20,000");
}

function rate(amount: number, microseconds: number): string {
  return `${count(Math.round((amount * 1e6) / microseconds))} a second`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
