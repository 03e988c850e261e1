import type { Change } from "../../changes/change.ts";
import type { TestOutcome } from "../runners/runner.ts";
import type { RunnerSession } from "../runners/session.ts";
import type { Survey } from "./surveyTests.ts";

/** A change with which the failing test passes. */
export type PassingJsChange = {
  readonly change: Change;
  /** The other tests that ran with it, and the names of those that fail then. */
  readonly asked: number;
  readonly broken: readonly string[];
  /** The part of the other failing tests that pass with it; null if it is not known. */
  readonly repairs: number | null;
  /** Tests that failed before, and still fail; known if it is confirmed. */
  readonly stillFailing: readonly string[];
  /** True if the source was really changed and run by the runner; `asked` and `broken` are from there. */
  readonly isConfirmed: boolean;
};

export type JsJudgement = {
  /** Likeliest first, by line. */
  readonly lines: readonly {
    readonly file: string;
    readonly line: number;
    readonly score: number;
    readonly changes: readonly PassingJsChange[];
  }[];
  /** How much the tests speak against a line that the failing one reached; 0 if nothing is known of it. */
  readonly suspicion: (file: string, line: number) => number;
  readonly proposed: number;
  readonly tried: number;
  readonly reruns: number;
  /** False if the budget ended the search. */
  readonly complete: boolean;
  /** Why fewer changes were tried; null if nothing is to be said. */
  readonly notice: string | null;
};

export const notJudged: JsJudgement = {
  ...{ lines: [], suspicion: () => 0, proposed: 0, tried: 0, reruns: 0, complete: false, notice: null },
};

export type JudgeRequest = {
  readonly session: RunnerSession;
  readonly target: TestOutcome;
  readonly survey: Survey;
  /** Milliseconds of processor time for re-runs. */
  readonly budget: number;
  /** The number of changes to confirm. */
  readonly confirm: number;
  /** Places to try first have small numbers; those that are not known come last. */
  readonly rank?: (file: string, line: number) => number;
  /** True for lines that the failure depends on; only there a change that needs a process of its own is tried. */
  readonly isRelated?: (file: string, line: number) => boolean;
};

/** What tests say about a change with which the target passes. */
export type JsVerdict = Pick<PassingJsChange, "asked" | "broken" | "repairs">;
