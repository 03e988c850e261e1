import type { ScalarValue } from "../../../ir/scalarValue.ts";
import {
  type Allocation,
  type EndingEntry,
  type Entry,
  type OperationEntry,
  operations,
  type Pointer,
} from "../entry.ts";
import { type Host, sizeNumber } from "../host.ts";
import { frees, reads, string, stringOf } from "../memoryUse.ts";

function ending(reason: EndingEntry["reason"], header: string, prototype: string): EndingEntry {
  return { kind: "ending", reason, header, prototype: `${prototype} __attribute__((noreturn))` };
}

export const endings: readonly Entry[] = [
  ending("abort", "stdlib.h", "void abort(void)"),
  ending("exit", "stdlib.h", "void exit(int)"),
  ending("exit", "stdlib.h", "void _Exit(int)"),
  ending("exit", "stdlib.h", "void quick_exit(int)"),
  ending("exit", "unistd.h", "void _exit(int)"),
];

/**
 * The program has no environment variables and no command processor; the time is an input. The command chooses which
 * tests of a framework run.
 */
export const environment: readonly Entry[] = [
  operations("stdlib.h")({
    prototype: "char *getenv(const char *name)",
    memory: [reads("name", string)],
    run: (host, name: Pointer) => {
      host.readString(name);
      return 0;
    },
    value: ({ terms }) => terms.int(0n),
  }),
  operations("stdlib.h")({
    prototype: "int system(const char *command)",
    memory: [],
    run: () => 0,
    value: ({ terms }) => terms.int(0n),
  }),
  operations(null)({
    prototype: "int __tf_test_selected(const char *name)",
    memory: [reads("name", string)],
    run: ({ readString, state }, at: Pointer) => {
      const name = Buffer.from(readString(at)).toString("utf8");
      state.tests = [...state.tests, name];
      return state.onlyTest === null || state.onlyTest === name ? 1 : 0;
    },
  }),
  { kind: "input", prototype: "time_t time(time_t *)", header: "time.h" },
  { kind: "input", prototype: "clock_t clock(void)", header: "time.h" },
];

const operation = operations("stdlib.h");
const ofStrings = operations("string.h");

const noRoom = { ENOMEM: "the request is too large" } as const;

/** Larger requests return a null pointer. */
export function requestLimit(pointerBytes: 4 | 8): number {
  return pointerBytes === 8 ? 2 ** 47 : 2 ** 31;
}

/** False, with `errno`, if the request cannot be met. */
function hasRoom(host: Host, size: ScalarValue): boolean {
  if (size < requestLimit(host.pointerBytes)) return true;
  host.setErrno("ENOMEM");
  return false;
}

function request(host: Host, size: ScalarValue, kind: "heap" | "zeroed" = "heap"): Pointer {
  return hasRoom(host, size) ? host.allocate(Number(size), kind) : 0;
}

function block(...factors: readonly string[]): Allocation {
  return { size: { kind: "bytes", factors }, life: "heap", zeroed: false, replaces: null };
}

function copyOf(at: string, atMost: string | null): Allocation {
  return { size: { kind: "copyOf", string: at, atMost }, life: "heap", zeroed: false, replaces: null };
}

function duplicate(host: Host, at: Pointer, max: number): Pointer {
  const content = host.readString(at, max).slice();
  const result = host.allocate(content.length + 1, "heap");
  host.writeString(result, content);
  host.copied(result, at, content.length);
  return result;
}

function reallocate(host: Host, at: Pointer, size: ScalarValue, name: string): Pointer {
  if (at === 0) return request(host, size);
  host.blockSize(at, name);
  if (Number(size) === 0) {
    host.release(at);
    return 0;
  }
  return hasRoom(host, size) ? host.reallocate(at, Number(size)) : 0;
}

/** Every block is aligned: an object begins at a multiple of 2^32. */
function aligned(header: string, name: string): OperationEntry {
  return operations(header)({
    prototype: `void *${name}(size_t alignment, size_t size)`,
    allocates: block("size"),
    errno: noRoom,
    run: (host, _: ScalarValue, size: ScalarValue) => request(host, size),
  });
}

export const allocation: readonly Entry[] = [
  operation({
    prototype: "void *malloc(size_t size)",
    allocates: block("size"),
    errno: noRoom,
    run: (host, size: ScalarValue) => request(host, size),
  }),
  operation({
    prototype: "void *calloc(size_t count, size_t size)",
    allocates: { ...block("count", "size"), zeroed: true },
    errno: noRoom,
    run: (host, count: ScalarValue, size: ScalarValue) => request(host, BigInt(count) * BigInt(size), "zeroed"),
  }),
  operation({
    prototype: "void *realloc(void *block, size_t size)",
    memory: [frees("block")],
    allocates: { ...block("size"), replaces: "block" },
    errno: noRoom,
    run: (host, at: Pointer, size: ScalarValue) => reallocate(host, at, size, "realloc"),
  }),
  operation({
    prototype: "void *reallocarray(void *block, size_t count, size_t size)",
    memory: [frees("block")],
    allocates: { ...block("count", "size"), replaces: "block" },
    errno: noRoom,
    run: (host, at: Pointer, count: ScalarValue, size: ScalarValue) =>
      reallocate(host, at, BigInt(count) * BigInt(size), "reallocarray"),
  }),
  aligned("stdlib.h", "aligned_alloc"),
  aligned("malloc.h", "memalign"),
  operation({
    prototype: "void free(void *block)",
    memory: [frees("block")],
    run: (host, at: Pointer) => {
      if (at === 0) return undefined;
      host.blockSize(at, "free");
      host.release(at);
      return undefined;
    },
  }),
  operations("alloca.h")({
    prototype: "void *alloca(size_t size)",
    allocates: { ...block("size"), life: "stack" },
    run: (host, size: ScalarValue) => host.allocate(sizeNumber(size), "stack"),
  }),
  ofStrings({
    prototype: "char *strdup(const char *string)",
    memory: [reads("string", string)],
    allocates: copyOf("string", null),
    run: (host, at: Pointer) => duplicate(host, at, Number.POSITIVE_INFINITY),
  }),
  ofStrings({
    prototype: "char *strndup(const char *string, size_t size)",
    memory: [reads("string", stringOf("size"))],
    allocates: copyOf("string", "size"),
    run: (host, at: Pointer, size: ScalarValue) => duplicate(host, at, sizeNumber(size)),
  }),
];
