import { sortingSource } from "./stdlib/sorting.ts";
import { entries, entryName } from "./table.ts";

/**
 * Library functions that call back into the program. They cannot be single operations, so they are C like the rest of
 * the program.
 */
export const callbackLibraryPath = "<library>/callback.c";

export const callbackLibrary = sortingSource;

const mentioned = new RegExp(
  `\\b(${entries.flatMap((entry) => (entry.kind === "source" ? [entryName(entry)] : [])).join("|")})\\b`,
);

/** Is it worth reading the library for this program? */
export function mayCallBack(text: string): boolean {
  return mentioned.test(text);
}
