import type { SourceRange } from "../../../base/sourceRange.ts";

/** A condition only looks: `refuse` makes the error where it does more. */
export function refuseEffects(node: unknown, refuse: (message: string, range: SourceRange) => Error): void {
  if (Array.isArray(node)) {
    for (const each of node) refuseEffects(each, refuse);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { kind, range } = node as { kind?: string; range?: SourceRange };
  if (kind === "assignment" || kind === "increment" || kind === "call" || kind === "statementExpression") {
    throw refuse("a condition cannot change anything or call functions", range!);
  }
  if (kind === "unary" && (node as { operator: string }).operator === "&") {
    throw refuse("a condition cannot take addresses", range!);
  }
  for (const value of Object.values(node)) refuseEffects(value, refuse);
}
