import type { SourceRange } from "../../base/sourceRange.ts";
import type { Change } from "../../changes/change.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { Function } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Evidence } from "./evidence.ts";
import type { ExperimentEffect } from "./experimentRunner.ts";
import type { Omission } from "./omissions.ts";

/** A line that may be the cause of a failure, with the effects of changes there. */
export type SuspectedLine = {
  readonly function: Function;
  /** The part of the line that the best experiment changes, otherwise its first executed part. */
  readonly range: SourceRange;
  /** All changes of the text that helped, best first. */
  readonly changes: readonly WhatIfOf<"change">[];
  /** The best experiment of each kind; all null if the failure merely depends on the line. */
  readonly change: WhatIfOf<"change"> | null;
  readonly flip: WhatIfOf<"flip"> | null;
  readonly value: WhatIfOf<"value"> | null;
  /** The experiment to show: the change, else the flip, else the value. */
  readonly whatIf: TriedChange | null;
  /** A write that it prevented and that would have mattered, or null. */
  readonly omission: Omission | null;
  /** True for test code, which is suspected last. */
  readonly inTest: boolean;
  /** The smallest number of line changes on a dependence path to the failure; -1 if there is none. */
  readonly distance: number;
  /** Its last step in the run. */
  readonly lastStep: number;
  /**
   * `sure`: no other line has a change that passes all tests, or none is nearly as likely. `possible`: one of a few.
   * `none`: no change here passes all tests.
   */
  readonly certainty: "sure" | "possible" | "none";
  /** The features of the line that its place in the order comes from. */
  readonly evidence: Evidence;
  /** The probability that it is the cause, estimated by experiments; the sum over all suspects is 1. */
  readonly weight: number;
};

export type TriedChange = ExperimentEffect & Experiment;

type Experiment =
  /** One visit of a condition had the other outcome. `distance`: the distance between the sides of its comparison. */
  | {
      readonly kind: "flip";
      readonly place: Extract<VariedPlace, { readonly kind: "condition" }>;
      readonly step: number;
      /** The number of earlier visits of the place. */
      readonly visit: number;
      readonly distance: number;
    }
  /** One value was replaced. */
  | {
      readonly kind: "value";
      readonly place: Extract<VariedPlace, { readonly kind: "value" }>;
      readonly step: number;
      readonly visit: number;
      readonly from: ScalarValue;
      readonly to: ScalarValue;
    }
  /** The program's text was changed. `broken` names those of the `asked` other tests that then fail. */
  | {
      readonly kind: "change";
      readonly change: Change;
      readonly asked: number;
      readonly broken: readonly string[];
      /** The tests that failed before in another way, and still fail. */
      readonly stillFailing: readonly string[];
      /** The share of votes for its behaviour on other inputs, among the changes that pass all tests. */
      readonly agreement: number;
      /** True if the changed text was loaded and run as a program of its own. */
      readonly confirmed: boolean;
    };

export type WhatIfOf<K extends TriedChange["kind"]> = Extract<TriedChange, { readonly kind: K }>;
