import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { VariedPlace } from "../../trace/vary/places.ts";

/** A value as the source would write it at a place. */
export type PrintValue = (place: PrintedPlace, value: ScalarValue) => string;

export type PrintedPlace = Extract<VariedPlace, { readonly kind: "value" | "constant" }>;
