import { type IntType, rangeOfInt } from "../../ir/type.ts";
import type { BasicTypes } from "./basicTypes.ts";

/** gcc's choice: the first of `unsigned int`, `int`, `unsigned long`, `long`, … that holds every enumerator. */
export function enumTypeOf(values: readonly bigint[], types: BasicTypes): IntType {
  let low = 0n;
  let high = 0n;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const choices =
    low < 0n
      ? [types.int, types.long, types.longLong]
      : [types.unsignedInt, types.unsignedLong, types.unsignedLongLong];
  return choices.find((type) => holds(type, low) && holds(type, high)) ?? choices[2]!;
}

/** Enumerators are `int` where they fit, else of the enumeration's type. */
export function enumeratorType(value: bigint, enumType: IntType, types: BasicTypes): IntType {
  return holds(types.int, value) ? types.int : enumType;
}

function holds(type: IntType, value: bigint): boolean {
  const [low, high] = rangeOfInt(type);
  return low <= value && value <= high;
}
