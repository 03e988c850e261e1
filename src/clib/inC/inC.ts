import type { SourceEntry } from "../entry.ts";

/** A function of a header that is written in C. */
export function inC(header: string, prototype: string): SourceEntry {
  return { kind: "source", prototype, header };
}
