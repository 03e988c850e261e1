import { spawnSync } from "node:child_process";
import { TracefoldError } from "../../base/errors.ts";
import { sourceFile } from "../../base/sourceFile.ts";
import { createPacking } from "./directives.ts";
import { createFrame, readFrame } from "./fileStack.ts";
import type { PreprocessedSource, PreprocessNote, PreprocessOptions } from "./options.ts";
import { MissingHeader, preprocessFile } from "./preprocessFile.ts";
import { createTokenList, spliceFile } from "./tokens.ts";

export type FileToRead = {
  readonly file: { readonly path: string; readonly text: string };
  readonly options: PreprocessOptions;
};

export type ReadFile = FileToRead & { readonly source: PreprocessedSource };

/** Reads the files of one program. If one needs gcc's headers, all get them, because types differ. */
export function preprocessFiles(files: readonly FileToRead[]): ReadFile[] {
  const read = ({ file, options }: FileToRead): ReadFile => ({ file, options, source: preprocess(file, options) });
  const first = files.map(read);
  if (!first.some(({ source }) => source.by === "gcc")) return first;
  return first.map((each) =>
    each.source.by === "builtin" ? read({ ...each, options: { ...each.options, mode: "gcc" } }) : each,
  );
}

export function preprocess(file: { path: string; text: string }, options: PreprocessOptions): PreprocessedSource {
  if (isAlreadyPreprocessed(file.path, file.text)) return takeAsGiven(file.path, file.text);
  try {
    if (options.mode === "gcc") return preprocessFile(file, options, gccHeaders(options, file.path));
    return preprocessFile(file, options, null);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file);
    if (options.mode === "builtin" || options.mode === "gcc" || !(error instanceof MissingHeader) || !findGcc()) {
      throw error;
    }
    const result = preprocess(file, { ...options, mode: "gcc" });
    const note = { message: `${error.message}: the headers of gcc are used`, range: error.range };
    return { ...result, notes: [note, ...result.notes] };
  }
}

/** Macro arguments or parentheses of a condition nest deeper than the stack. */
function tooDeep(file: { path: string }): TracefoldError {
  return new TracefoldError({
    code: "TF301",
    message: "the program's macros are nested too deeply to be expanded",
    range: { file: file.path, line: 1, column: 1, endLine: 1, endColumn: 1 },
  });
}

const DIRECTIVE = /^[ \t]*#[ \t]*([^\n]*)/gm;
const MARKER = /^(?:line[ \t]+)?[0-9]+(?:[ \t]|\r|$)/;
const HARMLESS = /^(?:pragma|ident)\b/;

/** True if the file has line markers or such a name, and no directive that still has a meaning. */
export function isAlreadyPreprocessed(path: string, text: string): boolean {
  let marked = path.endsWith(".i");
  for (const [, directive] of text.matchAll(DIRECTIVE)) {
    if (MARKER.test(directive!)) marked = true;
    else if (directive!.trim() !== "" && !HARMLESS.test(directive!)) return false;
  }
  return marked;
}

/** Reads a preprocessed file. Line markers are skipped; only `#pragma pack` still has a meaning. */
export function takeAsGiven(path: string, text: string): PreprocessedSource {
  const notes: PreprocessNote[] = [];
  const packing = createPacking(notes);
  const list = createTokenList(path);
  const frame = createFrame(spliceFile(path, text));
  for (let item = readFrame(frame); item !== null; item = readFrame(frame)) {
    if (!("hash" in item)) packing.add(item, list.add);
    else if (item.tokens[0]?.text === "pragma") packing.pragma(item.tokens.slice(1));
  }
  return { tokens: list.finish(), files: [sourceFile(path, text)], notes, by: "nobody" };
}

/** A compiler's predefined macros, as `#define` lines, and its header folders. */
export type CompilerHeaders = { readonly macros: string; readonly folders: readonly string[] };

export function findGcc(): boolean {
  return spawnSync("gcc", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Asks gcc; with `-v` it prints its header folders. */
export function gccHeaders({ dataModel, standard }: PreprocessOptions, path: string): CompilerHeaders {
  const model = dataModel === "ILP32" ? "-m32" : "-m64";
  const words = ["-E", "-dM", "-v", "-xc", model, ...(standard == null ? [] : [`-std=${standard}`]), "-"];
  const result = spawnSync("gcc", words, { input: "", encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  if (result.error !== undefined) throw gccError(path, `gcc cannot be run: ${result.error.message}`);
  const folders = /search starts here:\n([\s\S]*)End of search list/.exec(result.stderr)?.[1];
  if (result.status !== 0 || folders === undefined) {
    throw gccError(path, `gcc -E failed: ${/error: (.*)/.exec(result.stderr)?.[1] ?? "it does not list its folders"}`);
  }
  const isFolder = (line: string): boolean => line.startsWith(" ");
  return {
    macros: result.stdout,
    folders: folders
      .split("\n")
      .filter(isFolder)
      .map((line) => line.trim()),
  };
}

function gccError(file: string, message: string): TracefoldError {
  return new TracefoldError({
    code: "TF120",
    message,
    range: { file, line: 1, column: 1, endLine: 1, endColumn: 1 },
    help: "Install gcc, use --preprocess builtin, or preprocess the file yourself and pass the .i file.",
  });
}
