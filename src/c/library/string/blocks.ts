import { nth } from "../../../base/checked.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { type Entry, operations, type Pointer } from "../entry.ts";
import { type Host, sizeNumber } from "../host.ts";
import { bytes, copies, fills, reads, writes } from "../memoryUse.ts";

/** `<string.h>` and `<strings.h>`: the functions on blocks of bytes. */

const operation = operations("string.h");
const strings = operations("strings.h");

/** The difference of the first bytes that differ, as glibc gives it. */
function compareBlocks(host: Host, left: Pointer, right: Pointer, size: ScalarValue): number {
  const a = host.readBytes(left, sizeNumber(size));
  const b = host.readBytes(right, sizeNumber(size));
  const first = a.findIndex((byte, i) => byte !== b[i]);
  if (first === -1) return 0;
  const difference = nth(a, first) - nth(b, first);
  host.decided(left + first, right + first);
  return difference;
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
  operation({
    prototype: "void *mempcpy(void *to, const void *from, size_t size)",
    memory: [copies("to", "from", bytes("size"))],
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => {
      host.copyBytes(to, from, sizeNumber(size));
      return to + sizeNumber(size);
    },
  }),
  operation({
    prototype: "void *memrchr(const void *block, int byte, size_t size)",
    memory: [reads("block", bytes("size"))],
    run: (host, block: Pointer, byte: number, size: ScalarValue) => {
      const index = host.readBytes(block, sizeNumber(size)).lastIndexOf(byte & 255);
      return index === -1 ? 0 : block + index;
    },
  }),
  operation({
    prototype: "void *memmem(const void *block, size_t size, const void *part, size_t length)",
    memory: [reads("block", bytes("size")), reads("part", bytes("length"))],
    run: (host, block: Pointer, size: ScalarValue, part: Pointer, length: ScalarValue) => {
      const wanted = host.readBytes(part, sizeNumber(length)).slice();
      const index = Buffer.from(host.readBytes(block, sizeNumber(size))).indexOf(wanted);
      return index === -1 ? 0 : block + index;
    },
  }),
  operation({
    prototype: "void *memccpy(void *to, const void *from, int byte, size_t size)",
    memory: [reads("from", bytes("size")), writes("to", bytes("size"))],
    run: (host, to: Pointer, from: Pointer, byte: number, size: ScalarValue) => {
      const max = sizeNumber(size);
      let length = 0;
      let isFound = false;
      while (!isFound && length < max) isFound = host.readByte(from + length++) === (byte & 255);
      host.copyBytes(to, from, length);
      return isFound ? to + length : 0;
    },
  }),
  strings({
    prototype: "void bzero(void *to, size_t size)",
    memory: [fills("to", 0, bytes("size"))],
    run: (host, to: Pointer, size: ScalarValue) => {
      host.fillBytes(to, 0, sizeNumber(size));
      return undefined;
    },
  }),
  strings({
    prototype: "void bcopy(const void *from, void *to, size_t size)",
    memory: [copies("to", "from", bytes("size"))],
    run: (host, from: Pointer, to: Pointer, size: ScalarValue) => {
      host.moveBytes(to, from, sizeNumber(size));
      return undefined;
    },
  }),
  strings({
    prototype: "int bcmp(const void *left, const void *right, size_t size)",
    memory: [reads("left", bytes("size")), reads("right", bytes("size"))],
    run: compareBlocks,
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
