import type { EndingEntry, Entry } from "../entry.ts";

/** `<stdlib.h>` and `<unistd.h>`: functions that end the run. */

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
