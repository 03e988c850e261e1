import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { type OperationEntry, operations } from "../entry.ts";

/** `<strings.h>`, `<string.h>`: the number of the lowest bit that is set, counted from 1; 0 where none is. */

function firstBit(type: string, name: string, header: string): OperationEntry {
  return operations(header)({
    prototype: `int ${name}(${type} number)`,
    run: (_, value: ScalarValue) => {
      const number = toBigInt(value);
      return number === 0n ? 0 : (number & -number).toString(2).replace("-", "").length;
    },
  });
}

export const bits: readonly OperationEntry[] = [
  firstBit("int", "ffs", "strings.h"),
  firstBit("long", "ffsl", "string.h"),
  firstBit("long long", "ffsll", "string.h"),
];
