import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { unreadable } from "../../base/files.ts";
import type { Expected } from "../../interpreter/expected.ts";
import { type InputValue, parseInputs } from "../../interpreter/inputs.ts";
import type { Given } from "../command.ts";
import { exitStatus, flag, list, type Options, readBytes, text, usageError, type Values } from "./option.ts";
import type { ProgramValues } from "./programOptions.ts";

export type RequestedTarget = { readonly condition: string; readonly file: string; readonly line: number };

/** The last `@` separates the location, because literals in the condition may contain one. */
export function requestedTarget(text: string, files: readonly string[]): RequestedTarget {
  const match = /^(.*\S)\s*@\s*(?:(.+):)?(\d+)\s*$/s.exec(text);
  if (match === null || Number(match[3]) === 0) {
    const hasPlace = text.includes("@");
    const column = hasPlace ? text.lastIndexOf("@") + 2 : text.length + 1;
    throw new TracefoldError({
      code: "TF136",
      message: hasPlace ? "expected a file and line behind the @" : "expected @ and a line behind the condition",
      range: { file: "--target", line: 1, column, endLine: 1, endColumn: text.length + 1 },
      help: "For example: --target 'x >= 0 @ file.c:12'",
    });
  }
  const file = match[2]?.trim() ?? (files.length === 1 ? files[0] : undefined);
  if (file === undefined)
    throw usageError("--target: the program has several files: name one, as in 'x >= 0 @ file.c:12'");
  return { condition: nth(match, 1), file, line: Number(match[3]) };
}

/** The options of commands that run a folder of tests. */
export const testsOptions = {
  tests: text(
    "--tests <folder>",
    "tests: NAME.in with NAME.out, also input* with output*; arguments in NAME.args, status in NAME.exit",
  ),
  exact: flag("--exact", "compare the output of tests by bytes; by default all white space is equal"),
} satisfies Options;

export const passingOption = list(
  "--passing <run>",
  "a run that passes: inputs (3,0,-7), a file for standard input, a test function, or parts: 'stdin=F args=\"a b\" out=F exit=0'",
);

/** A run with its expectation. What it does not give is as in the command's own run. */
export type RequestedTest = {
  /** The name of the test; for `--passing` the user's text. */
  readonly name: string;
  /** The function where it begins; null for the program's entry. */
  readonly entry: string | null;
  readonly inputs?: readonly InputValue[];
  readonly stdin?: Uint8Array;
  readonly args?: readonly string[];
  readonly expected?: Expected;
};

/** The tests of a folder; `only` is the one that the user chose. */
export type RequestedTests = {
  readonly folder: string;
  readonly list: readonly RequestedTest[];
  readonly only: string | null;
};

type TestsValues = Values<typeof testsOptions> & { readonly test: string | null };

type TestsGiven = Pick<Given<Options>, "programArguments"> & {
  readonly flags: TestsValues & Pick<ProgramValues, "stdin" | "expectStdout" | "expectFile">;
};

/** The names of the tests of a folder. */
export function testNames(folder: string): readonly string[] {
  return readTests(folder, {}).map(({ name }) => name);
}

/** Reads the folder of `--tests`; null without the option. */
export function requestedTests({ flags, programArguments }: TestsGiven): RequestedTests | null {
  const { tests: folder, test: only, stdin, expectStdout, expectFile } = flags;
  if (folder === null) return null;
  if (stdin !== null || expectStdout !== null || expectFile.length > 0 || programArguments.length > 0) {
    throw usageError("--tests gives every run its input, arguments and output: give no others");
  }
  const tests = readTests(folder, comparison(flags));
  if (only !== null && !tests.some(({ name }) => name === only)) {
    const names = tests.map(({ name }) => name);
    const some = names.length > mostNames ? [...names.slice(0, mostNames), "…"] : names;
    throw usageError(`--test ${only}: ${folder} has no such test, but ${some.join(", ")}`);
  }
  return { folder, list: tests, only };
}

const mostNames = 8;

function comparison({ exact }: Pick<TestsValues, "exact">): Pick<Expected, "compares"> {
  return exact ? {} : { compares: "tokens" };
}

type Role = "in" | "out" | "args" | "exit";

/** The test that a file of the folder belongs to, and its role there; null if it is no part of a test. */
function partOf(file: string): { readonly name: string; readonly role: Role } | null {
  const [, stem, role] = /^(.+)\.(in|out|args|exit)$/.exec(file) ?? [];
  if (stem !== undefined) return { name: stem, role: role as Role };
  const [, kind, end] = /^(in|out)put(.*)$/.exec(file) ?? [];
  // The program's own files may be in the folder, too.
  if (kind === undefined || /\.[chio]$/.test(file)) return null;
  return { name: `input${end}`, role: kind as Role };
}

