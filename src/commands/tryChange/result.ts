/** A file of a program as it is on disk, and as it would be. Paths are those of the program. */
export type ChangedFile = { readonly path: string; readonly was: string; readonly now: string };

/** How the tests end with a change that is on no disk. */
export type TryResult =
  | {
      readonly kind: "ran";
      /** The test or run that was to be repaired. */
      readonly target: TriedTest;
      /** Tests that ran with the change, and those of them that pass. */
      readonly ran: number;
      readonly passed: number;
      /** Tests that passed before and fail with it. */
      readonly broken: readonly TriedTest[];
      readonly stillFailing: readonly TriedTest[];
      /** Tests that passed before and did not end with it. */
      readonly notRun: readonly string[];
    }
  /** The changed text is no program, or no test loads it. */
  | { readonly kind: "notRun"; readonly reason: string };

/** `message`: how it ends. */
export type TriedTest = { readonly name: string; readonly passes: boolean; readonly message: string };
