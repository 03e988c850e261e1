import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";

/** A value as the source would write it at a place; null where the language has no text for it. */
export type PrintValue = (place: PrintedPlace, value: ScalarValue) => string | null;

export type PrintedPlace = Extract<VariedPlace, { readonly kind: "value" | "constant" }>;
