import type { PrintedPlace, PrintValue } from "../../analyses/counterfactual/describeChange.ts";
import type { LiteralStyle, LiteralStyles } from "./literalStyles.ts";
import { printValue } from "./printValue.ts";

/** Values of experiments as the source writes what they are the values of. */
export function valuePrinter(styles: LiteralStyles): PrintValue {
  return (place, value) => {
    const type = place.kind === "value" ? place.type : place.expression.type;
    const isNamed = type.kind !== "int" || type.numbersFrom === undefined || BigInt(value) < type.numbersFrom;
    const hasText = isNamed || type.enumerators?.some((each) => each.value === BigInt(value));
    return hasText ? printValue(value, type, styleOf(styles, place)) : null;
  };
}

function styleOf(styles: LiteralStyles, place: PrintedPlace): LiteralStyle {
  const own = place.expression === null ? plain : styles.of(place.expression);
  if (own.kind !== "decimal" || place.kind === "constant") return own;
  const { operation } = place.edge;
  switch (operation.kind) {
    case "assign":
    case "callLibrary":
      return operation.target === null || place.use !== "assigned" ? own : styles.ofVariable(operation.target);
    case "store":
      return place.use === "stored" ? styles.ofAddress(operation.address) : own;
    case "return":
      return styles.ofResult(place.function.id);
    default:
      return own;
  }
}

const plain: LiteralStyle = { kind: "decimal" };
