import { type Entry, operations } from "../entry.ts";
import { type Host, sizeNumber } from "../host.ts";
import { pointee, reads, remembers, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";
import { pointer, signedInteger } from "../scalarTypes.ts";
import { notReadable, readUntil } from "./reading.ts";
import { inputFor } from "./streamArguments.ts";

/** `<stdio.h>`: lines in blocks that grow. */

const operation = operations("stdio.h");

/** What glibc begins with. */
const firstRoom = 120;

function getDelimited(host: Host, line: Pointer, size: Pointer, delimiter: number, from: Pointer): number {
  if (line === 0 || size === 0) {
    host.setErrno("EINVAL");
    return -1;
  }
  const sizeType = signedInteger(host.pointerBytes === 8 ? 64 : 32);
  const stream = inputFor(host, from);
  if (stream === null) return -1;
  let block = host.readScalar(line, pointer) as Pointer;
  let room = block === 0 ? 0 : sizeNumber(host.readScalar(size, sizeType));
  const grow = (needed: number) => {
    if (needed <= room) return;
    room = needed;
    if (block === 0) block = host.allocate(room, "heap");
    else {
      host.blockSize(block, "getline");
      block = host.reallocate(block, room);
    }
    host.writeScalar(line, pointer, block);
    host.writeScalar(size, sizeType, room);
  };
  if (room === 0) grow(firstRoom);
  const content = readUntil(host, stream, delimiter & 255, Number.POSITIVE_INFINITY, true);
  if (content === null) return -1;
  const needed = content.length + 1;
  if (needed > room) grow(Math.max(needed, 2 * room));
  host.writeString(block, content);
  return content.length;
}

const grown = {
  memory: [reads("line", pointee), reads("size", pointee), writes("line", pointee), writes("size", pointee), remembers],
  errno: { EINVAL: "there is no place for the line or its size", ...notReadable },
  source: "environment",
} as const;

export const lines: readonly Entry[] = [
  operation({
    ...grown,
    prototype: "ssize_t getline(char **line, size_t *size, FILE *stream)",
    run: (host, line: Pointer, size: Pointer, stream: Pointer) => getDelimited(host, line, size, 10, stream),
  }),
  operation({
    ...grown,
    prototype: "ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)",
    run: getDelimited,
  }),
];
