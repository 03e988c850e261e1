import { nth } from "../base/checked.ts";
import { readIfPresent } from "../base/files.ts";
import type { SourceFile } from "../base/sourceFile.ts";
import type { FrontEnd, FrontEndOptions } from "../frontEnd/frontEnd.ts";
import { type Project, type ProjectFile, type ProjectSettings, projectOf, readProject } from "../frontEnd/project.ts";
import { checkProgram } from "../ir/checkProgram.ts";
import type { Note, Program } from "../ir/program.ts";
import { libraryFolder } from "../ir/reservedNames.ts";
import { sourceLine } from "../ir/source.ts";
import { stateInvariants } from "./conditions/stateInvariants.ts";
import { watchLine } from "./conditions/watchLine.ts";
import { type LibraryFile, mentionedFiles } from "./library/libraryFiles.ts";
import { type LoweredUnit, lowerProgram } from "./lower/lowerProgram.ts";
import { outlineTree, type SourceOutline } from "./outline.ts";
import { parseC } from "./parse/parseC.ts";
import { hasGnuInline, type PreprocessedSource, type PreprocessOptions } from "./preprocess/options.ts";
import { preprocess, preprocessFiles } from "./preprocess/preprocess.ts";

export const cFrontEnd: FrontEnd = { language: "c", reads: (path) => /\.[chi]$/.test(path), load };

async function load(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  const { dataModel, entry, files } = project;
  const sources = preprocessFiles(files.map((file) => ({ file, options: settingsOf(project, file, options) })));
  const read = sources.map(({ source }) => parseC(source));
  const watched = options.watch === undefined ? read : watchLine(read, sources, options.watch);
  const trees = options.stated === undefined ? watched : stateInvariants(watched, sources, options.stated);
  const units = trees.map(
    (tree, i): LoweredUnit => ({ path: nth(files, i).path, tree, rules: rulesOf(nth(files, i)) }),
  );
  const written = distinctFiles(sources.flatMap(({ source }) => source.files)).filter(({ path }) => !isSystem(path));
  const library = mentionedFiles(written.map(({ text }) => text)).map((file) => readLibrary(file, project));
  const program = lowerProgram([...units, ...library.map(({ unit }) => unit)], {
    ...options,
    dataModel,
    entry,
    files: distinctFiles(sources.flatMap(({ source }) => source.files)),
  });
  const notes = sources.flatMap(({ source }, i) => notesOf(nth(files, i), source));
  const result = withLibraryFiles(
    { ...program, notes: [...notes, ...program.notes] },
    library.flatMap(({ files: read }) => read),
  );
  checkProgram(result);
  return result;
}

/** An outline of each file, headers included; witnesses describe places by it. */
export async function outlineC(
  project: Project,
  options: Pick<FrontEndOptions, "preprocess"> = {},
): Promise<ReadonlyMap<string, SourceOutline>> {
  const sources = preprocessFiles(project.files.map((file) => ({ file, options: settingsOf(project, file, options) })));
  const outlines = new Map<string, SourceOutline>();
  for (const { source } of sources) {
    const lineAt = (path: string, line: number): string => sourceLine(source, path, line) ?? "";
    // The first file that includes a header determines the header's outline.
    for (const [path, outline] of outlineTree(parseC(source), lineAt)) {
      if (!outlines.has(path)) outlines.set(path, outline);
    }
  }
  return outlines;
}

function settingsOf(
  { dataModel }: Project,
  file: ProjectFile,
  { preprocess: mode }: FrontEndOptions,
): PreprocessOptions {
  return {
    dataModel,
    mode: mode ?? "auto",
    includePaths: file.includeFolders,
    quotePaths: file.quoteFolders,
    defines: file.defines,
    undefines: file.undefines,
    headers: file.headers,
    standard: file.standard,
    readFile: readIfPresent,
  };
}

function rulesOf({ common, standard }: ProjectFile): LoweredUnit["rules"] {
  return { common, gnuInline: hasGnuInline(standard) };
}

function distinctFiles(files: readonly SourceFile[]): SourceFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function notesOf({ path }: ProjectFile, { notes }: PreprocessedSource): Note[] {
  const start = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return notes.map(({ message, range }) => ({ message, range: range ?? start }));
}

type Library = { readonly unit: LoweredUnit; readonly files: readonly SourceFile[] };

function readLibrary({ path, text }: LibraryFile, { dataModel }: Project): Library {
  const source = preprocess({ path, text }, { dataModel, mode: "builtin", readFile: () => null });
  return { unit: { path, tree: parseC(source), rules: { library: true } }, files: source.files };
}

/** System headers mention library functions that the program may not use. */
function isSystem(path: string): boolean {
  return path.startsWith("<") || path.startsWith("/usr/");
}

/** Drops library files that the program does not use. */
function withLibraryFiles(program: Program, files: readonly SourceFile[]): Program {
  const used = new Set(program.functions.map((fn) => fn.range.file));
  return {
    ...program,
    files: [...program.files, ...files.filter(({ path }) => path.startsWith(libraryFolder) && used.has(path))],
  };
}

export type LoadOptions = FrontEndOptions & ProjectSettings;

export async function loadC(path: string | readonly string[], options: LoadOptions = {}): Promise<Program> {
  const paths = typeof path === "string" ? [path] : path;
  return cFrontEnd.load(await readProject(paths, options), options);
}

/** Like `loadC`, for text in memory; includes are looked up relative to `path`. */
export async function loadCText(path: string, text: string, options: LoadOptions = {}): Promise<Program> {
  return cFrontEnd.load(projectOf([{ path, text }], options), options);
}
