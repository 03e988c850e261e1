import type { SourceRange } from "../../base/sourceRange.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { Function } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Edit, EditSize } from "./edit.ts";
import type { ExperimentEffect } from "./experimentRunner.ts";
import type { Omission } from "./omissions.ts";

/** A line that may be the cause of a failure, with the effects of changes there. */
export type SuspectedLine = {
  readonly function: Function;
  /** The part of the line that the best experiment changes, otherwise its first executed part. */
  readonly range: SourceRange;
  /** All successful edits, best first. */
  readonly edits: readonly WhatIfOf<"edit">[];
  /** The best experiment of each kind; all null if the failure merely depends on the line. */
  readonly edit: WhatIfOf<"edit"> | null;
  readonly flip: WhatIfOf<"flip"> | null;
  readonly value: WhatIfOf<"value"> | null;
  /** The experiment to show: the edit, else the flip, else the value. */
  readonly whatIf: TriedChange | null;
  /** A write that it prevented and that would have mattered, or null. */
  readonly omission: Omission | null;
  /** True for test code, which is suspected last. */
  readonly inTest: boolean;
  /** The smallest number of line changes on a dependence path to the failure; -1 if there is none. */
  readonly distance: number;
  /** Its last step in the run. */
  readonly lastStep: number;
  /** The probability that it is the cause, estimated by experiments; the sum over all suspects is 1. */
  readonly weight: number;
};

export type TriedChange = ExperimentEffect & Change;

type Change =
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
  /** The program was changed at one place. `broken` of `asked` passing runs then fail. */
  | {
      readonly kind: "edit";
      readonly edit: Edit;
      readonly size: EditSize;
      readonly broken: number;
      readonly asked: number;
    };

export type WhatIfOf<K extends TriedChange["kind"]> = Extract<TriedChange, { readonly kind: K }>;
