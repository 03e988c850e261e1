import { type Exploration, explore } from "../../src/analyses/explore/explore.ts";
import { targetsOf } from "../../src/analyses/explore/target.ts";
import { createSummarise } from "../../src/analyses/explore/templates/summarise.ts";
import { cancelledAfter } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import type { LoopProgram } from "./loopPrograms.ts";

export type TableRow = {
  readonly program: LoopProgram;
  readonly compact: Result;
  readonly classic: Result;
};

export type Result = { readonly states: number; readonly status: string; readonly failed: number; readonly ms: number };

/** Both trees breadth first, as in the paper; no runs before. */
export async function tableRow(program: LoopProgram, seconds: number, states: number): Promise<TableRow> {
  return {
    program,
    compact: await explored(program, "compact", seconds, states),
    classic: await explored(program, "classic", seconds, states),
  };
}

async function explored(
  { source }: LoopProgram,
  mode: "compact" | "classic",
  seconds: number,
  maxStates: number,
): Promise<Result> {
  const program = await loadCText("p.c", source, { uninitialized: "input" });
  const cancellation = cancelledAfter(seconds * 1000);
  const [first, second] = [createSolver({ cache: false, cancellation }), createSolver({ cancellation })];
  const start = performance.now();
  try {
    const result: Exploration = explore(program, {
      mode,
      searcher: "bfs",
      seed: 1,
      targets: targetsOf(program, { kind: "property", properties: ["assertions"] }),
      limits: { maxStates, maxDepth: 100_000 },
      run: {},
      solver: first.solver,
      all: false,
      prune: true,
      keptNodes: 0,
      cancellation,
      summarise: (symbols) =>
        createSummarise(symbols, second.solver, { seed: 1, undefinedBehaviour: "stop", unrolled: 0 }),
    });
    const ms = performance.now() - start;
    return { states: result.counts.states, status: result.targets[0]!.status, failed: result.tree.failedLeaves, ms };
  } finally {
    first.solver.dispose();
    second.solver.dispose();
  }
}
