import { dirname, relative, resolve } from "node:path";
import type { ExpectedFile } from "../interpreter/expected.ts";

export type CTest = {
  /** The future path of the file: included paths are relative to its folder. */
  readonly path: string;
  /** The file with the entry function comes first. */
  readonly files: readonly string[];
  readonly entry: string;
  /** True if the entry function takes the program's arguments. */
  readonly takesArguments: boolean;
  readonly programName: string;
  readonly args: readonly string[];
  readonly stdin: Uint8Array;
  readonly inputs: readonly { readonly source: string; readonly type: string; readonly value: string }[];
  readonly expected: { readonly stdout?: Uint8Array; readonly exit?: number; readonly files?: readonly ExpectedFile[] };
  readonly failure: string;
  /** Additional compiler flags. */
  readonly flags: readonly string[];
};

/** C text that fails under gcc like the run: it calls the program with the run's inputs. */
export function toCTest(test: CTest): string {
  const { expected } = test;
  const folder = dirname(resolve(test.path));
  const here = (file: string) => relative(folder, resolve(file));
  const [first, ...others] = test.files.map(here);
  const build = ["gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", ...test.flags];
  const name = relative(folder, resolve(test.path));
  const parts = [
    `/*\n * ${test.failure.replaceAll("*/", "* /")}\n *\n *   ${[...build, name, ...others, "-o", "failing", "-lm"].join(" ")} && ./failing\n */`,
    test.entry === "main"
      ? `#define main tested_main\n#include ${JSON.stringify(first)}\n#undef main`
      : `#define main unused_main\n#include ${JSON.stringify(first)}\n#undef main`,
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>",
    ...inputFunctions(test),
    ...(expected.stdout === undefined ? [] : [outputCheck(expected.stdout)]),
    mainFunction(test),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** One definition for each function that reads inputs, and one list of values for all. */
function inputFunctions({ inputs }: CTest): readonly string[] {
  const types = new Map(inputs.map(({ source, type }) => [source, type]));
  return [...types].map(([source, type]) => {
    const values = inputs.filter((input) => input.source === source).map(({ value }) => literal(value, type));
    const list = `${source}_values`;
    return [
      `static ${type} ${list}[] = { ${values.join(", ")} };`,
      `${type} ${source}(void) {`,
      `  static unsigned next;`,
      `  if (next == sizeof ${list} / sizeof ${list}[0]) exit(77); /* no more inputs are known */`,
      `  return ${list}[next++];`,
      "}",
    ].join("\n");
  });
}

function literal(value: string, type: string): string {
  if (/^-9223372036854775808$/.test(value)) return "(-9223372036854775807 - 1)";
  if (/^(float|double|long double)$/.test(type))
    return value.replace("Infinity", "(1.0 / 0.0)").replace("NaN", "(0.0 / 0.0)");
  return BigInt(value) > 9223372036854775807n ? `${value}u` : value;
}

/** The output is compared when the program ends, in any way. */
function outputCheck(stdout: Uint8Array): string {
  return [
    `static const char expected[] = ${bytesLiteral(stdout)};`,
    "static FILE *printed;",
    "static void check(void) {",
    `  size_t length = 0;`,
    "  fflush(printed);",
    "  rewind(printed);",
    "  for (int c = getc(printed); c != EOF; c = getc(printed), length++)",
    `    if (length >= ${stdout.length} || (unsigned char)expected[length] != c) {`,
    '      fprintf(stderr, "byte %zu of the output is not as expected\\n", length);',
    "      abort();",
    "    }",
    `  if (length < ${stdout.length}) {`,
    '    fprintf(stderr, "the output ends after %zu bytes\\n", length);',
    "    abort();",
    "  }",
    "}",
  ].join("\n");
}

function mainFunction(test: CTest): string {
  const { args, stdin, expected, entry } = test;
  const words = [test.programName, ...args].map((arg) => bytesLiteral(Buffer.from(arg)));
  const called = entry === "main" ? "tested_main" : entry;
  const call = test.takesArguments ? `${called}(${words.length}, arguments)` : `${called}()`;
  const lines = [
    "int main(void) {",
    ...(test.takesArguments
      ? [`  char *arguments[] = { ${words.map((word) => `(char[]){${word}}`).join(", ")}, NULL };`]
      : []),
    ...(stdin.length > 0
      ? [`  static char input[] = ${bytesLiteral(stdin)};`, `  stdin = fmemopen(input, ${stdin.length}, "r");`]
      : ['  stdin = fopen("/dev/null", "r");']),
    ...(expected.stdout === undefined ? [] : ["  stdout = printed = tmpfile();", "  atexit(check);"]),
    ...(expected.exit === undefined
      ? [`  ${call};`, "  return 0;"]
      : [
          `  int status = ${call} & 255;`,
          `  if (status != ${expected.exit}) {`,
          `    fprintf(stderr, "the program exits with status %d, expected ${expected.exit}\\n", status);`,
          "    abort();",
          "  }",
          "  return 0;",
        ]),
    "}",
  ];
  return lines.join("\n");
}

/** Octal escapes have three digits; each line of text gets its own literal. */
function bytesLiteral(bytes: Uint8Array): string {
  const lines: string[] = [];
  let line = "";
  for (const byte of bytes) {
    if (byte === 10) line += "\\n";
    else if (byte === 34 || byte === 92) line += `\\${String.fromCharCode(byte)}`;
    // Two question marks could begin a trigraph.
    else if (byte >= 32 && byte < 127 && byte !== 63) line += String.fromCharCode(byte);
    else line += `\\${byte.toString(8).padStart(3, "0")}`;
    if (byte !== 10) continue;
    lines.push(line);
    line = "";
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines.map((each) => `"${each}"`).join("\n    ");
}
