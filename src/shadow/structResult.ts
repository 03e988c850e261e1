import type { Expr } from "./expr.ts";

/** A struct that a function of C returns: parts of it are written, by nobody but the call. No parameter has this key. */
export const structResult: Expr = { kind: "param", key: "=result", name: "result" };

export function isPartOfResult(place: Expr): boolean {
  let root = place;
  while (root.kind === "field" || root.kind === "element") root = root.base;
  return root.key === structResult.key;
}
