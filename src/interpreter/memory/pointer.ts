/**
 * A pointer is one number: `objectId * 2^32 + offset`, with the offset in [-2^31, 2^31) and the id below 2^21, so that it
 * is a safe integer. Object 0 is no object: 0 is the null pointer, and small numbers are what integers become when cast
 * to pointers. Because the offset is signed, `pointer | 0` is the offset: a pointer that wandered off its object still
 * knows which object it came from.
 */
export const objectStep = 4294967296;
export const maxObjects = 2 ** 21;

export function offsetOf(pointer: number): number {
  return pointer | 0;
}

export function objectIdOf(pointer: number): number {
  return (pointer - (pointer | 0)) / objectStep;
}

export function makePointer(id: number, offset: number): number {
  return id * objectStep + offset;
}
