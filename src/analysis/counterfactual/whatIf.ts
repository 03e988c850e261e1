import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Edit, EditSize } from "./edit.ts";
import type { Effect } from "./laboratory.ts";

/** An experiment that made a difference: a re-run of the failing run with one change. Never level 0. */
export type WhatIf = Effect & Change;

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

export type WhatIfOf<K extends WhatIf["kind"]> = Extract<WhatIf, { readonly kind: K }>;
