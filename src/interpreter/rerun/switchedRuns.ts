import type { Selection } from "../../frontEnd/frontEnd.ts";
import type { FunctionId, Program } from "../../ir/program.ts";
import { compileProgram } from "../compile/compileProgram.ts";
import type { CompileMode } from "../compile/context.ts";
import { createWarmMachine } from "../createMachine.ts";
import { plainMode, type RunOptions } from "../run.ts";
import { type Rerun, rerun, runFromStart } from "./rerun.ts";

/** Runs a program with several versions of its parts, repeatedly and warm. */
export type SwitchedRuns = {
  run(options: RunOptions & { readonly entry?: FunctionId }, versions: readonly Selection[]): Rerun;
};

export type SwitchedMode = Pick<RunOptions, "undefinedBehaviour" | "maxMemory"> &
  Pick<CompileMode, "watch" | "entries">;

/** Only what a run used is cleared, so large arrays cost nothing unless they are written. */
const largestMemory = 2 ** 30;

export function createSwitchedRuns(program: Program, mode: SwitchedMode): SwitchedRuns {
  const { undefinedBehaviour = "stop", maxMemory = largestMemory, ...watching } = mode;
  const compiled = compileProgram(program, { ...plainMode, undefinedBehaviour, ...watching });
  const { machine, running, prepare } = createWarmMachine(program, { maxMemory }, compiled);
  return {
    run(options, versions) {
      prepare(options);
      for (const { site, alternative } of versions) {
        const register = program.choices?.get(site);
        // Without a register, no run reaches the site.
        if (register !== undefined) running.writeStatic(register, alternative);
      }
      return rerun(machine, () => runFromStart(machine, running, options));
    },
  };
}
