import { Defect } from "./errors.ts";

/** The element at an index that must be inside the list; a defect otherwise. */
export function nth<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new Defect(`index ${index} is outside of a list of ${list.length}`);
  return element;
}

/** A value that must be present; a defect otherwise. */
export function present<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Defect("a required value is missing");
  return value;
}
