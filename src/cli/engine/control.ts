import { type SharedCancellation, sharedCancellation } from "../../base/cancellation.ts";

/**
 * What the main thread and the engine share while a command runs, in shared memory, because the engine does not answer
 * messages while it works.
 */
export type Control = {
  readonly shared: ControlBuffers;
  /** The engine ends in order once it is cancelled; it looks now and then. */
  readonly cancellation: SharedCancellation;
  readonly report: (phase: Phase) => void;
  readonly phase: () => Phase;
};

export type ControlBuffers = { readonly cancellation: SharedArrayBuffer; readonly phase: SharedArrayBuffer };

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

/** The engine's end is made from the buffers of the main thread's. */
export function newControl(shared?: ControlBuffers): Control {
  const cancellation = sharedCancellation(shared?.cancellation);
  const phase = shared?.phase ?? new SharedArrayBuffer(4);
  const words = new Int32Array(phase);
  return {
    shared: { cancellation: cancellation.buffer, phase },
    cancellation,
    report: (name) => {
      Atomics.store(words, 0, phases.indexOf(name));
    },
    phase: () => phases[Atomics.load(words, 0)] ?? "loading",
  };
}
