import type { ScalarValue } from "../../ir/scalarValue.ts";

/**
 * What a re-run does differently, as code compiled with `mode.vary` looks it up. `numbers` is small and stays in reach: `[0]`
 * instances of conditions and values so far, `[1]` the one to override (0 for none), `[2]` the place to edit (-1 for none), `[3]`
 * how often the run got past the watched place, `[4]` calls under way of functions that call others, `[5]` how many there may be.
 */
export type Variation = {
  readonly numbers: Int32Array;
  /** For the overridden value. An overridden condition is negated. */
  value: ScalarValue;
  /** For the edited place: of a condition or value its other value, of a comparison or operator that of its operands. */
  edit: (first: ScalarValue, second: ScalarValue) => ScalarValue;
  /** `numbers[5]` becomes the number of calls under way at most. */
  measuresDepth: boolean;
  /** For an edited constant. */
  constant: ScalarValue;
  /** Where there is one: the instances of the run, in order. */
  readonly log: InstanceLog | null;
};

/** The instances of conditions and values of a run: all those from a step on, and of each place the first and how many. */
export type InstanceLog = {
  readonly from: number;
  /** Number `n` is at `n - offset` of the lists; the first instance of a run has number 1. */
  offset: number;
  used: number;
  place: Int32Array;
  step: Int32Array;
  /** By place: the number of its first instance, or 0; its step; and how many there are. */
  readonly firstNumber: Int32Array;
  readonly firstStep: Int32Array;
  readonly count: Int32Array;
};

export function createInstanceLog(from: number, places: number): InstanceLog {
  return {
    from,
    offset: 1,
    used: 0,
    place: new Int32Array(1024),
    step: new Int32Array(1024),
    firstNumber: new Int32Array(places),
    firstStep: new Int32Array(places),
    count: new Int32Array(places),
  };
}

export function createVariation(log: InstanceLog | null = null): Variation {
  return {
    numbers: Int32Array.of(0, 0, -1, 0, 0, 2 ** 30),
    value: 0,
    measuresDepth: false,
    edit: (first) => first,
    constant: 0,
    log,
  };
}
