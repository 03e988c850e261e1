import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TracefoldError } from "../../../base/errors.ts";
import { decodeSource, encodeSource } from "../../../base/sourceBytes.ts";
import { type SourceFile, sourceFile } from "../../../base/sourceFile.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { alignGccOutput } from "./alignGccOutput.ts";
import { builtinHeader } from "./builtinHeaders.ts";
import type { PreprocessOptions } from "./options.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";

const PACK_IGNORED = "#pragma pack is ignored behind gcc -E: structs keep their usual layout";

export function findGcc(): boolean {
  return spawnSync("gcc", ["--version"], { stdio: "ignore" }).status === 0;
}

/** `gcc -E`, with its line markers turned back into places of the user's files. */
export function preprocessWithGcc(
  file: { path: string; text: string },
  options: PreprocessOptions,
): PreprocessedSource {
  const text = runGcc(file, options);
  const files = new Map<string, SourceFile>();
  const read = (path: string): string | null => {
    const known = files.get(path);
    if (known !== undefined) return known.text;
    const content = path === file.path ? file.text : options.readFile(path);
    if (content === null) return null;
    files.set(path, sourceFile(path, content));
    return content;
  };
  read(file.path);
  const aligned = alignGccOutput(text, read);
  const notes = /^#pragma pack\b/m.test(text) ? [{ message: PACK_IGNORED, range: undefined }] : [];
  return { ...aligned, files: [...files.values()], notes, by: "gcc" };
}

function runGcc(file: { path: string; text: string }, options: PreprocessOptions): string {
  // Our own assert.h comes first: an assertion stays a call, with its condition as written.
  const folder = mkdtempSync(join(tmpdir(), "tracefold-"));
  try {
    writeFileSync(join(folder, "assert.h"), builtinHeader("assert.h")!);
    const result = spawnSync(
      "gcc",
      ["-E", "-xc", "-iquote", dirname(file.path), ...gccWords(options), "-isystem", folder, "-"],
      { input: encodeSource(`# 1 ${JSON.stringify(file.path)}\n${file.text}`), maxBuffer: 1 << 30 },
    );
    if (result.error !== undefined) throw gccError(file, `gcc cannot be run: ${result.error.message}`, undefined);
    if (result.status !== 0) throw gccFailure(file, result.stderr.toString());
    return decodeSource(result.stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function gccWords(options: PreprocessOptions): string[] {
  return [
    options.dataModel === "ILP32" ? "-m32" : "-m64",
    ...(options.standard == null ? [] : [`-std=${options.standard}`]),
    ...(options.quotePaths ?? []).flatMap((path) => ["-iquote", path]),
    ...(options.includePaths ?? []).map((path) => `-I${path}`),
    ...(options.undefines ?? []).map((name) => `-U${name}`),
    ...(options.defines ?? []).map((define) => `-D${define}`),
    ...(options.headers ?? []).flatMap((path) => ["-include", path]),
  ];
}

/** gcc's first error, with its place. */
function gccFailure(file: { path: string; text: string }, stderr: string): TracefoldError {
  const match = /^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$/m.exec(stderr);
  if (match === null) return gccError(file, `gcc -E failed: ${stderr.trim().split("\n")[0] ?? ""}`, undefined);
  const line = Number(match[2]);
  const column = Number(match[3] ?? 1);
  const range = { file: match[1]!, line, column, endLine: line, endColumn: column };
  return gccError(file, `gcc -E failed: ${match[4]}`, range);
}

function gccError(file: { path: string }, message: string, range: SourceRange | undefined): TracefoldError {
  const start = { file: file.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return new TracefoldError({
    code: "TF120",
    message,
    range: range ?? start,
    help: "Give missing headers with -I, or preprocess the file yourself and pass the .i file.",
  });
}
