import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSystemError } from "../../../../src/base/systemError.ts";
import { preprocess } from "../../../../src/frontend/c/preprocess/preprocess.ts";
import type { PreprocessedSource } from "../../../../src/frontend/c/preprocess/preprocessedSource.ts";
import { hasTool } from "../../../support/tools.ts";
import { preprocessText, tokensOf } from "./preprocessText.ts";

/** The place of the first occurrence of a word in the result, as `file:line:column-column`. */
function placeOf(source: PreprocessedSource, word: string, from = 0): string {
  const at = source.text.indexOf(word, from);
  const { file, line, column, endColumn } = source.rangeOf(at, at + word.length);
  return `${file}:${line}:${column}-${endColumn}`;
}

describe("a file that is already preprocessed", () => {
  const text = '# 1 "orig.c"\nint x =\n# 16 "orig.c"\n  y + \\\n z;\r\n#pragma nothing\n#line 3\nint w; # 1\n';

  it("is taken as it is, its places are its own", () => {
    const source = preprocessText(text);
    expect(tokensOf(source.text).join(" ")).toBe("int x = y + z ; int w ; # 1");
    expect(source.text.length).toBe(text.length);
    expect(placeOf(source, "y")).toBe("test.c:4:3-4");
    expect(placeOf(source, "w")).toBe("test.c:8:5-6");
  });

  it("keeps the one pragma that means something", () => {
    const source = preprocessText('# 1 "a.c"\n#pragma pack(1)\nstruct s { int x; };\n#pragma pack()\nstruct t z;');
    expect(tokensOf(source.text).join(" ")).toBe("struct __attribute__ ( ( packed ) ) s { int x ; } ; struct t z ;");
    expect(placeOf(source, "x")).toBe("test.c:3:16-17");
  });

  it("is not preprocessed again", () => {
    expect(preprocess({ path: "a.i", text: "__LINE__ NULL" }, options).text).toBe("__LINE__ NULL");
    expect(preprocess({ path: "a.i", text: "#if 0\nx\n#endif\ny" }, options).text.trim()).toBe("y");
    expect(preprocessText('# 1 "a.c"\n#define A 1\nA __LINE__').text.trim()).toBe("1 2");
  });
});

const options = { dataModel: "LP64", mode: "auto", readFile: () => null } as const;

describe.skipIf(!hasTool("gcc"))("gcc -E", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tracefold-test-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const readFile = (path: string): string | null => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return null;
    }
  };

  it("is used for a header that is not built in, and says so", () => {
    const path = join(folder, "a.c");
    writeFileSync(join(folder, "own.h"), "#define TWO 2\nint own;\n");
    const text =
      '#include <pthread.h>\n#include "own.h"\n#include <assert.h>\nint main(void) {\n  assert(own + TWO > own);\n}\n';
    const source = preprocess({ path, text }, { ...options, readFile });
    expect(source.notes.map(({ message }) => message)).toEqual([
      "the system header <pthread.h> is not built in: preprocessed with gcc -E",
    ]);
    const main = source.text.lastIndexOf("main");
    expect(tokensOf(source.text.slice(main)).join(" ")).toBe("main ( void ) { assert ( own + 2 > own ) ; }");
    expect(placeOf(source, "assert", main)).toBe(`${path}:5:3-9`);
    expect(placeOf(source, "own +", main)).toBe(`${path}:5:10-15`);
    expect(placeOf(source, "2", main)).toBe(`${path}:5:16-19`);
    expect(placeOf(source, "> own", main)).toBe(`${path}:5:20-25`);
    expect(placeOf(source, "own;")).toBe(`${join(folder, "own.h")}:2:5-9`);
    expect(source.files.map((file) => file.path)).toEqual([path, join(folder, "own.h")]);
  });

  it("reports its errors with their places", () => {
    const path = join(folder, "b.c");
    const text = "\n#include <no/such/header.h>\n";
    expect(() => preprocess({ path, text }, { ...options, readFile, mode: "gcc" })).toThrow(
      expect.objectContaining({
        code: "TF120",
        range: expect.objectContaining({ file: path, line: 2, column: 10 }),
      }),
    );
  });

  it("gives the same tokens as the built-in preprocessor on a program without headers", () => {
    const text = "#define SQUARE(x) ((x) * (x))\nint f(int a) {\n  return SQUARE(a +\n    1) - SQUARE(2);\n}\n";
    const byGcc = preprocess({ path: "x.c", text }, { ...options, mode: "gcc" });
    const builtin = preprocess({ path: "x.c", text }, { ...options, mode: "builtin" });
    expect(tokensOf(byGcc.text)).toEqual(tokensOf(builtin.text));
    expect(placeOf(byGcc, "return")).toBe(placeOf(builtin, "return"));
    expect(placeOf(byGcc, "f")).toBe(placeOf(builtin, "f"));
  });
});
