import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatError, TracefoldError } from "../../../src/base/errors.ts";
import { cFrontEnd } from "../../../src/c/cFrontEnd.ts";
import type { FrontEndOptions } from "../../../src/frontEnd/frontEnd.ts";
import { type ProjectSettings, projectOf } from "../../../src/frontEnd/project.ts";
import type { Program } from "../../../src/ir/program.ts";
import { hasTool } from "../../support/tools.ts";

/** Texts as a.c, b.c, … */
function named(texts: readonly string[]): { path: string; text: string }[] {
  return texts.map((text, i) => ({ path: `${"abcdef"[i]}.c`, text }));
}

function link(texts: readonly string[], options: FrontEndOptions & ProjectSettings = {}): Promise<Program> {
  return cFrontEnd.load(projectOf(named(texts), options), { preprocess: "builtin", ...options });
}

async function problem(texts: readonly string[], options: FrontEndOptions & ProjectSettings = {}): Promise<string> {
  try {
    await link(texts, options);
    return "accepted";
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return formatError(error);
  }
}

function gccLinks(texts: readonly string[], flags: readonly string[] = []): boolean {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-link-"));
  try {
    for (const { path, text } of named(texts)) writeFileSync(join(folder, path), text);
    const files = named(texts).map(({ path }) => path);
    return spawnSync("gcc", ["-w", ...flags, ...files, "-o", "program"], { cwd: folder }).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const main = "int main(void) { return 0; }";

/** What gcc and its linker reject too. */
const rejected: readonly (readonly [name: string, texts: readonly string[], message: RegExp])[] = [
  [
    "two bodies",
    ["int f(void) { return 1; }\nint main(void) { return f(); }", "\nint f(void) { return 2; }"],
    /^b\.c:2:1: TF152: f is defined twice: here and at a\.c:1:1\n.*static/,
  ],
  [
    "two mains",
    [main, main],
    /^b\.c:1:1: TF152: main is defined twice: here and at a\.c:1:1\n {2}A program has one main/,
  ],
  [
    "two initialised variables",
    ["int x = 1; int main(void) { return x; }", "int x = 2;"],
    /^b\.c:1:5: TF152: x is defined twice: here and at a\.c:1:5\n {2}Declare it extern/,
  ],
  [
    "two tentative definitions",
    ["int x; int main(void) { return x; }", "int x;"],
    /^b\.c:1:5: TF152: x is defined twice/,
  ],
  ["a tentative and an initialised one", ["int x; int main(void) { return x; }", "int x = 1;"], /^b\.c:1:5: TF152: x/],
  [
    "two initialisers in one file",
    [`int x = 1;\nint x = 2; ${main}`],
    /^a\.c:2:5: TF152: x is defined twice: .*a\.c:1:5/,
  ],
  [
    "a function and a variable",
    ["int f(void) { return 1; }\nint main(void) { return f(); }", "int f = 3; "],
    /^b\.c:1:5: TF180: f is a variable here, but a function at a\.c:1:1/,
  ],
  [
    "declarations in one file that do not fit",
    ["int f(int);\nint f(char *p) { return *p; }\nint main(void) { return f(0); }"],
    /^a\.c:2:1: TF183: f is declared as int f\(char \*\) here, but as int f\(int\) at a\.c:1:5/,
  ],
  [
    "a variable in one file that does not fit",
    ["extern int x;\nlong x; int main(void) { return x; }"],
    /^a\.c:2:6: TF183: x is declared as long x here, but as int x at a\.c:1:12/,
  ],
  [
    "a function without body",
    ["int f(int);\nvoid g(void);\nint main(void) { g();\n  return f(1) + f(2); }"],
    /^a\.c:3:18: TF184: undefined function g: .*\n.*--undefined input.* f \(a\.c:4:10\)/,
  ],
  [
    "a function without body, behind another file's function",
    ["int f(void); int main(void) { return f(); }", "int g(void);\nint f(void) { return g(); }"],
    /^b\.c:2:22: TF184: undefined function g/,
  ],
  [
    "the address of a function without body",
    ["int f(int);\nint main(void) {\n  int (*p)(int) = f;\n  return p != 0; }"],
    /^a\.c:3:\d+: TF184: undefined function f/,
  ],
  [
    "in an initialiser",
    ["int f(int);\nint (*p)(int) = f;\nint main(void) { return p != 0; }"],
    /^a\.c:2:\d+: TF184: undefined function f/,
  ],
  [
    "a variable that is only declared",
    ["extern int x;\nint main(void) {\n  return x; }"],
    /^a\.c:3:3: TF184: undefined variable x: no file defines it/,
  ],
  [
    "static in one file, extern in the other",
    ["extern int x; int f(void); int main(void) { return x + f(); }", "static int x = 1; int f(void) { return x; }"],
    /^a\.c:1:52: TF184: undefined variable x/,
  ],
  [
    "a static function, called from the other file",
    ["int f(void); int main(void) { return f(); }", "static int f(void) { return 1; } int g(void) { return f(); }"],
    /^a\.c:1:38: TF184: undefined function f/,
  ],
  [
    "a function that nobody declares or defines",
    ["int main(void) { return nobody(1); }"],
    /^a\.c:1:25: TF184: undefined function nobody/,
  ],
];

/** What no linker sees, and what is undefined all the same. */
const mismatched: readonly (readonly [name: string, texts: readonly string[], message: RegExp])[] = [
  [
    "a variable",
    ["extern long x; int main(void) { return x; }", "\nint x = 2;"],
    /^a\.c:1:13: TF183: x is declared as long x here, but as int x at b\.c:2:5$/,
  ],
  [
    "a result",
    ["double f(void); int main(void) { return f(); }", "int f(void) { return 2; }"],
    /^a\.c:1:8: TF183: f is declared as double f\(void\) here, but as int f\(void\) at b\.c:1:1$/,
  ],
  [
    "parameters",
    ["int f(int, int); int main(void) { return f(1, 2); }", "int f(int a) { return a; }"],
    /^a\.c:1:5: TF183: f is declared as int f\(int, int\) here/,
  ],
  [
    "an array's length",
    ["extern int a[4]; int main(void) { return a[0]; }", "int a[3];"],
    /^a\.c:1:12: TF183: a is declared as int a\[4\] here, but as int a\[3\] at b\.c:1:5$/,
  ],
  [
    "an array and a pointer",
    ["extern char *s; int main(void) { return *s; }", 'char s[] = "x";'],
    /^a\.c:1:13: TF183: s is declared as char \*s here, but as char s\[2\] at b\.c:1:6$/,
  ],
  [
    "a struct with other members",
    [
      "struct s { int a; int b; }; int f(struct s *); int main(void) { struct s s = {1, 2}; return f(&s); }",
      "struct s { int a; long b; }; int f(struct s *s) { return s->a; }",
    ],
    /^a\.c:1:33: TF183: int f\(struct s \*\) is declared at b\.c:1:30 too, but with a different definition of its type$/,
  ],
  [
    "a struct with other names of members",
    ["extern struct s { int a; } v; int main(void) { return v.a; }", "struct s { int b; } v;"],
    /^a\.c:1:28: TF183: struct s v is declared at b\.c:1:21 too/,
  ],
  [
    "another tag",
    ["extern struct s { int a; } v; int main(void) { return v.a; }", "struct t { int a; } v;"],
    /^a\.c:1:28: TF183: v is declared as struct s v here, but as struct t v at b\.c:1:21$/,
  ],
  [
    "in a block",
    ["int main(void) { extern unsigned x; return x; }", "int x;"],
    /^a\.c:1:34: TF183: x is declared as unsigned int x here, but as int x at b\.c:1:5$/,
  ],
  [
    "a variable as a function, in a block",
    ["int main(void) { int x(void); return x(); }", "int x;"],
    /^a\.c:1:22: TF180: x is a function here, but a variable at b\.c:1:5/,
  ],
];

const accepted: readonly (readonly [name: string, texts: readonly string[]])[] = [
  [
    "the same struct twice",
    ["struct s { struct s *n; } a; int main(void) { return 0; }", "struct s { struct s *n; }; extern struct s a;"],
  ],
  [
    "an opaque struct",
    [
      "struct s; struct s *f(void); int main(void) { return f() == 0; }",
      "struct s { int a; }; struct s *f(void) { return 0; }",
    ],
  ],
  ["an incomplete array", ["extern int a[]; int main(void) { return a[0]; }", "int a[3];"]],
  ["no prototype", ["int f(); int main(void) { return f(1); }", "int f(int a) { return a; }"]],
  [
    "a library function in two ways",
    ["double sqrt(); int main(void) { return 0; }", "#include <math.h>\ndouble g(void) { return sqrt(2); }"],
  ],
  [
    "a name that only one file has as a static",
    ["int x; int main(void) { return x; }", "static long x; long f(void) { return x; }"],
  ],
];

describe("declarations that do not fit are errors with both places", () => {
  it.each(rejected)("%s", async (_, texts, message) => {
    expect(await problem(texts)).toMatch(message);
    if (hasTool("gcc")) expect(gccLinks(texts)).toBe(false);
  });

  it.each(mismatched)("%s", async (_, texts, message) => {
    expect(await problem(texts)).toMatch(message);
    if (hasTool("gcc")) expect(gccLinks(texts)).toBe(true);
  });

  it.each(accepted)("accepted: %s", async (_, texts) => {
    expect(await problem(texts)).toBe("accepted");
    if (hasTool("gcc")) expect(gccLinks(texts, ["-lm"])).toBe(true);
  });

  it("joins tentative definitions with -fcommon", async () => {
    const texts = ["int x; int f(void); int main(void) { x = 3; return f(); }", "int x; int f(void) { return x; }"];
    expect(await problem(texts, { common: true })).toBe("accepted");
    expect((await link(texts, { common: true })).variables.filter(({ name }) => name === "x")).toHaveLength(1);
  });

  it("does not miss functions that cannot be reached", async () => {
    expect(await problem(["int f(void); int g(void) { return f(); } int main(void) { if (0) f(); return 0; }"])).toBe(
      "accepted",
    );
  });

  it("needs no body for known sources of inputs", async () => {
    const text = `long __VERIFIER_nondet_long(void); unsigned nondet_uint(void); void __VERIFIER_atomic_begin(void);
      int main(void) { __VERIFIER_atomic_begin(); return __VERIFIER_nondet_long() + nondet_uint(); }`;
    const program = await link([text]);
    const inputs = program.functions[program.entry]!.edges.filter(({ operation }) => operation.kind === "input");
    expect(inputs).toHaveLength(2);
    expect(program.notes).toEqual([]);
  });
});

describe("the entry", () => {
  const texts = [
    "static int only(void) { return 1; } int f(void) { return only(); }",
    "static int f(void) { return 2; }",
  ];
  it("may be a static function", async () => {
    const program = await link(texts, { entry: "only" });
    expect(program.functions[program.entry]!.name).toBe("only");
  });
  it("is the function with external linkage if there is one", async () => {
    const program = await link(texts, { entry: "f" });
    expect(program.functions[program.entry]!.range.file).toBe("a.c");
  });
  it("cannot be one of two static functions", async () => {
    const both = ["static int t(void) { return 1; }", "static int t(void) { return 2; }"];
    expect(await problem(both, { entry: "t" })).toMatch(
      /^b\.c:1:1: TF182: two files have a static function t: .* a\.c:1:1\n/,
    );
  });
});

describe("names that several files have", () => {
  it("are printed with their file, and only they are", async () => {
    const program = await cFrontEnd.load(
      projectOf([
        {
          path: "x/util.c",
          text: "static int n = 1; static int get(void) { return n; } int x(void) { return get(); }",
        },
        {
          path: "y/util.c",
          text: "static int n = 2; int only; static int get(void) { return n + only; } int y(void) { return get(); }",
        },
        { path: "main.c", text: "int x(void), y(void); int main(void) { return x() + y(); }" },
      ]),
    );
    const names = (all: readonly { readonly name: string; readonly file?: string }[]) =>
      all.map(({ name, file }) => (file === undefined ? name : `${file}::${name}`)).sort();
    expect(names(program.variables.filter(({ kind }) => kind === "static"))).toEqual([
      "only",
      "x/util.c::n",
      "y/util.c::n",
    ]);
    expect(names(program.functions)).toEqual(["$init", "main", "x", "x/util.c::get", "y", "y/util.c::get"]);
  });
});
