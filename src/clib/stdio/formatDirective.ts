/** One `%` directive of `printf`, and where the format goes on. */
export type Directive = {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternative: boolean;
  readonly zero: boolean;
  /** A number, `"*"`, or null. */
  readonly width: number | "*" | null;
  readonly precision: number | "*" | null;
  readonly length: string;
  readonly conversion: string;
  readonly end: number;
};

/** `at` is behind the `%`. Null when the format ends inside of the directive. */
export function parseDirective(format: Uint8Array, at: number): Directive | null {
  const text = Buffer.from(format.buffer, format.byteOffset + at, Math.min(format.length - at, 64)).toString("latin1");
  const match = /^([-+ #0'I]*)(\*|\d*)(?:\.(\*|-?\d*))?(hh|h|ll|l|q|j|z|Z|t|L|)(.)/s.exec(text);
  if (match === null) return null;
  const [all, flags, width, precision, length, conversion] = match as unknown as string[];
  return {
    left: flags!.includes("-"),
    plus: flags!.includes("+"),
    space: flags!.includes(" "),
    alternative: flags!.includes("#"),
    zero: flags!.includes("0"),
    width: width === "*" ? "*" : width === "" ? null : Number(width),
    // `%.f` has precision 0; a negative one counts as absent.
    precision:
      precision === undefined || precision.startsWith("-") ? null : precision === "*" ? "*" : Number(precision),
    length: length === "q" ? "ll" : length === "Z" ? "z" : length!,
    conversion: conversion!,
    end: at + all!.length,
  };
}
