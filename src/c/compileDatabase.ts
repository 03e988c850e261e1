import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import {
  type Project,
  type ProjectFile,
  type ReadingSettings,
  readingSettings,
  readSource,
} from "../frontEnd/project.ts";

/** A C file and how the build tool compiles it. Paths are relative to the current folder. */
export type CompiledFile = { readonly path: string; readonly words: CompilerWords };

const databaseName = "compile_commands.json";

/** The C files of a `compile_commands.json` (its path or folder), in order; the first entry for a file counts. */
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

/** The path relative to the current folder. */
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

/** null if the file is not C. Relative folders of commands are relative to the database. */
function compiledFile({ directory, file, words }: Entry, databaseFolder: string): CompiledFile | null {
  const folder = resolve(databaseFolder, directory);
  const read = compilerWords(words.slice(1), (path) => fromHere(folder, path));
  const isC = read.language === null ? /\.[ci]$/.test(file) : read.language === "c";
  if (!isC) return null;
  const places = [fromHere(folder), ...read.quoteFolders, ...read.includeFolders];
  const headers = read.headers.map((name) => {
    const found = places.find((place) => existsSync(resolve(place, name))) ?? nth(places, 0);
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

export type CompilerWords = ReadingSettings & {
  /** `-m32`. */
  readonly narrow: boolean;
  readonly language: string | null;
  /** An option that changes the meaning of the program and is not modelled. */
  readonly refused: string | null;
};

const refusedWords = new Set([
  "-funsigned-char",
  "-fshort-enums",
  "-fpack-struct",
  "-fshort-wchar",
  "-mx32",
  "-imacros",
]);

/** Options that take a value as a separate word and do not change the meaning. */
const ignoredWithValue = new Set(
  "-o -MF -MT -MQ -arch -target -isysroot --sysroot -L -l -T -u -z -G -Xlinker -Xassembler -Xpreprocessor -Xclang --param -iprefix -iwithprefix -imultilib -aux-info -wrapper -A".split(
    " ",
  ),
);

/** `paths` turns a folder of the command into one that can be opened from here. Header names stay as written. */
export function compilerWords(words: readonly string[], paths: (path: string) => string): CompilerWords {
  const folders = { include: [] as string[], system: [] as string[], after: [] as string[], quote: [] as string[] };
  const macros = new Map<string, string | null>();
  const headers: string[] = [];
  let standard: string | null = null;
  let common = false;
  let narrow = false;
  let language: string | null = null;
  let refused: string | null = null;

  const valued: Readonly<Record<string, (value: string) => void>> = {
    "-iquote": (value) => folders.quote.push(paths(value)),
    "-isystem": (value) => folders.system.push(paths(value)),
    "-idirafter": (value) => folders.after.push(paths(value)),
    "-include": (value) => headers.push(value),
    "-I": (value) => folders.include.push(paths(value)),
    "-D": (value) => macros.set(/^[^=(]*/.exec(value)![0], value),
    "-U": (value) => macros.set(value, null),
    "-x": (value) => {
      language = value;
    },
  };
  for (let i = 0; i < words.length; i++) {
    const word = nth(words, i);
    const option = Object.keys(valued).find((name) => word.startsWith(name));
    if (option !== undefined) valued[option]!(word === option ? (words[++i] ?? "") : word.slice(option.length));
    else if (ignoredWithValue.has(word)) i++;
    else if (word.startsWith("-std=")) standard = word.slice("-std=".length);
    else if (word === "-ansi") standard = "c90";
    else if (word === "-fcommon" || word === "-fno-common") common = word === "-fcommon";
    else if (word === "-m32" || word === "-m64") narrow = word === "-m32";
    else if (refusedWords.has(word) || word.startsWith("@")) refused = word;
  }
  return {
    ...readingSettings({
      includeFolders: [...folders.include, ...folders.system, ...folders.after],
      quoteFolders: folders.quote,
      defines: [...macros.values()].filter((define) => define !== null),
      undefines: [...macros].flatMap(([name, define]) => (define === null ? [name] : [])),
      headers,
      standard,
      common,
    }),
    narrow,
    language,
    refused,
  };
}

/** Splits a command into words like a POSIX shell, without variables and patterns. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let i = 0; i < command.length; i++) {
    const c = command[i]!;
    if (quote === "'") {
      if (c === "'") quote = null;
      else word += c;
    } else if (c === "\\" && i + 1 < command.length) {
      const next = command[++i]!;
      // In double quotes a backslash escapes only special characters.
      word = `${word ?? ""}${quote === '"' && !/["\\$`\n]/.test(next) ? `\\${next}` : next === "\n" ? "" : next}`;
    } else if (quote === '"') {
      if (c === '"') quote = null;
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = `${word ?? ""}${c}`;
  }
  if (word !== null) words.push(word);
  return words;
}

export type DatabaseSettings = Pick<Project, "dataModel" | "entry"> &
  Pick<ReadingSettings, "includeFolders" | "defines">;

/** The named files of a compilation database, or all if none is named. `settings` come after the database's. */
export async function databaseProject(
  database: string,
  named: readonly string[],
  settings: DatabaseSettings,
): Promise<Project> {
  const listed = readCompileDatabase(database);
  const chosen = named.length === 0 ? listed : named.map((path) => findListed(listed, path, database));
  for (const file of chosen) requireModelled(file, settings);
  const { dataModel, entry } = settings;
  return { files: await Promise.all(chosen.map((file) => projectFile(file, settings))), dataModel, entry };
}

function findListed(listed: readonly CompiledFile[], path: string, database: string): CompiledFile {
  const found = listed.find((file) => file.path === fromHere(path));
  if (found !== undefined) return found;
  throw new TracefoldError({
    code: "TF122",
    message: `${path} is not among the C files of ${database}`,
    help: `It lists ${listed.map((file) => file.path).join(", ")}.`,
  });
}

function requireModelled({ path, words }: CompiledFile, { dataModel }: DatabaseSettings): void {
  if (words.refused !== null) {
    throw new TracefoldError({
      code: "TF261",
      message: `${path} is compiled with ${words.refused}, which is not supported`,
    });
  }
  const model = words.narrow ? "ILP32" : "LP64";
  if (model === dataModel) return;
  throw new TracefoldError({
    code: "TF122",
    message: `${path} is compiled for ${model}, not ${dataModel}`,
    help: `Give --data-model ${model}.`,
  });
}

async function projectFile({ path, words }: CompiledFile, given: DatabaseSettings): Promise<ProjectFile> {
  const { narrow: _narrow, language: _language, refused: _refused, ...settings } = words;
  const redefined = new Set(given.defines.map((define) => /^[^=(]*/.exec(define)![0]));
  return {
    ...settings,
    path,
    text: await readSource(path),
    includeFolders: [...settings.includeFolders, ...given.includeFolders],
    defines: [...settings.defines, ...given.defines],
    undefines: settings.undefines.filter((name) => !redefined.has(name)),
  };
}
