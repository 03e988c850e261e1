import { describe, expect, it } from "vitest";
import { formatError, TracefoldError } from "../../../src/base/errors.ts";
import { parseText } from "./parseText.ts";

function errorOf(text: string): TracefoldError {
  try {
    parseText(text);
  } catch (error) {
    if (error instanceof TracefoldError) return error;
    throw error;
  }
  throw new Error("no error");
}

/** Wrong text, and the first line of the message. */
const WRONG: readonly (readonly [string, string])[] = [
  ["int f(void) { return 1 +; }", "test.c:1:25: TF103: expected an expression, found ';'"],
  ["int f(void) {\n  x = 1\n}", "test.c:3:1: TF103: expected ';' after an expression, found '}'"],
  ["int f(void) {", "test.c:1:13: TF103: expected '}' for the block, found '{'"],
  ["int f(void) { foo_t x; }", "test.c:1:15: TF103: expected a type name, found 'foo_t'"],
  ["foo_t *f(void);", "test.c:1:1: TF103: expected a type name, found 'foo_t'"],
  ["int f(foo_t, int);", "test.c:1:7: TF103: expected a type name, found 'foo_t'"],
  ["struct s { foo_t x; };", "test.c:1:12: TF103: expected a type name, found 'foo_t'"],
  ["int f(void) { return (foo_t *)0; }", "test.c:1:23: TF103: expected a type name, found 'foo_t'"],
  ["int f(void) { return {1}; }", "test.c:1:22: TF103: expected an expression, found '{'"],
  ["int x = 3 }", "test.c:1:11: TF103: expected ';' after a declaration, found '}'"],
  ["}", "test.c:1:1: TF103: expected a declaration or a function, found '}'"],
  ["int while;", "test.c:1:5: TF103: expected a name, found 'while'"],
  ["typedef int T; int f(void) { return T; }", "test.c:1:37: TF103: expected an expression, found 'T'"],
  ["int f(void) { 1 = x = 2; }", "test.c:1:17: TF103: the left side of the assignment cannot be assigned, found '='"],
  ["int f(int x) { x++ = 2; }", "test.c:1:20: TF103: the left side of the assignment cannot be assigned, found '='"],
  ["int f(int *a) { a[1 = 2; }", "test.c:1:21: TF103: the left side of the assignment cannot be assigned, found '='"],
  ["int f(int a, ..., int b);", "test.c:1:17: TF103: expected ')' after the parameters, found ','"],
  ["int (*f)(int) { return 1; }", "test.c:1:15: TF103: expected ';' after a declaration, found '{'"],
  ["int f(int a[3) { return 1; }", "test.c:1:14: TF103: expected ']' after an array's length, found ')'"],
  ["int f(void) { return (1; }", "test.c:1:24: TF103: expected ')' to close the parenthesis, found ';'"],
  ["int f(int x) { return x ? 1; }", "test.c:1:28: TF103: expected ':' in a conditional expression, found ';'"],
  ["int f(int x) { return && x[1]; }", "test.c:1:27: TF103: expected ';' after 'return', found '['"],
  ["int f(int x) { do x--; }", "test.c:1:24: TF103: expected 'while' after the body of 'do', found '}'"],
  ["int f(int x) { if x; }", "test.c:1:19: TF103: expected '(' before the condition, found 'x'"],
  ["struct { int x; int ; y } s;", "test.c:1:23: TF103: expected a type name, found 'y'"],
  ["struct s { int x;", "test.c:1:18: TF103: expected a member declaration, found the end of the file"],
  ["int f(void) { _Static_assert(int, 1); }", "test.c:1:30: TF103: expected an expression, found 'int'"],
  [
    "int _Alignof_1 = _Alignof(int) { 1 };",
    "test.c:1:18: TF103: expected a type name after _Alignof, found '_Alignof'",
  ],
  ["enum { 1 };", "test.c:1:8: TF103: expected the name of an enumerator, found '1'"],
  ["union;", "test.c:1:6: TF103: expected a tag or '{', found ';'"],
  ["int x __attribute__((aligned(8));", "test.c:1:33: TF103: expected ')' after an attribute, found ';'"],
  ["unsigned struct s x;", "test.c:1:10: TF103: two types in one declaration, found 'struct'"],
  ["int f(void) { return && 1; }", "test.c:1:22: TF103: expected an expression, found '&&'"],
  ["int f(void) { else x; }", "test.c:1:15: TF103: expected an expression, found 'else'"],
  ["int f(int x) { case 1 x; }", "test.c:1:23: TF103: expected ':' after a label, found 'x'"],
  ["int f(int x) { x * x = 2; }", "test.c:1:22: TF103: the left side of the assignment cannot be assigned, found '='"],
  [
    "int f(int x) { x ? x : x = 2; }",
    "test.c:1:26: TF103: the left side of the assignment cannot be assigned, found '='",
  ],
  ["int f(int x) { (int)x = 2; }", "test.c:1:23: TF103: the left side of the assignment cannot be assigned, found '='"],
  ["static extern int x;", "test.c:1:8: TF103: two storage classes in one declaration, found 'extern'"],
  ['char *s = "abc;\n', 'test.c:1:11: TF102: the literal "abc; is not closed on its line'],
  ["int x = @;", "test.c:1:9: TF102: '@' is not part of C"],
  ["int x = '';", "test.c:1:9: TF104: empty character constant"],
  ['char *s = "\\u12";', "test.c:1:11: TF104: incomplete universal character name"],
  ["int x; /* never closed", "test.c:1:8: TF101: this comment is not closed"],
  ["int f(void) { int g(void) { } }", "test.c:1:15: TF201: nested functions are not supported"],
  ['asm("nop");', "test.c:1:1: TF201: inline assembly is not supported"],
  ["double _Complex z; double f(void) { return __real__ z; }", "test.c:1:44: TF201: complex numbers are not supported"],
];

describe("a program that cannot be parsed", () => {
  it.each(WRONG)("%j", (text, expected) => {
    expect(formatError(errorOf(text)).split("\n")[0]).toBe(expected);
  });
});
