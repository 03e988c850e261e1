import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { BinaryOperator, ComparisonOperator } from "../../ir/expression.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Connective } from "./connectives.ts";
import type { SwappedArguments } from "./swappedArguments.ts";

type PlaceOf<K extends VariedPlace["kind"]> = Extract<VariedPlace, { readonly kind: K }>;

/** A change of the program at one place, for all visits of it. `number` is that of the place among `VariedPlaces`. */
export type Edit =
  | {
      readonly kind: "comparison";
      readonly number: number;
      readonly place: PlaceOf<"comparison">;
      readonly to: ComparisonOperator;
    }
  | {
      readonly kind: "truth";
      readonly number: number;
      readonly place: PlaceOf<"condition">;
      readonly to: "negated" | "true" | "false";
    }
  | {
      readonly kind: "constant";
      readonly number: number;
      readonly place: PlaceOf<"constant">;
      readonly to: ScalarValue;
    }
  | {
      readonly kind: "operator";
      readonly number: number;
      readonly place: PlaceOf<"operator">;
      readonly to: BinaryOperator;
    }
  | {
      readonly kind: "value";
      readonly number: number;
      readonly place: PlaceOf<"value">;
      readonly to: ValueChange;
    }
  /** Another variable is read; `to` is its number among those that may have been meant. */
  | { readonly kind: "variable"; readonly number: number; readonly place: PlaceOf<"variable">; readonly to: number }
  /** A `switch` takes one value like another one. */
  | {
      readonly kind: "case";
      readonly number: number;
      readonly place: PlaceOf<"value">;
      readonly from: ScalarValue;
      readonly to: ScalarValue;
    }
  | { readonly kind: "skip"; readonly number: number; readonly place: PlaceOf<"statement"> }
  | { readonly kind: "connective"; readonly connective: Connective }
  /** The operands in the other order. */
  | { readonly kind: "order"; readonly number: number; readonly place: PlaceOf<"operator"> }
  | { readonly kind: "arguments"; readonly swap: SwappedArguments };

export type ValueChange = "plus one" | "minus one" | "zero" | "one" | "negated";

/** How much an edit changes: the smaller, the more it looks like a slip. */
export type EditSize = 0 | 1 | 2 | 3;

const neighbours: ReadonlySet<string> = new Set(["< <=", "<= <", "> >=", ">= >"]);

export function editSize(edit: Edit): EditSize {
  switch (edit.kind) {
    case "comparison":
      return neighbours.has(`${edit.place.expression.operator} ${edit.to}`) ? 0 : 1;
    case "constant":
      return Math.abs(Number(edit.to) - Number(edit.place.expression.value)) === 1 ? 0 : 1;
    case "operator":
    case "connective":
    case "case":
      return 1;
    case "truth":
      return edit.to === "negated" ? 1 : 3;
    case "variable":
    case "order":
    case "arguments":
      return 2;
    case "value":
      return edit.to === "plus one" || edit.to === "minus one" ? 1 : 2;
    case "skip":
      return 3;
  }
}
