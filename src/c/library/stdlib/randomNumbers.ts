import { nth } from "../../../base/checked.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { type Entry, type OperationEntry, operations, type Pointer, unsignedInt } from "../entry.ts";
import type { Host, LibraryState } from "../host.ts";
import { pointee, reads, writes } from "../memoryUse.ts";

/** Random numbers as in glibc. `rand`, `random`: an additive feedback generator over 31 words (TYPE_3). */
const degree = 31;
const separation = 3;
const discarded = 310;

/** Layout: 31 words of state, then the index of the next word to replace. */
function seeded(seed: number): Int32Array {
  const state = new Int32Array(degree + 1);
  state[0] = seed === 0 ? 1 : seed;
  for (let i = 1; i < degree; i++) {
    // 16807 * previous mod (2^31 - 1) by Schrage's method, on the signed previous word.
    const previous = nth(state, i - 1);
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
  const front = nth(state, degree);
  const rear = (front + degree - separation) % degree;
  state[front] = (nth(state, front) + nth(state, rear)) | 0;
  state[degree] = (front + 1) % degree;
  return nth(state, front) >>> 1;
}

const operation = operations("stdlib.h");

/** Each generator has two names. */
function generator(type: string, name: string): OperationEntry {
  return operation({
    prototype: `${type} ${name}(void)`,
    source: "environment",
    run: ({ state }) => {
      state.random ??= seeded(1);
      return next(state.random);
    },
  });
}

function seeding(name: string): OperationEntry {
  return operation({
    prototype: `void ${name}(unsigned int seed)`,
    source: "environment",
    run: ({ state }, seed: number) => {
      state.random = seeded(seed | 0);
      return undefined;
    },
  });
}

/** `rand_r`: three rounds of a linear congruential generator, using the middle bits. */
function fromSeed(host: Host, at: Pointer): number {
  let word = host.readScalar(at, unsignedInt) as number;
  let result = 0;
  for (const kept of [2048, 1024, 1024]) {
    word = (Math.imul(word, 1103515245) + 12345) >>> 0;
    result = (result << 10) ^ ((word >>> 16) % kept);
  }
  host.writeScalar(at, unsignedInt, word);
  return result;
}

/** `drand48` and its relatives: a 48-bit linear congruential generator. */
function next48(state: LibraryState): bigint {
  state.random48 = BigInt.asUintN(48, state.random48 * 0x5deece66dn + 0xbn);
  return state.random48;
}

function generator48(type: string, name: string, shown: (word: bigint) => number): OperationEntry {
  return operation({
    prototype: `${type} ${name}(void)`,
    source: "environment",
    run: ({ state }) => shown(next48(state)),
  });
}

export const randomNumbers: readonly Entry[] = [
  generator("int", "rand"),
  seeding("srand"),
  generator("long", "random"),
  seeding("srandom"),
  operation({
    prototype: "int rand_r(unsigned int *seed)",
    memory: [reads("seed", pointee), writes("seed", pointee)],
    run: fromSeed,
  }),
  generator48("double", "drand48", (word) => Number(word) / 2 ** 48),
  generator48("long", "lrand48", (word) => Number(word >> 17n)),
  generator48("long", "mrand48", (word) => Number(BigInt.asIntN(32, word >> 16n))),
  operation({
    prototype: "void srand48(long seed)",
    source: "environment",
    run: ({ state }, seed: ScalarValue) => {
      state.random48 = (BigInt.asUintN(32, BigInt(seed)) << 16n) | 0x330en;
      return undefined;
    },
  }),
];
