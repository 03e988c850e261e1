import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSystemError } from "../../../src/base/files.ts";
import type { PreprocessedSource } from "../../../src/c/preprocess/options.ts";
import { preprocess } from "../../../src/c/preprocess/preprocess.ts";
import { hasTool } from "../../support/tools.ts";
import { preprocessText, rangeIn, textOf, tokensOf } from "./preprocessText.ts";

/** The place of the first occurrence of a word in the result, as `file:line:column-column`. */
function placeOf(source: PreprocessedSource, word: string, from = 0): string {
  const at = textOf(source).indexOf(word, from);
  const { file, line, column, endColumn } = rangeIn(source, at, at + word.length);
  return `${file}:${line}:${column}-${endColumn}`;
}

describe("a file that is already preprocessed", () => {
  const text = '# 1 "orig.c"\nint x =\n# 16 "orig.c"\n  y + \\\n z;\r\n#pragma nothing\n#line 3\nint w; # 1\n';

  it("is not changed, and its places are its own", () => {
    const source = preprocessText(text);
    expect(textOf(source)).toBe("int x = y + z ; int w ; # 1");
    expect(placeOf(source, "y")).toBe("test.c:4:3-4");
    expect(placeOf(source, "w")).toBe("test.c:8:5-6");
  });

  it("keeps the pragma that has a meaning", () => {
    const source = preprocessText('# 1 "a.c"\n#pragma pack(1)\nstruct s { int x; };\n#pragma pack()\nstruct t z;');
    expect(textOf(source)).toBe("struct __attribute__ ( ( packed ) ) s { int x ; } ; struct t z ;");
    expect(placeOf(source, "x")).toBe("test.c:3:16-17");
  });

  it("is not preprocessed again", () => {
    expect(textOf(preprocess({ path: "a.i", text: "__LINE__ NULL" }, options))).toBe("__LINE__ NULL");
    expect(textOf(preprocess({ path: "a.i", text: "#if 0\nx\n#endif\ny" }, options))).toBe("y");
    expect(textOf(preprocessText('# 1 "a.c"\n#define A 1\nA __LINE__'))).toBe("1 2");
  });
});

const options = { dataModel: "LP64", mode: "auto", readFile: () => null } as const;

describe.skipIf(!hasTool("gcc"))("the headers of gcc", () => {
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

  it("are used for a header that is not built in, and a note says so", () => {
    const path = join(folder, "a.c");
    writeFileSync(join(folder, "own.h"), "#define TWO 2\nint own;\n");
    const text =
      '#include <pthread.h>\n#include "own.h"\n#include <assert.h>\nint main(void) {\n  assert(own + TWO > own);\n}\n';
    const source = preprocess({ path, text }, { ...options, readFile });
    expect(source.notes.map(({ message }) => message)).toEqual([
      "the system header <pthread.h> is not built in: the headers of gcc are used",
    ]);
    const main = textOf(source).lastIndexOf("main");
    expect(textOf(source).slice(main)).toBe("main ( void ) { assert ( own + 2 > own ) ; }");
    expect(placeOf(source, "assert", main)).toBe(`${path}:5:3-9`);
    expect(placeOf(source, "own +", main)).toBe(`${path}:5:10-15`);
    expect(placeOf(source, "2", main)).toBe(`${path}:5:16-19`);
    expect(placeOf(source, "> own", main)).toBe(`${path}:5:20-25`);
    expect(placeOf(source, "own ;")).toBe(`${join(folder, "own.h")}:2:5-9`);
    expect(source.files.map((file) => file.path)).toEqual([path, join(folder, "own.h")]);
  });

  it("are reported with a place if they are missing", () => {
    const path = join(folder, "b.c");
    const text = "\n#include <no/such/header.h>\n";
    expect(() => preprocess({ path, text }, { ...options, readFile, mode: "gcc" })).toThrow(
      expect.objectContaining({
        code: "TF118",
        message: "cannot find the header <no/such/header.h>",
        range: expect.objectContaining({ file: path, line: 2 }),
      }),
    );
  });

  it("are refused for a standard that gcc does not know", () => {
    const asked = { ...options, readFile, mode: "gcc", standard: "c3000" } as const;
    expect(() => preprocess({ path: "c.c", text: "" }, asked)).toThrow(expect.objectContaining({ code: "TF120" }));
  });

  it("leave #pragma pack and the columns of macros as they are", () => {
    const text = "#include <pthread.h>\n#define ONE 1\n#pragma pack(1)\nstruct s { int x; } s = { ONE };\n";
    const source = preprocess({ path: "d.c", text }, { ...options, readFile });
    expect(textOf(source)).toMatch(/struct __attribute__ \( \( packed \) \) s \{ int x ; \} s = \{ 1 \} ;$/);
    expect(placeOf(source, "1 }")).toBe("d.c:4:27-32");
  });

  const headers =
    "aio arpa/inet complex dirent dlfcn fcntl fenv float glob grp inttypes langinfo limits locale math net/if netdb ".concat(
      "netinet/in poll pthread pwd regex sched search semaphore setjmp signal stdarg stdatomic stdbool stddef stdint stdio ",
      "stdlib string strings sys/mman sys/select sys/socket sys/stat sys/time sys/types sys/wait syslog termios tgmath ",
      "threads time ucontext unistd utime wchar wctype",
    );

  it.each(["gnu17", "c99"])("become the tokens of gcc -E, with -std=%s", (standard) => {
    const text = headers
      .split(" ")
      .map((name) => `#include <${name}.h>\n`)
      .join("");
    const source = preprocess({ path: "e.c", text }, { ...options, readFile, mode: "gcc", standard });
    const gcc = spawnSync("gcc", ["-E", "-P", "-xc", `-std=${standard}`, "-"], { input: text, encoding: "utf8" });
    expect(gcc.status).toBe(0);
    expect(source.tokens.texts.slice(0, -1)).toEqual(tokensOf(gcc.stdout.replaceAll(/^#pragma.*$/gm, "")));
    expect(source.files.map(({ path }) => path)).toEqual(["e.c"]);
  });
});
