import { spawnSync } from "node:child_process";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { compressRun } from "../../src/commands/compress/pipeline.ts";
import { recordTrace, type Trace } from "../../src/interpreter/trace.ts";
import { recordModelled } from "./modelled.ts";
import { compressedRow } from "./row.ts";

const limits = { time: 1.3, queries: 5, megabytes: 500 } as const;
const repetitions = 3;

/** Ratios in one run, so that they hold on every machine; returns what was missed. */
export async function benchScale(quick: boolean): Promise<string[]> {
  console.log("\nScale");
  const [rounds, steps] = quick ? [320, 100_000] : [3_200, 1_000_000];
  return [
    ...(await benchTime("client", rounds)),
    ...(await benchTime("token_ring", rounds)),
    ...(await benchQueries()),
    ...benchMemory(steps),
  ];
}

function row(what: string, ...cells: readonly string[]): void {
  console.log(what.padEnd(48) + cells.map((cell) => cell.padStart(20)).join(""));
}

function missedIf(isMissed: boolean, what: string): string[] {
  return isMissed ? [what] : [];
}

/** Time of folding beyond reading the run once, which is what recording it took. */
async function benchTime(file: string, rounds: number): Promise<string[]> {
  const runs = [await recordModelled(file, rounds), await recordModelled(file, 10 * rounds)];
  const folding = [Infinity, Infinity];
  const reading = [Infinity, Infinity];
  // In turns, so that another load on the machine meets both.
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [i, trace] of runs.entries()) {
      folding[i] = Math.min(folding[i]!, foldingTime(trace));
      reading[i] = Math.min(reading[i]!, readingTime(trace));
    }
  }
  const ratio = (folding[1]! - reading[1]!) / (folding[0]! - reading[0]!);
  const name = `${file}, ${rounds.toLocaleString("en-US")} rounds and 10x as many`;
  const times = folding.map((ms, i) => `${ms.toFixed(0)} ms, read ${reading[i]!.toFixed(0)}`);
  row(name, ...times, `${ratio.toFixed(2)}x`, `<= ${limits.time}x`);
  return missedIf(ratio > limits.time, `${name}: ${ratio.toFixed(2)}x the time`);
}

function readingTime({ program, inputs }: Trace): number {
  const start = performance.now();
  recordTrace(program, { inputs: inputs.map(({ value }) => value) });
  return performance.now() - start;
}

/** Without the check, which is about the same few triples whatever the run. */
function foldingTime(trace: Trace): number {
  const start = performance.now();
  let end = start;
  compressRun(trace, {
    progress: (what) => {
      if (what === "checking") end = performance.now();
    },
  });
  return end - start;
}

/** A state machine with so many cases; the error is recorded in the first round. */
function switchProgram(cases: number): string {
  const states = Array.from({ length: cases }, (_, i) => {
    const next = (i + 1) % cases;
    return `      case ${i}: if (input > ${i}) { seen = seen + 1; state = ${next}; } else state = ${(i * 7 + 3) % cases}; break;`;
  });
  return `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int rounds = __VERIFIER_nondet_int();
  int state = 0, seen = 0, flag = 0, err = 0;
  for (int round = 0; round < rounds; round++) {
    int input = __VERIFIER_nondet_int();
    if (state == 0 && flag == 0) flag = 1;
    if (state == 1 && flag == 1) err = 1;
    switch (state) {
${states.join("\n")}
    }
  }
  assert(err == 0);
  return 0;
}
`;
}

async function benchQueries(): Promise<string[]> {
  const queries: number[] = [];
  for (const cases of [4, 40]) {
    const program = await loadCText(`switch${cases}.c`, switchProgram(cases));
    const ours = compressedRow(recordTrace(program, { inputs: ({ index }) => (index === 0 ? 200n : 100n) }));
    if (!ours.checked) return [`${cases} switch cases: the proof is not checked`];
    queries.push(ours.queries);
  }
  const [few, many] = queries as [number, number];
  const ratio = many / few;
  row("4 and 40 switch cases", `${few} queries`, `${many} queries`, `${ratio.toFixed(2)}x`, `<= ${limits.queries}x`);
  return missedIf(ratio > limits.queries, `40 switch cases: ${ratio.toFixed(2)}x the queries`);
}

/** In a process of its own: the peak is that of this run alone. */
function benchMemory(steps: number): string[] {
  const entry = new URL("./measureMemory.ts", import.meta.url).pathname;
  const child = spawnSync(process.execPath, [...process.execArgv, entry, `${steps}`], { encoding: "utf8" });
  if (child.status !== 0) return [`a long run could not be measured: ${child.stderr}`];
  const { recorded, megabytes } = JSON.parse(child.stdout) as { recorded: number; megabytes: number };
  const name = `client, ${recorded.toLocaleString("en-US")} steps`;
  row(name, "", "peak memory", `${megabytes.toFixed(0)} MB`, `<= ${limits.megabytes} MB`);
  return missedIf(megabytes > limits.megabytes, `${name}: ${megabytes.toFixed(0)} MB`);
}
