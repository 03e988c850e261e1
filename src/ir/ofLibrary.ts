import type { Function } from "./program.ts";

/** The paths of the files that hold functions of the C library which are written in C begin so. */
export const libraryFolder = "<library>/";

/** A function of the C library: what it does is known and right, and no line of the user's. */
export function isOfLibrary({ range }: Function): boolean {
  return range.file.startsWith(libraryFolder);
}
