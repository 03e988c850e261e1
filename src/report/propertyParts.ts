/** The type of whatever a generated property looks at. */
export const untyped = "Untyped";

/** How values of a kind are made up. */
export const arbitraries: Readonly<Record<string, string>> = {
  int: "fc.integer({ min: -1000, max: 1000 })",
  string: "fc.string()",
  boolean: "fc.boolean()",
};

/** Names that mean the same everywhere. */
export const words: ReadonlySet<string> = new Set([
  "result",
  "null",
  "undefined",
  "true",
  "false",
  "typeof",
  "NaN",
  "Infinity",
  "Math",
  "Number",
  "String",
]);
