import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { type OperationEntry, operations } from "./entry.ts";

/** `<arpa/inet.h>`: network byte order, highest byte first. */

function swapped(name: string, bytes: 2 | 4): OperationEntry {
  return operations("arpa/inet.h")({
    prototype: `uint${8 * bytes}_t ${name}(uint${8 * bytes}_t number)`,
    run: (_, number: number) => {
      const view = new DataView(new ArrayBuffer(4));
      if (bytes === 4) {
        view.setUint32(0, number);
        return view.getUint32(0, true);
      }
      view.setUint16(0, number & 0xffff);
      return view.getUint16(0, true);
    },
  });
}

export const byteOrder: readonly OperationEntry[] = [
  swapped("htonl", 4),
  swapped("ntohl", 4),
  swapped("htons", 2),
  swapped("ntohs", 2),
];

/** `<strings.h>`, `<string.h>`: the index of the lowest set bit, counted from 1; 0 if no bit is set. */

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
