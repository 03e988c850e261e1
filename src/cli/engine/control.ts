/**
 * What the main thread and the engine share while a command runs: a few numbers in shared memory, because the engine
 * does not answer messages while it works.
 */
export type Control = {
  readonly buffer: SharedArrayBuffer;
  /** Asks the engine to end in order; it looks now and then. */
  readonly stop: (reason: StopReason) => void;
  readonly stopReason: () => StopReason | null;
  readonly report: (phase: Phase, steps: number) => void;
  readonly progress: () => { readonly phase: Phase; readonly steps: number };
};

const reasons = ["interrupt", "timeout"] as const;
export type StopReason = (typeof reasons)[number];

const phases = ["loading", "running", "printing"] as const;
export type Phase = (typeof phases)[number];

export function newControl(buffer = new SharedArrayBuffer(16)): Control {
  const words = new Int32Array(buffer, 0, 2);
  const steps = new Float64Array(buffer, 8, 1);
  return {
    buffer,
    stop: (reason) => {
      Atomics.compareExchange(words, 0, 0, reasons.indexOf(reason) + 1);
    },
    stopReason: () => reasons[Atomics.load(words, 0) - 1] ?? null,
    report: (phase, count) => {
      Atomics.store(words, 1, phases.indexOf(phase));
      steps[0] = count;
    },
    progress: () => ({ phase: phases[Atomics.load(words, 1)] ?? "loading", steps: steps[0]! }),
  };
}
