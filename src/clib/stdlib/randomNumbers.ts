import { type Entry, operations } from "../entry.ts";

/**
 * `rand` and `srand` as in glibc: an additive feedback generator over 31 words (its TYPE_3), so that a program prints the
 * same numbers here and there.
 */
const degree = 31;
const separation = 3;
const discarded = 310;

/** Layout: 31 words of state, then the index of the next one to replace. */
function seeded(seed: number): Int32Array {
  const state = new Int32Array(degree + 1);
  state[0] = seed === 0 ? 1 : seed;
  for (let i = 1; i < degree; i++) {
    // 16807 * previous mod (2^31 - 1), in pieces that stay below 2^31 (Schrage), on the signed previous word.
    const previous = state[i - 1]!;
    const high = Math.trunc(previous / 127773);
    const low = previous % 127773;
    const word = 16807 * low - 2836 * high;
    state[i] = word < 0 ? word + 2147483647 : word;
  }
  state[degree] = separation;
  for (let i = 0; i < discarded; i++) next(state);
  return state;
}

function next(state: Int32Array): number {
  const front = state[degree]!;
  const rear = (front + degree - separation) % degree;
  state[front] = (state[front]! + state[rear]!) | 0;
  state[degree] = (front + 1) % degree;
  return state[front]! >>> 1;
}

const operation = operations("stdlib.h");

export const randomNumbers: readonly Entry[] = [
  operation({
    prototype: "int rand(void)",
    source: "environment",
    run: ({ state }) => {
      state.random ??= seeded(1);
      return next(state.random);
    },
  }),
  operation({
    prototype: "void srand(unsigned int seed)",
    source: "environment",
    run: ({ state }, seed: number) => {
      state.random = seeded(seed | 0);
      return undefined;
    },
  }),
];
