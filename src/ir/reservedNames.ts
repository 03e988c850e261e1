import { nth } from "../base/checked.ts";
import type { Edge, Function } from "./program.ts";

/** The function that initialises static variables. It is not in the source; texts name it otherwise. */
export const initializerName = "$init";

/** Path prefix of library functions written in C. */
export const libraryFolder = "<library>/";

/** The entry function of a run with `--fuzz-input`: it calls `LLVMFuzzerTestOneInput` with the bytes of standard input. */
export const fuzzEntry = "__tf_fuzz";
export const mostFuzzBytes = 2 ** 20;

/** A function of the C library: correct by assumption, and not the user's code. */
export function isOfLibrary({ range }: Function): boolean {
  return range.file.startsWith(libraryFolder);
}

/** The variable that selects the stated condition to evaluate. */
export const statedName = "$stated";

export function statedText(number: number): string {
  return `stated condition ${number + 1}`;
}

/** The stated condition that an edge begins to evaluate or fails with; null for other edges. */
export function statedNumber({ operation }: Edge, variable: number | null): number | null {
  if (operation.kind !== "case" || operation.values === null || operation.selector.kind !== "variable") return null;
  return operation.selector.variable === variable ? Number(nth(operation.values, 0)[0]) - 1 : null;
}
