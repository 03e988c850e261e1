import type { Value } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/** Short names for generated code: the arms that are taken once. */

export function signedOverflow(operator: string, left: Value, right: Value, site: number): never {
  return undefinedRun({ kind: "signed-overflow", operator, left, right }, site);
}

export function negationOverflow(operand: Value, site: number): never {
  return undefinedRun({ kind: "negation-overflow", operand }, site);
}

export function divisionByZero(operator: string, left: Value, site: number): never {
  return undefinedRun({ kind: "division-by-zero", operator, left }, site);
}

export function badShift(operator: string, left: Value, right: Value, site: number): never {
  return undefinedRun({ kind: "bad-shift", operator, left, right }, site);
}

/** The result of a call for a variable that must have a value. */
export function returned(value: Value | undefined, variable: number, site: number): Value {
  return value ?? undefinedRun({ kind: "uninitialised-register", variable }, site);
}

export function indeterminate(variable: number, site: number): never {
  return undefinedRun({ kind: "uninitialised-register", variable }, site);
}
