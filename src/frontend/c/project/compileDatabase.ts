import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { TracefoldError } from "../../../base/errors.ts";
import { type CompilerWords, compilerWords } from "./compilerWords.ts";
import { splitCommand } from "./splitCommand.ts";

/** A C file that a build tool compiles, and how. Paths can be opened from the current folder. */
export type CompiledFile = { readonly path: string; readonly words: CompilerWords };

const databaseName = "compile_commands.json";

/**
 * The C files of a `compile_commands.json`, named itself or by its folder, in its order. A file that it lists several
 * times is compiled as the first time.
 */
export function readCompileDatabase(path: string): CompiledFile[] {
  const file = isFolder(path) ? join(path, databaseName) : path;
  const files = new Map<string, CompiledFile>();
  for (const entry of entriesOf(file, readText(file))) {
    const compiled = compiledFile(entry, dirname(file));
    if (compiled !== null && !files.has(compiled.path)) files.set(compiled.path, compiled);
  }
  if (files.size === 0) throw malformed(file, "it lists no C file");
  return [...files.values()];
}

/** As `path` looks from here. */
export function fromHere(...path: readonly string[]): string {
  return relative("", resolve(...path)) || ".";
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw malformed(file, code === "ENOENT" ? "there is no such file" : "it cannot be read");
  }
}

type Entry = { readonly directory: string; readonly file: string; readonly words: readonly string[] };

function entriesOf(file: string, text: string): Entry[] {
  const list = parseJson(file, text);
  if (!Array.isArray(list)) throw malformed(file, "it is not a list");
  return list.map((value: unknown, i) => {
    const entry = entryOf(value);
    if (entry === null) throw malformed(file, `its entry ${i + 1} has no directory, file, and command or arguments`);
    return entry;
  });
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw malformed(file, "it is not JSON");
  }
}

function entryOf(value: unknown): Entry | null {
  if (typeof value !== "object" || value === null) return null;
  const { directory, file, command, arguments: list } = value as Record<string, unknown>;
  if (typeof directory !== "string" || typeof file !== "string") return null;
  if (Array.isArray(list) && list.every((word) => typeof word === "string")) return { directory, file, words: list };
  return typeof command === "string" ? { directory, file, words: splitCommand(command) } : null;
}

/** null for what is not C. The folders of the commands are relative to the database where they are relative at all. */
function compiledFile({ directory, file, words }: Entry, databaseFolder: string): CompiledFile | null {
  const folder = resolve(databaseFolder, directory);
  const read = compilerWords(words.slice(1), (path) => fromHere(folder, path));
  const isC = read.language === null ? /\.[ci]$/.test(file) : read.language === "c";
  if (!isC) return null;
  const places = [fromHere(folder), ...read.quoteFolders, ...read.includeFolders];
  const headers = read.headers.map((name) => {
    const found = places.find((place) => existsSync(resolve(place, name))) ?? places[0]!;
    return fromHere(found, name);
  });
  return { path: fromHere(folder, file), words: { ...read, headers } };
}

function malformed(file: string, reason: string): TracefoldError {
  return new TracefoldError({
    code: "TF121",
    message: `${file}: ${reason}`,
    help: "--project takes a compile_commands.json that lists the program's C files, or its folder.",
  });
}
