import type { Concrete } from "../recorder/language.ts";

/** What a value is, as far as the program model tells values apart. */
export type Tag = "int" | "double" | "bool" | "string" | "object" | "function" | "undefined" | "null" | "other";

/** Integers of the program model; what is larger is kept as a double. */
export const largestInt = 2 ** 50;

export function tagOf(value: Concrete): Tag {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "bigint":
    case "symbol":
      return "other";
    case "number":
      return Number.isInteger(value) && Math.abs(value) < largestInt ? "int" : "double";
    default:
      if (value === null) return "null";
      if (value.kind === "text") return "string";
      return value.kind === "object" || value.kind === "function" ? value.kind : "other";
  }
}
