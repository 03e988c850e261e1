import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatError, TracefoldError } from "../../../src/base/errors.ts";
import { compilerWords, databaseProject, splitCommand } from "../../../src/c/compileDatabase.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { loadProject } from "../../../src/languages/loadProject.ts";
import { hasTool } from "../../support/tools.ts";

const settings = { dataModel: "LP64", entry: "main", includeFolders: [], defines: [] } as const;

describe("the words of a command", () => {
  const commands = [
    "gcc -c a.c",
    `gcc '-DNAME="a b"' -D'X=1 2' -o a\\ b.o "c d.c"`,
    `cc -DQ=\\"q\\" "-DP=\\"p\\" \\x \\\\" ''  e''f`,
    "cc\t-I   x\n-I y\\\nz",
  ];
  it.each(commands)("%s", (command) => {
    const shell = spawnSync("sh", ["-c", `for w in ${command}; do printf '%s\\0' "$w"; done`], { encoding: "utf8" });
    // Outside of a list a newline ends a command; in the file it is only white space.
    const expected = shell.status === 0 ? shell.stdout.split("\0").slice(0, -1) : ["cc", "-I", "x", "-I", "yz"];
    expect(splitCommand(command)).toEqual(expected);
  });

  it("say how a file is read", () => {
    const words =
      "-g -O2 -Wall -Ia -I b -isystem s -iquote q -idirafter z -DX -D Y=2 -UZ -UX -DZ=1 -include i.h -std=c99 -fcommon -m32 -o x.o -c x.c";
    expect(compilerWords(words.split(" "), (path) => `/${path}`)).toEqual({
      includeFolders: ["/a", "/b", "/s", "/z"],
      quoteFolders: ["/q"],
      defines: ["Y=2", "Z=1"],
      undefines: ["X"],
      headers: ["i.h"],
      standard: "c99",
      common: true,
      narrow: true,
      language: null,
      refused: null,
    });
    expect(compilerWords(["-funsigned-char"], (path) => path).refused).toBe("-funsigned-char");
    expect(compilerWords(["-xc", "-ansi"], (path) => path)).toMatchObject({ language: "c", standard: "c90" });
  });
});

describe("a project of a compile_commands.json", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tracefold-project-"));
    for (const name of ["src", "build", "include", "forced"]) mkdirSync(join(folder, name));
    write(
      "src/main.c",
      '#include <stdio.h>\n#include "unit.h"\n#include "local.h"\nint other(void);\nint main(void) { printf("%d %d %d %d\\n", UNIT, LEVEL, LOCAL, other()); return 0; }\n',
    );
    write(
      "src/other.c",
      "#include <unit.h>\n#ifdef linux\n#error linux\n#endif\n#if __STDC_VERSION__ != 199901L\n#error version\n#endif\nint other(void) { return UNIT * 100 + LEVEL; }\n",
    );
    write("src/local.h", "#define LOCAL 9\n");
    write("include/unit.h", "#ifndef UNIT\n#define UNIT 1\n#endif\n");
    write("forced/level.h", "#define LEVEL 7\n");
    write("src/tool.cpp", "int main() {}\n");
    database("compile_commands.json", [
      {
        directory: "../build",
        file: "../src/main.c",
        command: "gcc -I../include -DUNIT=3 -include ../forced/level.h -c ../src/main.c",
      },
      {
        directory: join(folder, "build"),
        file: join(folder, "src/other.c"),
        arguments: ["gcc", "-std=gnu99", "-Ulinux", "-I", "../include", "-DLEVEL=5", "-c", "../src/other.c"],
      },
      { directory: join(folder, "build"), file: "../src/tool.cpp", command: "g++ -c ../src/tool.cpp" },
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const database = (name: string, entries: unknown) => write(`build/${name}`, JSON.stringify(entries));
  const problem = async (
    path: string,
    named: readonly string[] = [],
    given: Partial<typeof settings> | object = {},
  ) => {
    try {
      await loadProject(await databaseProject(path, named, { ...settings, ...given }));
      return "accepted";
    } catch (error) {
      if (!(error instanceof TracefoldError)) throw error;
      return formatError(error);
    }
  };

  const preprocessors = (["builtin", "gcc"] as const).filter((name) => name === "builtin" || hasTool("gcc"));
  it.each(preprocessors)("reads each file as it is compiled (%s)", async (preprocess) => {
    for (const path of ["build", "build/compile_commands.json"]) {
      const project = await databaseProject(join(folder, path), [], settings);
      expect(project.files.map((file) => file.path.replace(/^.*\//, ""))).toEqual(["main.c", "other.c"]);
      const { stdout } = runProgram(await loadProject(project, { preprocess }));
      expect(Buffer.from(stdout).toString()).toBe("3 7 9 105\n");
    }
  });

  it("applies options of the command line to all files", async () => {
    const given = { defines: ["UNIT=8", "linux=1", "LEVEL=2"] };
    const project = await databaseProject(join(folder, "build"), [join(folder, "src/main.c")], {
      ...settings,
      ...given,
    });
    expect(project.files.map((file) => file.path.replace(/^.*\//, ""))).toEqual(["main.c"]);
    expect(project.files[0]).toMatchObject({ defines: ["UNIT=3", "UNIT=8", "linux=1", "LEVEL=2"] });
    expect(await problem(join(folder, "build"), [join(folder, "src/other.c")], given)).toMatch(/TF116: #error/);
  });

  it("reports what is wrong with it", async () => {
    expect(await problem(join(folder, "nowhere"))).toMatch(/^TF121: .*nowhere: there is no such file\n/);
    expect(await problem(join(folder, "src"))).toMatch(/^TF121: .*compile_commands\.json: there is no such file\n/);
    write("build/text.json", "{");
    expect(await problem(join(folder, "build/text.json"))).toMatch(/^TF121: .*text\.json: it is not JSON\n/);
    database("object.json", {});
    expect(await problem(join(folder, "build/object.json"))).toMatch(/it is not a list\n/);
    database("bad.json", [{ directory: ".", file: "a.c" }]);
    expect(await problem(join(folder, "build/bad.json"))).toMatch(/its entry 1 has no directory, file, and command/);
    database("cpp.json", [{ directory: ".", file: "../src/tool.cpp", command: "g++ ../src/tool.cpp" }]);
    expect(await problem(join(folder, "build/cpp.json"))).toMatch(/it lists no C file\n/);
    database("gone.json", [{ directory: ".", file: "gone.c", command: "gcc gone.c" }]);
    expect(await problem(join(folder, "build/gone.json"))).toMatch(/^TF101: .*gone\.c: there is no such file/);
    expect(await problem(join(folder, "build"), ["src/none.c"])).toMatch(
      /^TF122: src\/none\.c is not among the C files/,
    );
    database("char.json", [{ directory: ".", file: "../src/main.c", command: "gcc -funsigned-char ../src/main.c" }]);
    expect(await problem(join(folder, "build/char.json"))).toMatch(
      /^TF261: .*main\.c is compiled with -funsigned-char/,
    );
    database("narrow.json", [{ directory: ".", file: "../src/main.c", command: "gcc -m32 ../src/main.c" }]);
    expect(await problem(join(folder, "build/narrow.json"))).toMatch(
      /^TF122: .*ILP32, not LP64\n {2}Give --data-model/,
    );
    database("header.json", [{ directory: ".", file: "../src/main.c", command: "gcc -include no.h ../src/main.c" }]);
    expect(await problem(join(folder, "build/header.json"))).toMatch(/no\.h/);
  });
});
