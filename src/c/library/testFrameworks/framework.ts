/**
 * A unit-test framework for C. Its macros become assertions that end the run, and its runner calls only the chosen test,
 * so that one failing test is explained alone. The names are those of the framework; the code is ours.
 */
export type TestFramework = {
  /** The headers by name, made when a program includes them. */
  readonly headers: Readonly<Record<string, () => string>>;
  /** Matches the text of the framework's own headers: other headers may have the same names. */
  readonly signature: RegExp;
  /** The part of the framework that programs link; null if its headers have everything. */
  readonly source: string | null;
  /** A program that mentions one of these uses the framework. */
  readonly mentions: readonly string[];
  /** The framework's own source files, which a user may give; ours take their place. */
  readonly files: readonly string[];
};

/** Every header begins with this. `__tf_test_selected` is 1 if a test of this name is to be run. */
export const prelude = `#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int __tf_test_selected(const char *name);
void __tf_check_failed(const char *text);
#define __TF_CHECK(condition, text) do { if (condition) ; else __tf_check_failed(text); } while (0)
#define __TF_FAIL(text) do { __tf_check_failed(text); } while (0)
`;

/** \`#define NAME(parameters) body\`, on one line. */
export function macro(name: string, parameters: readonly string[], body: string): string {
  return `#define ${name}(${parameters.join(", ")}) ${body}\n`;
}

/** A macro that fails unless `condition` holds. `stated` is the condition as users read it, with \`#\` before parameters. */
export function check(name: string, parameters: readonly string[], condition: string, stated: string): string {
  return macro(name, parameters, `__TF_CHECK(${condition}, ${stated})`);
}

/** `(a) == (b)`, stated as the user wrote both sides. */
export function comparison(
  name: string,
  parameters: readonly string[],
  [a, operator, b]: readonly [string, string, string],
  cast = "",
): string {
  const condition = `${cast}(${a}) ${operator} ${cast}(${b})`;
  return check(name, parameters, condition, `#${a} " ${operator} " #${b}`);
}

export const comparisons = [
  ["eq", "=="],
  ["ne", "!="],
  ["lt", "<"],
  ["le", "<="],
  ["gt", ">"],
  ["ge", ">="],
] as const;
