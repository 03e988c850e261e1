import type { SourceRange } from "../../base/sourceRange.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { Function } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Edit, EditSize } from "./edit.ts";
import type { ExperimentEffect } from "./experimentRunner.ts";
import type { Omission } from "./omissions.ts";

/** A line of the program that may be the cause of a failure, with what would have happened with a change there. */
export type SuspectedLine = {
  readonly function: Function;
  /** The part of the line that the best experiment changes, else the first part of it that was executed. */
  readonly range: SourceRange;
  /** All edits that helped, the best first. */
  readonly edits: readonly WhatIfOf<"edit">[];
  /** The best experiment of each kind; all null for a line that the failure merely depends on. */
  readonly edit: WhatIfOf<"edit"> | null;
  readonly flip: WhatIfOf<"flip"> | null;
  readonly value: WhatIfOf<"value"> | null;
  /** The one to tell: the edit where there is one, else the flip, else the value. */
  readonly whatIf: TriedChange | null;
  /** What it kept from being written, where that would have mattered; null for nothing. */
  readonly omission: Omission | null;
  /** In test code: suspected last. */
  readonly inTest: boolean;
  /** Fewest changes of line on a way of dependences to the failure; -1 where there is none. */
  readonly distance: number;
  /** Its last step in the run. */
  readonly lastStep: number;
  /** How likely it is the cause, as far as experiments can tell: the weights of all suspects are 1 together. */
  readonly weight: number;
};

/** An experiment that made a difference: a re-run of the failing run with one change. Never level 0. */
export type TriedChange = ExperimentEffect & Change;

type Change =
  /** One visit of a condition had the other outcome. `distance`: how far the sides of its comparison were apart. */
  | {
      readonly kind: "flip";
      readonly place: Extract<VariedPlace, { readonly kind: "condition" }>;
      readonly step: number;
      /** How many visits of the place came before. */
      readonly visit: number;
      readonly distance: number;
    }
  /** One value was another one. */
  | {
      readonly kind: "value";
      readonly place: Extract<VariedPlace, { readonly kind: "value" }>;
      readonly step: number;
      readonly visit: number;
      readonly from: ScalarValue;
      readonly to: ScalarValue;
    }
  /** The program was changed at one place. Of `asked` runs that pass, `broken` then fail. */
  | {
      readonly kind: "edit";
      readonly edit: Edit;
      readonly size: EditSize;
      readonly broken: number;
      readonly asked: number;
    };

export type WhatIfOf<K extends TriedChange["kind"]> = Extract<TriedChange, { readonly kind: K }>;
