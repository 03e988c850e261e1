import { readFileSync } from "node:fs";
import { runExperiments } from "../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../src/dependence/dependenceGraph.ts";
import { checkpointsOf, createRerunner } from "../src/interpreter/rerun/rerun.ts";
import { rerunOptions } from "../src/interpreter/rerun/trackedRerun.ts";
import { recordTrace } from "../src/interpreter/trace.ts";

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

/** Runs with one thing changed, a second: all experiments with runs of some steps and of ten thousand, and flips of a long run. */
export async function benchReruns(row: Row, steps: number): Promise<void> {
  const path = "examples/explain/off-by-one.c";
  const text = readFileSync(path, "utf8");
  for (const n of [20n, 1_000n]) {
    const trace = recordTrace(await loadCText(path, text), { inputs: [n] });
    const graph = dependenceGraph(trace);
    runExperiments(graph);
    const start = performance.now();
    const { reruns } = runExperiments(graph);
    row(`re-runs of ${count(trace.steps)} steps`, `${reruns} runs`, perSecond(reruns, start), "thousands");
  }
  await benchFlips(row, steps);
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
    const start = performance.now();
    flipAll(isFromStart);
    const what = isFromStart ? "from the beginning" : `from ${checkpoints.length} checkpoints`;
    row(`flips of ${count(trace.steps)} steps, ${what}`, `${flips} runs`, perSecond(flips, start));
  }
}

function perSecond(runs: number, start: number): string {
  return `${count(Math.round(runs / ((performance.now() - start) / 1000)))} a second`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
