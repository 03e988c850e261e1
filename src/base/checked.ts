import { Defect } from "./errors.ts";

/** The element at an index that is known to be inside of the list; a defect where it is not. */
export function nth<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) throw new Defect(`a list of ${list.length} has no element ${index}`);
  return element;
}

/** A value that is known to be there; a defect where it is not. */
export function present<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Defect("a value is missing that has to be there");
  return value;
}
