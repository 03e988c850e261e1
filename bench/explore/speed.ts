import { type ExploreOptions, explore } from "../../src/analyses/explore/explore.ts";
import type { Mode } from "../../src/analyses/explore/explorer.ts";
import { targetsOf } from "../../src/analyses/explore/target.ts";
import { createSummarise } from "../../src/analyses/explore/templates/summarise.ts";
import { cancelledAfter } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { createSolver } from "../../src/solver/solverChain.ts";

const header = `extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int); void __VERIFIER_assume(int);\n`;

/** A loop whose bound is an input below a constant. */
const counting = (bound: number) => `int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, i = 0;
  __VERIFIER_assume(n >= 0 && n <= ${bound});
  while (i < n) { x = x + 2; i = i + 1; }
  __VERIFIER_assert(x == 2 * n);
}`;

/** Two ways in each round: 2^10 paths. */
const branching = `int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) { int x = __VERIFIER_nondet_int(); if (x > 10 * i) sum += i; else sum -= 1; }
  __VERIFIER_assert(sum != 46);
}`;

type Speed = {
  readonly ms: number;
  readonly cpuMs: number;
  readonly states: number;
  readonly runs: number;
  readonly status: string;
};

async function explored(body: string, mode: Mode, seconds: number): Promise<Speed> {
  const program = await loadCText("p.c", header + body);
  const cancellation = cancelledAfter(seconds * 1000);
  const [first, second] = [createSolver({ cache: false, cancellation }), createSolver({ cancellation })];
  const options: ExploreOptions = {
    ...{ mode, searcher: "dfs", seed: 1, run: {}, solver: first.solver, all: false, prune: true, keptNodes: 0 },
    targets: targetsOf(program, { kind: "property", properties: ["assertions"] }),
    limits: { maxStates: 1_000_000, maxDepth: 100_000 },
    cancellation,
    summarise: (symbols) =>
      createSummarise(symbols, second.solver, { seed: 1, undefinedBehaviour: "stop", unrolled: 0 }),
  };
  const start = performance.now();
  const cpu = process.cpuUsage();
  try {
    const { counts, targets } = explore(program, options);
    const used = process.cpuUsage(cpu);
    const cpuMs = (used.user + used.system) / 1000;
    const { states, runs } = counts;
    return { ms: performance.now() - start, cpuMs, states, runs, status: targets[0]!.status };
  } finally {
    first.solver.dispose();
    second.solver.dispose();
  }
}

/** Ratios in one run; returns what was missed. */
export async function benchSpeed(seconds: number): Promise<readonly string[]> {
  const missed: string[] = [];
  await explored(counting(10), "compact", seconds);
  const [small, large] = [
    await explored(counting(100), "compact", seconds),
    await explored(counting(1000), "compact", seconds),
  ];
  console.log(
    `compact, bound 100: ${small.states} states, ${small.ms.toFixed(0)} ms; bound 1,000: ${large.states} states, ${large.ms.toFixed(0)} ms`,
  );
  // States do not depend on how busy the machine is.
  if (large.states > small.states || large.status !== "unreachable") missed.push("compact grows with the bound");
  const classic = await explored(branching, "classic", seconds);
  const perSecond = (count: number, ms: number) => Math.round((1000 * count) / ms).toLocaleString("en-US");
  console.log(
    `classic: ${classic.states} states in ${classic.ms.toFixed(0)} ms, ${perSecond(classic.states, classic.ms)} a second`,
  );
  const concolic = await explored(branching, "concolic", seconds);
  console.log(
    `concolic: ${concolic.runs} executions in ${concolic.ms.toFixed(0)} ms, ${perSecond(concolic.runs, concolic.ms)} a second,` +
      ` ${perSecond(concolic.runs, concolic.cpuMs)} in a second of processor time (aim: 1,000)`,
  );
  return missed;
}
