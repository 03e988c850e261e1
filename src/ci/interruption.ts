import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { endProcess, endProcesses, type SharedCancellation, sharedCancellation } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import type { Ending } from "../engine/message.ts";
import type { Engine } from "../engine/startEngine.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type EndingSignal = (typeof signals)[number];

/** Somebody presses Ctrl-C or ends the job: the first signal asks the work to end, the second one ends it at once. */
export type Interruption = {
  /** The signal that came; null before. */
  readonly signal: () => EndingSignal | null;
  /** For work in this thread, and its processes. */
  readonly cancellation: SharedCancellation;
  /** Waits for work that can be asked to end. */
  during<Result>(work: Promise<Result>, ways: WaysToEnd): Promise<Result>;
  /** No longer listens. */
  close(): void;
};

type WaysToEnd = { stop(signal: EndingSignal): void; end(): void };

/** `cleanUp` comes before the end that a second signal brings. */
export function listenForSignals(cleanUp: () => void): Interruption {
  const cancellation = sharedCancellation();
  const running = new Set<WaysToEnd>();
  let came: EndingSignal | null = null;
  const hear = (signal: EndingSignal): void => {
    if (came === null) {
      came = signal;
      cancellation.cancel(signal === "SIGINT" ? "interrupt" : "terminate");
      for (const work of running) work.stop(signal);
      return;
    }
    for (const work of running) work.end();
    endProcesses(present(cancellation.processes));
    cleanUp();
    process.exit(exitCodeOf(signal));
  };
  for (const signal of signals) process.on(signal, hear);
  return {
    signal: () => came,
    cancellation,
    async during(work, ways) {
      running.add(ways);
      if (came !== null) ways.stop(came);
      try {
        return await work;
      } finally {
        running.delete(ways);
      }
    },
    close() {
      for (const signal of signals) process.off(signal, hear);
    },
  };
}

/** As shells have it: 130, 143 and 129. */
export function exitCodeOf(signal: EndingSignal): number {
  return 128 + constants.signals[signal];
}

export async function endingOf<Answer>(engine: Engine<Answer>, interruption: Interruption): Promise<Ending<Answer>> {
  const stop = (signal: EndingSignal) => engine.stop(signal === "SIGINT" ? "interrupt" : "terminate");
  return interruption.during(engine.ending, { stop, end: engine.end });
}

/** Runs a command in a process group of its own. A signal goes to all of the group, and after a while ends it. */
export async function runInGroup(
  [command = "", ...words]: readonly string[],
  options: SpawnOptions,
  interruption: Interruption,
  started: (child: ChildProcess) => void = () => {},
): Promise<number | null> {
  const child = spawn(command, words, { ...options, detached: true });
  started(child);
  const toGroup = (signal: EndingSignal | "SIGKILL") => {
    if (child.pid !== undefined) endProcess(-child.pid, signal);
  };
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let patience: NodeJS.Timeout | undefined;
  const stop = (signal: EndingSignal) => {
    toGroup(signal);
    patience = setTimeout(toGroup, patienceMs, "SIGKILL");
  };
  try {
    return await interruption.during(ended, { stop, end: () => toGroup("SIGKILL") });
  } finally {
    clearTimeout(patience);
    // What the command started may not have heard the signal.
    if (interruption.signal() !== null) toGroup("SIGKILL");
  }
}

const patienceMs = 2000;
