import type { Operation, UndefinedBehaviour } from "../ir/operation.ts";

/** What is to be shown of all runs. */
export const properties = ["assert", "overflow", "bounds", "null", "div-by-zero", "uninitialised", "all"] as const;
export type Property = (typeof properties)[number];

const behaviours: Record<Exclude<Property, "assert" | "all">, readonly UndefinedBehaviour[]> = {
  overflow: ["signed-overflow"],
  bounds: ["out-of-bounds-read", "out-of-bounds-write", "index-out-of-bounds"],
  null: ["null-dereference"],
  "div-by-zero": ["division-by-zero"],
  uninitialised: ["uninitialised-read"],
};

/** Undefined behaviour that is an error; any other ends a run, and a verdict says where that was assumed not to happen. */
export function behavioursOf(property: Property): ReadonlySet<UndefinedBehaviour> {
  if (property === "assert") return new Set();
  if (property === "all") return new Set(Object.values(behaviours).flat());
  return new Set(behaviours[property]);
}

/** Is this end of a run an error? `abort` is how programs end runs that they do not want to be looked at. */
export function isErrorEnd(property: Property, operation: Operation & { kind: "fail" }): boolean {
  if (property !== "assert" && property !== "all") return false;
  return operation.reason === "assertion" || operation.reason === "error-location";
}

/** What signed overflow does: it wraps, unless it is what is looked for. */
export function overflowOf(property: Property): "stop" | "wrap" {
  return behavioursOf(property).has("signed-overflow") ? "stop" : "wrap";
}
