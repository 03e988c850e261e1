export type Precision = {
  readonly type: "double" | "float" | "long double";
  readonly suffix: string;
  readonly rounded: (x: number) => number;
};

/** Those of `long double` are computed as `double`. */
export const precisions: readonly Precision[] = [
  { type: "double", suffix: "", rounded: (x) => x },
  { type: "float", suffix: "f", rounded: Math.fround },
  { type: "long double", suffix: "l", rounded: (x) => x },
];
