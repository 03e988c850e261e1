import type { Program } from "../../ir/program.ts";
import { compileProgram } from "../compile/compileProgram.ts";
import { createMachine, prepareMachine } from "../createMachine.ts";
import { restoreSnapshot, takeSnapshot } from "../memory/snapshot.ts";
import { collectLog, plainMode, type RunOptions, type RunResult, runToEnd } from "../run.ts";
import { settingsOf, type Trace, traceOf } from "../trace.ts";

/** Runs one program again and again in one machine: thousands of short runs a second. What they print is thrown away. */
export type WarmRuns = {
  run(options: RunOptions): RunResult;
};

/** The same with a record of each run. */
export type WarmRecorder = {
  record(options: RunOptions): Trace;
};

type WarmSettings = Pick<RunOptions, "undefinedBehaviour" | "maxMemory">;

export function createWarmRuns(program: Program, settings: WarmSettings): WarmRuns {
  const { run } = warmMachine(program, settings, false);
  return { run: (options) => run(options).result };
}

export function createWarmRecorder(program: Program, settings: WarmSettings): WarmRecorder {
  const { run, blocks } = warmMachine(program, settings, true);
  return {
    record(options) {
      const { result, paths } = run(options);
      return traceOf(program, blocks, paths, result, settingsOf({ ...options, ...settings }));
    },
  };
}

function warmMachine(program: Program, settings: WarmSettings, record: boolean) {
  const mode = { ...plainMode, undefinedBehaviour: settings.undefinedBehaviour ?? "stop", record };
  const compiled = compileProgram(program, mode);
  const machine = createMachine(program, settings, compiled, {});
  const snapshot = takeSnapshot(machine.memory);
  const running = compiled.start(machine);
  const nothing = new Uint8Array(0);
  // Nobody looks at what such a run leaves behind.
  const unseen = { stdout: nothing, stderr: nothing, files: new Map(), outsidePaths: [] };
  return {
    blocks: compiled.blocks,
    run(options: RunOptions) {
      restoreSnapshot(machine.memory, snapshot);
      running.reset();
      prepareMachine(machine, { ...options, onOutput: () => undefined });
      // Nobody looks at the stacks of what ends a run, and collecting them takes longer than a short run.
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      try {
        const { outcome, steps } = runToEnd(machine, running, options);
        const result: RunResult = { outcome, steps, inputs: [...machine.inputs], ...unseen };
        return { result, paths: record ? collectLog(machine) : [] };
      } finally {
        Error.stackTraceLimit = limit;
      }
    },
  };
}
