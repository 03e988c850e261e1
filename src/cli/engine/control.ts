/**
 * What the main thread and the engine share while a command runs: a few numbers in shared memory, because the engine
 * does not answer messages while it works.
 */
export type Control = {
  readonly buffer: SharedArrayBuffer;
  /** Asks the engine to end in order; it looks now and then. */
  readonly stop: (reason: StopReason) => void;
  readonly stopReason: () => StopReason | null;
  /** Its first element is not zero when the engine is to stop. */
  readonly interrupt: Int32Array;
  readonly report: (phase: Phase) => void;
  readonly phase: () => Phase;
};

const reasons = ["interrupt", "timeout"] as const;
export type StopReason = (typeof reasons)[number];

const phases = [
  "loading",
  "running",
  "searching",
  "folding",
  "explaining",
  "checking",
  "shrinking",
  "printing",
] as const;
export type Phase = (typeof phases)[number];

export function newControl(buffer = new SharedArrayBuffer(8)): Control {
  const words = new Int32Array(buffer);
  return {
    buffer,
    interrupt: words,
    stop: (reason) => {
      Atomics.compareExchange(words, 0, 0, reasons.indexOf(reason) + 1);
    },
    stopReason: () => reasons[Atomics.load(words, 0) - 1] ?? null,
    report: (phase) => {
      Atomics.store(words, 1, phases.indexOf(phase));
    },
    phase: () => phases[Atomics.load(words, 1)] ?? "loading",
  };
}
