import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SourceRange } from "../../../src/base/sourceRange.ts";
import type { Expr } from "../../../src/c/ast.ts";
import { bodyOf, parseText } from "./parseText.ts";

/** What the user reads at a place. */
function textAt(text: string, range: SourceRange): string {
  const lines = text.split("\n").slice(range.line - 1, range.endLine);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, range.endColumn - 1);
  lines[0] = lines[0]!.slice(range.column - 1);
  return lines.join("\n");
}

type Placed = { readonly kind?: string; readonly name?: unknown; readonly range?: SourceRange };

/** Every node of the tree that has a name and a place. */
function namesIn(value: unknown, found: { name: string; range: SourceRange }[] = []) {
  if (Array.isArray(value)) for (const item of value) namesIn(item, found);
  else if (typeof value === "object" && value !== null) {
    const { kind, name, range } = value as Placed;
    const isName = kind === "identifier" || kind === "name" || kind === "typedefName";
    if (isName && typeof name === "string" && range !== undefined) found.push({ name, range });
    for (const part of Object.values(value)) namesIn(part, found);
  }
  return found;
}

const examples = new URL("../../../examples/", import.meta.url);

describe("the place of a name", () => {
  const files = readdirSync(examples).filter((file) => file.endsWith(".c"));

  it.each(files)("is where the name is written: %s", (file) => {
    const text = readFileSync(new URL(file, examples), "utf8");
    const macros = new Set([...text.matchAll(/^\s*#\s*define\s+(\w+)/gm)].map(([, name]) => name));
    const names = namesIn(parseText(text)).filter(({ range }) => range.file === "test.c");
    expect(names.length).toBeGreaterThan(0);
    for (const { name, range } of names) {
      const written = textAt(text, range);
      if (!macros.has(/^\w*/.exec(written)![0])) expect(written).toBe(name);
    }
  });
});

/** The text that the place of the last statement's expression covers, and those of its parts by name. */
function places(text: string): (pick: (e: Expr) => Expr) => string {
  const item = bodyOf(parseText(text)).at(-1);
  if (item?.kind !== "expressionStatement") throw new Error("not an expression statement");
  return (pick) => textAt(text, pick(item.expression).range);
}

const argument = (index: number) => (e: Expr) => (e.kind === "call" ? e.arguments[index]! : e);
const left = (e: Expr) => (e.kind === "binary" ? e.left : e);
const whole = (e: Expr) => e;

describe("the place of an expression", () => {
  it("spans lines and comments, and keeps its parentheses", () => {
    const at = places("void f(int x) {\n  (x /* one */ +\n   1) * 2;\n}");
    expect(at(whole)).toBe("(x /* one */ +\n   1) * 2");
    expect(at(left)).toBe("(x /* one */ +\n   1)");
  });

  it("is the condition of an assertion as written", () => {
    const at = places("#include <assert.h>\n#define N 3\nvoid f(int x) { assert(x < N && x); }");
    expect(at(whole)).toBe("assert(x < N && x)");
    expect(at(argument(0))).toBe("x < N && x");
    expect(at((e) => left(left(argument(0)(e))))).toBe("x");
  });

  it("is the invocation for a macro's text, and its own place for an argument", () => {
    const at = places("#define TWICE(a) ((a) + (a))\nvoid f(int x) {\n  g(TWICE(x * 2), 1);\n}");
    expect(at(argument(0))).toBe("TWICE(x * 2)");
    expect(at((e) => left(argument(0)(e)))).toBe("TWICE(x * 2)");
    const inner = places("#define ID(a) a\nvoid f(int x) {\n  g(ID(x * 2), 1);\n}");
    expect(inner(argument(0))).toBe("x * 2");
    expect(inner((e) => left(argument(0)(e)))).toBe("x");
  });

  it("covers an invocation with something behind it", () => {
    expect(places("#define ID(a) a\nvoid f(int x) { ID(x) + 1; }")(whole)).toBe("ID(x) + 1");
    expect(places("#define ONE 1\nvoid f(int x) { ONE + ONE; }")(whole)).toBe("ONE + ONE");
  });

  it("goes through nested macros to the outermost one", () => {
    const text = "#define A(x) (x + 1)\n#define B(x) A(x) * 2\nvoid f(int x) { B(x); }";
    expect(places(text)(whole)).toBe("B(x)");
  });

  it("survives spliced lines, tabs and CRLF", () => {
    const text = "void f(int xyz) {\r\n\tx\\\r\nyz + 1;\r\n}";
    const at = places(text);
    expect(at(left)).toBe("x\\\r\nyz");
    expect(at(whole)).toBe("x\\\r\nyz + 1");
  });

  it("covers adjacent string literals", () => {
    expect(places('void f(void) { "a" /* x */ "b"; }')(whole)).toBe('"a" /* x */ "b"');
  });

  it("covers statements up to their ends", () => {
    const text = "void f(int x) {\n  if (x)\n    x = 1;\n  else\n    x = 2;\n}";
    const item = bodyOf(parseText(text))[0]!;
    expect(textAt(text, item.range)).toBe("if (x)\n    x = 1;\n  else\n    x = 2;");
    if (item.kind !== "if") throw new Error("not an if");
    expect(textAt(text, item.condition.range)).toBe("x");
    expect(textAt(text, item.else!.range)).toBe("x = 2;");
  });

  it("covers inline assembly, declarations and labels", () => {
    const text = 'void f(void) { asm volatile ("x" : :); static const int a = 1, *b; L: a; }';
    expect(bodyOf(parseText(text)).map((item) => textAt(text, item.range))).toEqual([
      'asm volatile ("x" : :);',
      "static const int a = 1, *b;",
      "L: a;",
    ]);
  });
});
