import { type Entry, operations } from "../entry.ts";
import { reads, string } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";

/** What the surroundings of a program say to it: it has no environment variables, and the time is an input. */
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
