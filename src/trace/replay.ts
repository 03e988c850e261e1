import type { CompileMode } from "./compile/mode.ts";
import { type Execution, execute } from "./run.ts";
import type { RunOptions, Watching } from "./runOptions.ts";
import type { Trace } from "./trace.ts";

/** Runs a trace again, bit for bit. Limits of time do not apply; a run that one of them ended, ends where it did. */
export function replay(
  trace: Trace,
  mode: Omit<CompileMode, "undefinedBehaviour">,
  watching: Watching = {},
): Execution {
  const { settings, outcome } = trace;
  const cutShort = outcome.kind === "limit" && outcome.limit !== "steps" && outcome.limit !== "memory";
  const options: RunOptions = {
    args: settings.args,
    ...(settings.programName === null ? {} : { programName: settings.programName }),
    stdin: settings.stdin,
    files: settings.files,
    ...(settings.expected === null ? {} : { expected: settings.expected }),
    maxSteps: cutShort ? trace.steps - 1 : settings.maxSteps,
    maxMemory: settings.maxMemory,
  };
  return execute(
    trace.program,
    options,
    { ...mode, undefinedBehaviour: settings.undefinedBehaviour },
    { ...watching, inputs: trace.inputs },
  );
}
