import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { directoryVariable, type RecorderSettings, settingsFile } from "./logFormat.ts";
import { createLogWriter } from "./logWriter.ts";
import { createRecorder, type Recorder } from "./runtime.ts";

const key = Symbol.for("tracefold.recorder");

/** The recorder of this global scope, made at first use; null where nothing is to be recorded. */
export function installRecorder(): Recorder | null {
  const scope = globalThis as { [key]?: Recorder };
  if (scope[key] !== undefined) return scope[key];
  const directory = process.env[directoryVariable];
  const settings = directory === undefined ? null : readSettings(directory);
  if (directory === undefined || settings === null) return null;
  const logs = join(directory, "logs");
  mkdirSync(logs, { recursive: true });
  // Worker threads and contexts of one process each have a log.
  let path: string;
  let attempt = 0;
  do path = join(logs, `${process.pid}-${threadId}-${attempt++}.tflog`);
  while (existsSync(path));
  const recorder = createRecorder(createLogWriter(path, settings.maxBytes), settings.quota);
  Object.defineProperty(globalThis, key, { value: recorder, configurable: true });
  for (const [name, value] of Object.entries(recorder.wrappers))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  process.on("exit", () => recorder.flush());
  // Whoever is interrupted has run up to there. Other listeners decide what happens; without any it is what always happens.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const ended = (): void => {
      recorder.flush();
      if (process.listenerCount(signal) > 1) return;
      process.removeListener(signal, ended);
      process.kill(process.pid, signal);
    };
    process.on(signal, ended);
  }
  return recorder;
}

export function readSettings(directory: string): RecorderSettings | null {
  const path = join(directory, settingsFile);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as RecorderSettings) : null;
}
