import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { openTargets } from "../../src/analyses/explore/openTargets.ts";
import { targetsOf } from "../../src/analyses/explore/target.ts";
import { cancelledAfter } from "../../src/base/cancellation.ts";
import { loadC } from "../../src/c/cFrontEnd.ts";
import { exploreProgram } from "../../src/commands/explore/pipeline.ts";
import { randomInputs } from "../../src/interpreter/inputs.ts";
import { createWarmRecorder } from "../../src/interpreter/rerun/rerun.ts";
import type { Program } from "../../src/ir/program.ts";

/** Programs of SV-COMP'13 in which much depends on inputs. */
const programs = [
  "ssh-simplified/s3_clnt_1_unsafe.cil.c",
  "ssh-simplified/s3_srvr_6_unsafe.cil.c",
  "ntdrivers-simplified/cdaudio_simpl1_unsafe.cil.c",
  "ntdrivers-simplified/floppy_simpl3_unsafe.cil.c",
  "loops/token_ring01_unsafe.i",
];

const goal = { kind: "cover", unit: "branches" } as const;
const run = { undefinedBehaviour: "wrap", maxSteps: 20_000 } as const;

/** Branches covered after so many seconds by exploration, and by runs with random inputs alone. */
export async function benchCoverage(folder: string, seconds: number): Promise<void> {
  for (const name of programs) {
    const path = join(folder, name);
    if (!existsSync(path)) {
      console.log(`${name}: not found`);
      continue;
    }
    const program = await loadC(path, { uninitialized: "input", undefined: "input", dataModel: "ILP32" });
    const all = targetsOf(program, goal).length;
    const [ours, random] = [byExploring(program, seconds), byRandomRuns(program, seconds)];
    console.log(
      `${basename(name).padEnd(36)} ${all} branches: explore ${ours}, random runs ${random.covered} (${random.runs} runs)`,
    );
  }
}

function byExploring(program: Program, seconds: number): number {
  const cancellation = cancelledAfter(seconds * 1000);
  const { targets } = exploreProgram(program, {
    goal,
    ...{ mode: "auto", searcher: "coverage", seed: 1, runs: 20_000, maxStates: 1_000_000, maxDepth: 20_000 },
    ...{ all: false, wholeTree: false, seconds, cancellation },
    run: { ...run, cancellation },
  });
  return targets.filter(({ status }) => status === "reached").length;
}

function byRandomRuns(program: Program, seconds: number): { readonly covered: number; readonly runs: number } {
  const cancellation = cancelledAfter(seconds * 1000);
  const targets = openTargets(program, targetsOf(program, goal), false);
  const recorder = createWarmRecorder(program, run);
  let runs = 0;
  for (; !cancellation.isCancelled(); runs++) targets.meet(recorder.record({ ...run, inputs: randomInputs(runs + 1) }));
  return { covered: targets.reached.size, runs };
}