/** The tests of a folder in the order of their names, numbers by their value. */
function readTests(folder: string, compares: Pick<Expected, "compares">): readonly RequestedTest[] {
  const tests = new Map<string, Map<Role, string>>();
  for (const file of filesOf(folder)) {
    const part = partOf(file);
    if (part === null) continue;
    const parts = tests.get(part.name) ?? new Map<Role, string>();
    tests.set(part.name, parts.set(part.role, join(folder, file)));
  }
  const names = [...tests.keys()].sort(new Intl.Collator("en", { numeric: true }).compare);
  const found = names.flatMap((name) => {
    const parts = tests.get(name) ?? new Map<Role, string>();
    const input = parts.get("in");
    if (parts.has("out") || parts.has("exit")) return [readTest(name, parts, compares)];
    if (input === undefined) return [];
    throw testError(`--tests: ${input} has no expected output`, "NAME.in needs NAME.out, and input1 needs output1.");
  });
  if (found.length > 0) return found;
  throw testError(
    `--tests: ${folder} has no tests`,
    "A test is NAME.in with NAME.out, or input1 with output1 (any ending).",
  );
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unreadable("--tests", folder, error);
  }
}

function readTest(name: string, parts: ReadonlyMap<Role, string>, compares: Pick<Expected, "compares">): RequestedTest {
  const read = (role: Role) => {
    const path = parts.get(role);
    return path === undefined ? undefined : readBytes("--tests", path);
  };
  const [output, args, exit] = [read("out"), read("args"), read("exit")];
  return {
    name,
    entry: null,
    stdin: read("in") ?? new Uint8Array(0),
    args: args === undefined ? [] : splitWords(`--tests: ${parts.get("args")}`, textOf(args)),
    expected: {
      ...(output === undefined ? {} : { stdout: output, ...compares }),
      ...(exit === undefined ? {} : { exit: exitStatus(`--tests: ${parts.get("exit")}`, textOf(exit).trim()) }),
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

function testError(message: string, help: string): TracefoldError {
  return new TracefoldError({ code: "TF140", message, help });
}

/**
 * Splits words as a shell does: quotes and backslashes keep white space, and nothing is expanded. A line end separates
 * words, too.
 */
export function splitWords(who: string, given: string): readonly string[] {
  const words: string[] = [];
  let rest = given.trimStart();
  while (rest !== "") {
    const [word] = /^(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/s.exec(rest) ?? [];
    if (word === undefined || /^\S/.test(rest.slice(word.length))) {
      throw usageError(`${who}: a quote or a backslash has no end: ${rest.trimEnd()}`);
    }
    words.push(word.replaceAll(/\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs, unquoted));
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

function unquoted(_: string, escaped: string | undefined, plain: string | undefined, inQuotes: string | undefined) {
  return escaped ?? plain ?? (inQuotes ?? "").replaceAll(/\\(["\\])/g, "$1");
}

/**
 * Reads a run of `--passing`. It is a list of parts (`stdin=a.txt args="x y" out=a.out`), or one word: numbers are
 * inputs; an existing file, or anything that is no name, is standard input; otherwise it is a function.
 */
export function requestedPassing(given: string, flags: Pick<TestsValues, "exact">): RequestedTest {
  const name = `--passing ${given}`;
  if (!/^(inputs|stdin|test|args|out|exit)=/.test(given)) return { name, entry: null, ...wholeRun(given) };
  const parts = new Map(
    splitWords("--passing", given).map((word) => {
      const equals = word.indexOf("=");
      if (equals === -1) throw usageError(`--passing ${given}: "${word}" is no part such as stdin=FILE`);
      return [word.slice(0, equals), word.slice(equals + 1)] as const;
    }),
  );
  let test: RequestedTest = { name, entry: null };
  for (const [key, value] of parts) test = { ...test, ...passingPart(name, key, value, test.expected ?? {}, flags) };
  return test;
}

function passingPart(
  name: string,
  key: string,
  value: string,
  expected: Expected,
  flags: Pick<TestsValues, "exact">,
): Partial<RequestedTest> {
  switch (key) {
    case "inputs":
      return { inputs: parseInputs(value) };
    case "stdin":
      return { stdin: readBytes("--passing", value) };
    case "args":
      return { args: splitWords("--passing", value) };
    case "test":
      return { entry: value };
    case "out":
      return { expected: { ...expected, stdout: readBytes("--passing", value), ...comparison(flags) } };
    case "exit":
      return { expected: { ...expected, exit: exitStatus("--passing", value) } };
    default:
      throw usageError(`${name}: ${key} is no part of a run; there are inputs, stdin, args, test, out and exit`);
  }
}

function wholeRun(given: string): Partial<RequestedTest> {
  const exists = existsSync(given);
  if (/^[-+]?\d[^/]*$/.test(given) && !exists) return { inputs: parseInputs(given) };
  if (/^[A-Za-z_]\w*$/.test(given) && !exists) return { entry: given };
  return { stdin: readBytes("--passing", given) };
}
