import { type EndingEntry, type Entry, operations, type Pointer } from "../entry.ts";
import { reads, string } from "../memoryUse.ts";

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

/** The program has no environment variables; the time is an input. */
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
  { kind: "input", prototype: "time_t time(time_t *)", header: "time.h" },
  { kind: "input", prototype: "clock_t clock(void)", header: "time.h" },
];
