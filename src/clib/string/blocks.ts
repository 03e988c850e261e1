import type { ScalarValue } from "../../ir/scalarValue.ts";
import { type Entry, operations } from "../entry.ts";
import { type Host, sizeNumber } from "../host.ts";
import { bytes, copies, fills, reads } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";

/** `<string.h>`: the `mem…` functions. */

const operation = operations("string.h");

/** The difference of the first bytes that differ, as glibc gives it. */
function compareBlocks(host: Host, left: Pointer, right: Pointer, size: ScalarValue): number {
  const a = host.readBytes(left, sizeNumber(size));
  const b = host.readBytes(right, sizeNumber(size));
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

export const blocks: readonly Entry[] = [
  operation({
    prototype: "void *memcpy(void *to, const void *from, size_t size)",
    memory: [copies("to", "from", bytes("size"))],
    returns: "to",
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => {
      host.copyBytes(to, from, sizeNumber(size));
      return to;
    },
  }),
  operation({
    prototype: "void *memmove(void *to, const void *from, size_t size)",
    memory: [copies("to", "from", bytes("size"))],
    returns: "to",
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => {
      host.moveBytes(to, from, sizeNumber(size));
      return to;
    },
  }),
  operation({
    prototype: "void *memset(void *to, int byte, size_t size)",
    memory: [fills("to", "byte", bytes("size"))],
    returns: "to",
    run: (host, to: Pointer, byte: number, size: ScalarValue) => {
      host.fillBytes(to, byte & 255, sizeNumber(size));
      return to;
    },
  }),
  operation({
    prototype: "int memcmp(const void *left, const void *right, size_t size)",
    memory: [reads("left", bytes("size")), reads("right", bytes("size"))],
    run: compareBlocks,
  }),
  operation({
    prototype: "void *memchr(const void *block, int byte, size_t size)",
    memory: [reads("block", bytes("size"))],
    // Byte by byte, as C11 7.24.5.1 wants: what follows the match need not exist.
    run: (host, block: Pointer, byte: number, size: ScalarValue) => {
      const max = sizeNumber(size);
      for (let i = 0; i < max; i++) if (host.readByte(block + i) === (byte & 255)) return block + i;
      return 0;
    },
  }),
  // Made by lowering for large initialisers.
  operations(null)({
    prototype: "void $zero(void *to, size_t size)",
    memory: [fills("to", 0, bytes("size"))],
    run: (host, to: Pointer, size: ScalarValue) => {
      host.fillBytes(to, 0, Number(size));
      return undefined;
    },
  }),
];
