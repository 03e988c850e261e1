import { fromBigInt, type ScalarValue } from "../../ir/scalarValue.ts";
import { rangeOfInt, type ScalarType } from "../../ir/type.ts";
import type { ValueChange } from "./edit.ts";

/** The value as one of the type; null where the type has none like it. */
export function typedValue(type: ScalarType, value: ScalarValue): ScalarValue | null {
  switch (type.kind) {
    case "float": {
      const number = Number(value);
      return type.bits === 32 ? Math.fround(number) : number;
    }
    case "pointer":
      return typeof value === "number" ? value : null;
    case "int":
    case "bool": {
      if (typeof value === "number" && !Number.isInteger(value)) return null;
      const integer = BigInt(value);
      const [low, high] = rangeOfInt(type);
      return integer < low || integer > high ? null : fromBigInt(integer);
    }
  }
}

/** The changed value; null where the type has none. Of pointers there is only null. */
export function changedValue(type: ScalarType, value: ScalarValue, change: ValueChange): ScalarValue | null {
  switch (change) {
    case "zero":
      return 0;
    case "one":
      return type.kind === "pointer" ? null : 1;
    case "plus one":
      return type.kind === "pointer" ? null : typedValue(type, plus(value, 1));
    case "minus one":
      return type.kind === "pointer" ? null : typedValue(type, plus(value, -1));
    case "negated":
      return type.kind === "pointer" ? null : typedValue(type, typeof value === "bigint" ? -value : 0 - value);
  }
}

function plus(value: ScalarValue, delta: 1 | -1): ScalarValue {
  return typeof value === "number" ? value + delta : fromBigInt(value + BigInt(delta));
}
