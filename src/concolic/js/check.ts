import { applyBinary, applyUnary, type Concrete, sameValue, unknownValue } from "../../js/recorder/language.ts";
import type { Recorded } from "../../js/recorder/recorded.ts";
import type { EntryExpr } from "../expr.ts";

type Entry = ReadonlyMap<string, { readonly value: Recorded }>;

/**
 * A term's value in the state at entry (paper 002 §3.2: instantiating the symbolic result must give the concrete one).
 * Unknown for loop variables, new objects and what is opaque. Calls have the value that was seen.
 */
export function valueAtEntry(expr: EntryExpr, entry: Entry): Concrete {
  switch (expr.kind) {
    case "const":
      return expr.value;
    case "unary":
      return applyUnary(expr.operator, valueAtEntry(expr.operand, entry));
    case "binary": {
      if (expr.operator === "in" || expr.operator === "instanceof") return unknownValue;
      return applyBinary(expr.operator, valueAtEntry(expr.left, entry), valueAtEntry(expr.right, entry));
    }
    case "param":
    case "this":
    case "free":
    case "field":
    case "element":
    case "call": {
      const found = entry.get(expr.key);
      return found === undefined ? unknownValue : found.value;
    }
    case "new":
    case "loop":
    case "opaque":
      return unknownValue;
  }
}

/** Whether the term has the recorded value: null where that cannot be said. */
export function commutes(expr: EntryExpr, entry: Entry, recorded: Concrete): boolean | null {
  const value = valueAtEntry(expr, entry);
  if (value === unknownValue || recorded === unknownValue) return null;
  return sameValue(value, recorded);
}
