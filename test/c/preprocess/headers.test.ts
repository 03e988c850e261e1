import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { builtinHeader, builtinHeaderNames } from "../../../src/c/preprocess/preprocessFile.ts";
import { hasTool } from "../../support/tools.ts";
import { parseText } from "../parse/parseText.ts";
import { preprocessText, textOf } from "./preprocessText.ts";

function gcc(text: string, ...options: string[]): string {
  const all = ["-fsyntax-only", "-w", "-D_GNU_SOURCE", "-xc", ...options, "-"];
  return spawnSync("gcc", all, { input: text, encoding: "utf8" }).stderr;
}

/** What our headers make of a text. */
function expansion(headers: readonly string[], text: string): string {
  const includes = headers.map((header) => `#include <${header}>\n`).join("");
  const marked = textOf(preprocessText(`${includes}int tracefold_begins;${text}`)).replace(/\s+/g, " ");
  return marked.slice(marked.indexOf("tracefold_begins ;") + "tracefold_begins ;".length).trim();
}

/** Macros of a header that stand for a number. */
function numbersIn(header: string): string[] {
  const names = [...builtinHeader(header)!.matchAll(/^#define (\w+) (.+)$/gm)];
  return names.filter(([, name, value]) => !name!.startsWith("__") && /^[-(\w]/.test(value!)).map(([, name]) => name!);
}

const NUMERIC = [
  "limits.h",
  "stdint.h",
  "float.h",
  "errno.h",
  "stdlib.h",
  "stdio.h",
  "signal.h",
  "fcntl.h",
  "unistd.h",
];
// Not constants, or not the same in every C library.
const SKIPPED = new Set([
  "errno",
  "stdin",
  "stdout",
  "stderr",
  "alloca",
  "MB_CUR_MAX",
  "IOV_MAX",
  "FOPEN_MAX",
  "TMP_MAX",
]);

describe("built-in headers", () => {
  it.each(builtinHeaderNames())("<%s> stands alone, twice, and parses", (header) => {
    expect(() => parseText(`#include <${header}>\n#include <${header}>\nint x;`)).not.toThrow();
  });

  it("can be included together", () => {
    const text = builtinHeaderNames()
      .map((header) => `#include <${header}>\n`)
      .join("");
    expect(parseText(text).items.length).toBeGreaterThan(200);
  });

  it("keep an assertion as a call, unless NDEBUG is defined", () => {
    expect(expansion(["assert.h"], "assert(x);")).toBe("assert ( x ) ;");
    expect(textOf(preprocessText("#define NDEBUG\n#include <assert.h>\nassert(x);"))).toBe("( ( void ) 0 ) ;");
    const switched = "#include <assert.h>\n#define NDEBUG\n#include <assert.h>\nassert(x);";
    expect(textOf(preprocessText(switched))).toContain("( ( void ) 0 ) ;");
  });
});

describe.skipIf(!hasTool("gcc"))("built-in headers agree with the system's", () => {
  it.each(NUMERIC)("<%s>: the same numbers of the same types", (header) => {
    const names = numbersIn(header).filter((name) => !SKIPPED.has(name));
    expect(names.length).toBeGreaterThan(2);
    const lines = names.map((name) => {
      const value = expansion([header], name);
      return `_Static_assert((${name}) == (${value}) && sizeof(${name}) == sizeof(${value}), "${name}");`;
    });
    expect(gcc(`#include <${header}>\n#include <stddef.h>\n${lines.join("\n")}`)).toBe("");
  });

  it("has the same types", () => {
    const includes = ["stdint.h", "stddef.h", "sys/types.h", "unistd.h", "time.h", "signal.h"].map(
      (header) => `#include <${header}>\n`,
    );
    const ours = textOf(preprocessText(includes.join(""))).replace(/\s+/g, " ");
    const typedefs = [...ours.matchAll(/typedef ((?:(?:un)?signed |short |long |char |int )+)(\w+) ;/g)];
    expect(typedefs.length).toBeGreaterThan(50);
    const checks = typedefs.map(
      ([, type, name]) => `_Static_assert(__builtin_types_compatible_p(${name}, ${type}), "${name}");\n`,
    );
    expect(gcc(`${includes.join("")}${checks.join("")}`)).toBe("");
  });

  it("has the same prototypes of functions", () => {
    const headers = builtinHeaderNames().filter((header) => header !== "iso646.h" && header !== "stdnoreturn.h");
    const includes = headers.map((header) => `#include <${header}>\n`).join("");
    const ours = textOf(preprocessText(includes)).replace(/\s+/g, " ");
    // Functions that the C library defines as macros, or with the const of another decade.
    const skipped =
      /\b(assert|setjmp|sigsetjmp|alloca|isascii|toascii|gets|longjmp|siglongjmp|gettimeofday|fgetpos|fsetpos)\b/;
    const prototypes = ours
      .split(";")
      .map((text) => text.trim())
      .filter(
        (text) =>
          /^[\w ]+[* ]+\w+ \(.*\)( __attribute__.*)?$/.test(text) && !/^(typedef|extern|struct \w+ {)/.test(text),
      )
      .filter((text) => !skipped.test(text));
    expect(prototypes.length).toBeGreaterThan(250);
    const undefine = prototypes.map((text) => `#undef ${/(\w+) \(/.exec(text)![1]}\n`).join("");
    expect(gcc(`${includes}${undefine}${prototypes.map((text) => `extern ${text};\n`).join("")}`, "-fno-builtin")).toBe(
      "",
    );
  });

  it("has the same format macros", () => {
    const names = [...builtinHeader("inttypes.h")!.matchAll(/^#define ((?:PRI|SCN)\w+)/gm)].map(([, name]) => name!);
    const lines = names.map((name) => {
      const value = expansion(["inttypes.h"], name);
      return `_Static_assert(!__builtin_strcmp(${name}, ${value}), "${name}");`;
    });
    expect(gcc(`#include <inttypes.h>\n${lines.join("\n")}`)).toBe("");
  });
});
