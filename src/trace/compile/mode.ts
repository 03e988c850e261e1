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
  /** Where to hand out the state (replay only). */
  readonly hooks: Hooks | null;
};

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
