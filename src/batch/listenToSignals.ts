import { exitCodes } from "../commands/output.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal stops the batch, which keeps its results; the second one ends it at once. */
export function listenToSignals() {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const listeners = signals.map((signal) => {
    const listener = () => {
      if (ending.signal !== null) process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
      ending.signal = signal;
      stop();
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  const ending = {
    signal: null as (typeof signals)[number] | null,
    stopListening() {
      for (const end of listeners) end();
    },
  };
  return { stopped, ending };
}
