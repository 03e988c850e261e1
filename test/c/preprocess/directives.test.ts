import { describe, expect, it } from "vitest";
import { formatError, TracefoldError } from "../../../src/base/errors.ts";
import { expand, preprocessText, rangeIn, textOf } from "./preprocessText.ts";

const CONDITIONS: readonly (readonly [string, boolean])[] = [
  ["1", true],
  ["0", false],
  ["defined A", true],
  ["defined(A) && !defined B", true],
  ["A == 2 && A(3)", false],
  ["UNKNOWN", false],
  ["-1 > 0u", true],
  ["-1 > 0", false],
  ["(2 || 1 / 0) == 1", true],
  ["0 && 1 / 0", false],
  ["1 ? 2 : 1 / 0", true],
  ["(0 ? -1 : 0u) - 1 > 0", true],
  ["'a' == 97 && '\\n' == 10 && '\\377' < 0", true],
  ["0x7fffffffffffffff + 1 < 0", true],
  ["18446744073709551615u == -1", true],
  ["1 << 4 == 16 && -16 >> 2 == -4", true],
  ["010 == 8 && 0b11 == 3 && 0xFUL == 15ull", true],
  ["~0 == -1 && !5 == 0 && +3 == 3 && 7 % 4 == 3 && -7 / 2 == -3", true],
  ["(1, 2) == 2", true],
  ["1 | 2 ^ 2 & 3", true],
  ["F(1) + F(2) == 3", true],
  ["HAS_A", true],
  ["__has_include(<stdio.h>) && !__has_include(<nothing.h>)", true],
  ["__LINE__ == 5", true],
];

describe("a condition", () => {
  it.each(CONDITIONS)("#if %s", (condition, expected) => {
    const text = `#define A 2
#define F(x) x
#define HAS_A defined(A)
/* line 4 */
#if ${condition.replace("A(3)", "A - 2")}
yes
#else
no
#endif`;
    expect(expand(text)).toBe(expected ? "yes" : "no");
  });
});

describe("groups", () => {
  it("chooses the first that holds", () => {
    expect(expand("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif e")).toBe("b");
    expect(expand("#ifdef X\na\n#else\nb\n#endif\n#ifndef X\nc\n#endif")).toBe("b c");
    expect(expand("#if 1\na\n#elif 1 / 0\nb\n#endif")).toBe("a");
  });

  it("skips what is not C, whole conditions, and comments", () => {
    expect(expand("#if 0\ndon't #\n#if 1\nx\n#else\ny\n#endif\n#unknown\n/*\n#endif\n*/\n#endif\nz")).toBe("z");
    expect(expand('#if 0\n"\n#error no\n#else\nx\n#endif')).toBe("x");
  });
});

const FILES: Readonly<Record<string, string>> = {
  "a.h": '#pragma once\n#include "dir/b.h"\na',
  "dir/b.h": '#ifndef B\n#define B\n#include "c.h"\nb\n#endif',
  "dir/c.h": "c",
  "include/sys.h": "system",
  "include/stdio.h": "mine",
  "loop.h": '#include "loop.h"',
  "open.h": "#if 1\n",
};

describe("#include", () => {
  it("looks beside the file, then along the include paths, then among the built-in headers", () => {
    expect(expand('#include "a.h"\n#include "a.h"\n#include "dir/b.h"\nend', FILES)).toBe("c b a end");
    const options = { includePaths: ["include"] };
    expect(textOf(preprocessText("#include <sys.h>\n#include <stdio.h>", options, FILES))).toBe("system mine");
    expect(expand('#define NAME "a.h"\n#include NAME\n#define LT <dir/c.h>\n', FILES)).toBe("c b a");
    expect(expand("#include <limits.h>\nINT_MAX")).toBe("2147483647");
  });

  it("names the user's files, with their hashes, each once", () => {
    const { files } = preprocessText('#include "a.h"\n#include "dir/c.h"\n#include <stdio.h>', {}, FILES);
    expect(files.map(({ path }) => path)).toEqual(["test.c", "a.h", "dir/b.h", "dir/c.h"]);
    expect(files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))).toBe(true);
  });

  it("maps text of a header to the header", () => {
    const source = preprocessText('#include "dir/c.h"\nx', {}, FILES);
    const at = (word: string) => rangeIn(source, textOf(source).indexOf(word), textOf(source).indexOf(word) + 1);
    expect(at("c")).toEqual({ file: "dir/c.h", line: 1, column: 1, endLine: 1, endColumn: 2 });
    expect(at("x")).toMatchObject({ file: "test.c", line: 2 });
  });
});

describe("definitions from outside", () => {
  it("are those of -D, and those of the data model", () => {
    const defines = ["A", "B=2", "F(x)=x+1"];
    expect(textOf(preprocessText("A B F(3)", { defines }))).toBe("1 2 3 + 1");
    const model = "#ifdef __LP64__\nwide\n#else\nnarrow\n#endif\n__SIZEOF_LONG__";
    expect(textOf(preprocessText(model, { dataModel: "LP64" }))).toBe("wide 8");
    expect(textOf(preprocessText(model, { dataModel: "ILP32" }))).toBe("narrow 4");
  });
});

