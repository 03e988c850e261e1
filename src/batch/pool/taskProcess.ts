import { endProcess } from "../../base/cancellation.ts";
import type { Engine } from "../../engine/startEngine.ts";
import { startEngineThread } from "../../engine/startEngine.ts";
import type { CommandLine } from "../task.ts";
import { doTask } from "./doTask.ts";

/** A process of the pool: it does one task after the other in one warm thread. */
const thread = startEngineThread();
let engine: Engine<unknown> | null = null;

process.on("message", async (line: CommandLine) => {
  const summary = await doTask(line, thread, (started) => {
    engine = started;
  });
  engine = null;
  process.send?.(summary);
});

// The pool is gone, whatever ended it: so are its tasks and their solvers.
process.on("disconnect", () => {
  engine?.end();
  endProcess(-process.pid);
});

process.send?.("ready");
