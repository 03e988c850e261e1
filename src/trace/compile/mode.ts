import type { ScalarValue } from "../../ir/scalarValue.ts";

/** What generated code does besides running the program. Each combination is compiled on demand. */
export type CompileMode = {
  /** `wrap`: signed overflow and shifts of signed values continue in two's complement. */
  readonly undefinedBehaviour: "stop" | "wrap";
  /** Log one number for each path; see `paths.ts`. */
  readonly record: boolean;
  /** Report every value that is written (replay only). */
  readonly writes: boolean;
  /** Track who wrote what each step reads (replay only); see `dependence/tracker.ts`. Not together with `record`. */
  readonly dependence?: boolean;
  /** Look up what to do differently (re-runs only); see `vary/variation.ts`. Not together with `record`. */
  readonly vary?: boolean;
  /** With `vary`: the program is changed already, and nothing else is. It counts what a re-run counts. */
  readonly asItIs?: boolean;
  /** With `vary`: other variables may be read as well, which makes every run slower. */
  readonly otherVariables?: boolean;
  /** With `vary`: edges that count the run as past a place. */
  readonly watch?: { readonly function: number; readonly edges: ReadonlySet<number> };
  /** With `vary`: other functions at which a re-run may begin. */
  readonly entries?: readonly number[];
  /** With `vary`: hands out what is needed to go on from there wherever the run is polled; see `vary/checkpoint.ts`. */
  readonly captures?: boolean;
  /** With `vary`: where runs go on from checkpoints. */
  readonly resumes?: readonly ResumePoint[];
  /** Where to hand out the state (replay only). */
  readonly hooks: Hooks | null;
};

/** Where a function was under way: at its entry, at a location, or in a call that has not returned. */
export type ResumePoint = {
  readonly function: number;
  readonly kind: "entry" | "location" | "call";
  /** The location, or the edge of the call; -1 for the entry. */
  readonly at: number;
};

/** One function under way: where (a number of `resumes`), in which activation, and what its variables hold. */
export type SavedFrame = {
  readonly point: number;
  readonly activation: number;
  readonly values: readonly SavedValue[];
};

/** A list has pointers to what `alloca` gave. */
export type SavedValue = ScalarValue | undefined | readonly number[];

/** Observation points by function. Their numbers are what the callback receives. */
export type Hooks = ReadonlyMap<number, FunctionHooks>;

export type FunctionHooks = {
  /** By location: every time control arrives there. */
  readonly locations: ReadonlyMap<number, number>;
  /** By edge: after the choice for a branch, else before the operation. */
  readonly before: ReadonlyMap<number, number>;
  /** By edge: after the operation; for a call, when it has returned. Never for `return` and `fail`. */
  readonly after: ReadonlyMap<number, number>;
};
