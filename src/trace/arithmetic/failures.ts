import type { ScalarValue } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/** Short names for generated code: the arms that are taken once. */

export function signedOverflow(operator: string, left: ScalarValue, right: ScalarValue, site: number): never {
  return undefinedRun({ kind: "signed-overflow", operator, left, right }, site);
}

export function negationOverflow(operand: ScalarValue, site: number): never {
  return undefinedRun({ kind: "negation-overflow", operand }, site);
}

export function divisionByZero(operator: string, left: ScalarValue, site: number): never {
  return undefinedRun({ kind: "division-by-zero", operator, left }, site);
}

export function badShift(operator: string, left: ScalarValue, right: ScalarValue, site: number): never {
  return undefinedRun({ kind: "bad-shift", operator, left, right }, site);
}

/** The result of a call for a variable that must have a value. */
export function returned(value: ScalarValue | undefined, variable: number, site: number): ScalarValue {
  return value ?? undefinedRun({ kind: "uninitialised-register", variable }, site);
}

export function indeterminate(variable: number, site: number): never {
  return undefinedRun({ kind: "uninitialised-register", variable }, site);
}
