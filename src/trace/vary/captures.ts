import type { SavedValue } from "../compile/mode.ts";

/** What code compiled with `mode.captures` uses. */
export type Captures = {
  /** Four entries for each call under way: function, edge, activation, values. */
  readonly callers: (number | readonly SavedValue[])[];
  /** So far. */
  activations: number;
  /** The run was just polled, in this function, at its entry (`at` is -1) or at a location. */
  keep(fn: number, kind: "entry" | "location", at: number, activation: number, values: readonly SavedValue[]): void;
};
