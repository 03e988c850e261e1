import type { Expr } from "../../concolic/expr.ts";
import { applyBinary, applyUnary, type Concrete, unknownValue } from "../../js/recorder/language.ts";
import type { ObjectState } from "../../js/recorder/readCalls.ts";

/** A term over `this` in a recorded state of the object. */
export function valueInState(expr: Expr, state: ObjectState): Concrete {
  switch (expr.kind) {
    case "const":
      return expr.value;
    case "this":
      return state.object;
    case "unary":
      return applyUnary(expr.operator, valueInState(expr.operand, state));
    case "binary":
      return applyBinary(expr.operator, valueInState(expr.left, state), valueInState(expr.right, state));
    case "field":
      if (expr.base.kind === "this") {
        const property = state.properties.get(expr.name);
        return property === undefined ? unknownValue : property.value;
      }
      if (expr.base.kind === "field" && expr.base.base.kind === "this") {
        const property = state.properties.get(expr.base.name);
        const size = expr.name === "length" ? property?.length : expr.name === "size" ? property?.size : null;
        return size ?? unknownValue;
      }
      return unknownValue;
    case "element": {
      if (expr.base.kind !== "field" || expr.base.base.kind !== "this") return unknownValue;
      const property = state.properties.get(expr.base.name);
      const index = valueInState(expr.index, state);
      if (property === undefined || property.length === null || typeof index !== "number") return unknownValue;
      if (index >= property.elements.length) return index >= property.length ? undefined : unknownValue;
      return property.elements[index];
    }
    default:
      return unknownValue;
  }
}
