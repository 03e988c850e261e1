import type { Edge } from "./program.ts";

/** The made-up variable that chooses which stated condition is evaluated. */
export const statedName = "$stated";

/** What a run says that violates a stated condition. */
export function statedText(number: number): string {
  return `stated condition ${number + 1}`;
}

/** The condition into whose evaluation an edge leads, or that it fails with; null for any other. */
export function statedNumber({ operation }: Edge, variable: number | null): number | null {
  if (operation.kind !== "case" || operation.values === null || operation.selector.kind !== "variable") return null;
  return operation.selector.variable === variable ? Number(operation.values[0]![0]) - 1 : null;
}
