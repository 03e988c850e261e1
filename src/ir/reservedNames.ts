import { nth } from "../base/checked.ts";
import type { Edge, Function } from "./program.ts";

/** What the function is called that gives static variables their first values. Nobody wrote it: texts name it otherwise. */
export const initializerName = "$init";

/** The paths of the files that hold functions of the C library which are written in C begin so. */
export const libraryFolder = "<library>/";

/** A function of the C library: what it does is known and right, and no line of the user's. */
export function isOfLibrary({ range }: Function): boolean {
  return range.file.startsWith(libraryFolder);
}

/** The made-up variable that chooses which stated condition is evaluated. */
export const statedName = "$stated";

/** What a run says that violates a stated condition. */
export function statedText(number: number): string {
  return `stated condition ${number + 1}`;
}

/** The condition into whose evaluation an edge leads, or that it fails with; null for any other. */
export function statedNumber({ operation }: Edge, variable: number | null): number | null {
  if (operation.kind !== "case" || operation.values === null || operation.selector.kind !== "variable") return null;
  return operation.selector.variable === variable ? Number(nth(operation.values, 0)[0]) - 1 : null;
}