describe("pragmas and warnings", () => {
  it("saves and restores macros, also those that are not defined", () => {
    const text = `#define X 1
#pragma push_macro("X")
#pragma push_macro("Y")
#undef X
#define X 2
#define Y 3
X Y
#pragma pop_macro("X")
#pragma pop_macro("Y")
#pragma pop_macro("Y")
X Y`;
    expect(expand(text)).toBe("2 3 1 Y");
    const operator = `#define SAVE(name) _Pragma(#name)
#define X 1
SAVE(push_macro("X"))
#undef X
X
_Pragma("pop_macro(\\"X\\")") X`;
    expect(expand(operator)).toBe("X 1");
  });

  it("packs structs as _Pragma says", () => {
    const text = '#define PACKED(s) _Pragma("pack(push, 1)") s _Pragma("pack(pop)")\nPACKED(struct s;) struct t;';
    expect(expand(text)).toBe("struct __attribute__ ( ( packed ) ) s ; struct t ;");
  });

  it("packs structs and says what it ignores", () => {
    const packed = expand("#pragma pack(push, 1)\nstruct s;\n#pragma pack(pop)\nstruct t;");
    expect(packed).toBe("struct __attribute__ ( ( packed ) ) s ; struct t ;");
    const { notes } = preprocessText("#pragma pack(4)\n#warning careful\n#define A 1\n#define A 2\n#define A 2");
    expect(notes.map(({ message }) => message)).toEqual([
      "#pragma pack(4) is ignored: structs keep their usual layout",
      "#warning careful",
      "macro 'A' is redefined",
    ]);
  });
});

function messageOf(text: string): string {
  try {
    preprocessText(text, {}, FILES);
  } catch (error) {
    if (error instanceof TracefoldError) return formatError(error).split("\n")[0]!;
    throw error;
  }
  throw new Error("no error");
}

const WRONG: readonly (readonly [string, string])[] = [
  ["#if 1\nx", "test.c:1:2: TF115: this #if has no #endif"],
  ["#if 0\nx", "test.c:1:2: TF115: this #if has no #endif"],
  ["#endif", "test.c:1:2: TF115: #endif without #if"],
  ["#if 1\n#else\n#else\n#endif", "test.c:3:2: TF115: #else after #else"],
  ["#else", "test.c:1:2: TF115: #else without #if"],
  ["#if\n#endif", "test.c:1:2: TF114: #if has no condition"],
  ["#if 1 +\n#endif", "test.c:1:7: TF114: expected a value in a condition"],
  ["#if 1 / 0\n#endif", "test.c:1:9: TF114: division by zero in a condition"],
  ["#if 1.5\n#endif", "test.c:1:5: TF114: not an integer in a condition: '1.5'"],
  ["#if 1 2\n#endif", "test.c:1:7: TF114: unexpected token in a condition: '2'"],
  ["#error this is wrong", "test.c:1:2: TF116: #error this is wrong"],
  ["#nonsense", "test.c:1:2: TF110: unknown directive #nonsense"],
  ["#define", "test.c:1:2: TF111: expected the name of a macro after #define"],
  ["#define defined 1", "test.c:1:9: TF111: 'defined' cannot be a macro"],
  ["#define f(a, a) a", "test.c:1:14: TF111: two macro parameters have the same name"],
  ["#define f(a #a", "test.c:1:13: TF111: expected ',' or ')' among a macro's parameters"],
  ["#define f(a) # b", "test.c:1:14: TF111: '#' is not followed by a macro parameter"],
  ["#define a ## b", "test.c:1:11: TF111: '##' cannot be at either end of a macro"],
  ["#define f(a, b) a\nf(1)", "test.c:2:1: TF112: macro 'f' takes 2 arguments, but 1 is given"],
  ["#define f(a) a\nf(1, 2)", "test.c:2:1: TF112: macro 'f' takes 1 argument, but 2 are given"],
  ["#define f(a) a\nf(1", "test.c:2:1: TF112: the invocation of macro 'f' is not closed"],
  ["#define f(a, b) a ## b\nf(+, /)", "test.c:2:1: TF113: '+' and '/' cannot be pasted into one token by macro 'f'"],
  ["#include", 'test.c:1:2: TF117: expected "file" or <file> after #include'],
  ['#include "no.h"', 'test.c:1:2: TF118: cannot find the header "no.h"'],
  ["\n#include <no.h>", "test.c:2:2: TF119: the system header <no.h> is not built in"],
  ['#include "open.h"', "open.h:1:2: TF115: this #if has no #endif"],
  ['#include "loop.h"', "loop.h:1:2: TF302: headers include each other more than 200 deep"],
  ["int x = '1;\nint y = '2;", "test.c:1:9: TF102: the literal '1; is not closed on its line"],
  ["int x; /* open", "test.c:1:8: TF101: this comment is not closed"],
];

describe("limits", () => {
  it("stops macros that double forever", () => {
    const lines = Array.from({ length: 60 }, (_, i) => `#define M${i + 1} M${i} M${i}\n`).join("");
    expect(messageOf(`#define M0 x\n${lines}int M60;`)).toBe(
      "test.c:62:5: TF303: the macros expand to more than a million tokens",
    );
  });

  it("stops arguments inside arguments inside arguments", () => {
    const deep = `#define F(x) x\nint y = ${"F(".repeat(4000)}1${")".repeat(4000)};`;
    expect(messageOf(deep)).toBe("test.c:1:1: TF301: the program's macros are nested too deeply to be expanded");
  });
});

describe("a program that cannot be preprocessed", () => {
  it.each(WRONG)("%j", (text, expected) => {
    expect(messageOf(text)).toBe(expected);
  });
});
