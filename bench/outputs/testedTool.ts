import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listedFiles } from "../../src/c/library/files.ts";
import type { RunOptions } from "../../src/interpreter/run.ts";

/** A test as people write them: arguments and standard input, and what has to come out. */
export type OutputTest = {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly stdout: string;
  readonly exit: number;
  /** Files that the tool has to leave behind. */
  readonly written?: Readonly<Record<string, string>>;
};

/** A program with tests that compare its output; `files` lie beside it. */
export type TestedTool = {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tests: readonly OutputTest[];
};

export function testedTool(name: string): TestedTool {
  const path = fileURLToPath(new URL(`./${name}.c`, import.meta.url));
  const { files, tests } = JSON.parse(readFileSync(path.replace(/c$/, "json"), "utf8"));
  return { name, path, text: readFileSync(path, "utf8"), files, tests };
}

export function runOptionsOf({ files }: TestedTool, test: OutputTest): RunOptions {
  const bytes = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text)]));
  const written = Object.entries(bytes(test.written ?? {})).map(([file, content]) => ({ name: file, content }));
  return {
    args: test.args,
    stdin: Buffer.from(test.stdin),
    files: listedFiles(bytes(files)),
    expected: { stdout: Buffer.from(test.stdout), exit: test.exit, files: written },
  };
}
