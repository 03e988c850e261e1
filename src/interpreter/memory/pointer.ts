/**
 * A pointer is one safe integer: `objectId * 2^32 + offset`, with the offset in [-2^31, 2^31) and the id below 2^21. 0
 * is the null pointer; small numbers are integers cast to pointers. The signed offset is `pointer | 0`, so a pointer
 * outside of its object still knows the object.
 */
export const objectStep = 4294967296;
// V8 folds constants of a module into its code, but not exported ones.
const step = objectStep;
export const maxObjects = 2 ** 21;

export function offsetOf(pointer: number): number {
  return pointer | 0;
}

export function objectIdOf(pointer: number): number {
  return (pointer - (pointer | 0)) / step;
}

export function makePointer(id: number, offset: number): number {
  return id * step + offset;
}
