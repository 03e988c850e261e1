import { nth, present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { isInFolder, readIfPresent } from "../base/files.ts";
import { remembered } from "../base/memo.ts";
import type { SourceFile } from "../base/sourceFile.ts";
import { applyEdits, type Change } from "../changes/change.ts";
import {
  type ChangeFrontEnd,
  type FrontEnd,
  type FrontEndOptions,
  type Selection,
  type SwitchedProgram,
  withOrigin,
} from "../frontEnd/frontEnd.ts";
import { type Project, type ProjectFile, type ProjectSettings, projectOf, readProject } from "../frontEnd/project.ts";
import { checkProgram } from "../ir/checkProgram.ts";
import type { Note, Program } from "../ir/program.ts";
import { libraryFolder } from "../ir/reservedNames.ts";
import { sourceLine } from "../ir/source.ts";
import type { TranslationUnit } from "./ast.ts";
import { proposeChanges } from "./changes/proposeChanges.ts";
import { switchChanges } from "./changes/switchChanges.ts";
import { stateChecks } from "./conditions/stateChecks.ts";
import { stateInvariants } from "./conditions/stateInvariants.ts";
import { watchLine } from "./conditions/watchLine.ts";
import { isFrameworkFile, type LibraryFile, mentionedFiles } from "./library/libraryFiles.ts";
import { type LoweredUnit, type LowerOptions, lowerProgram } from "./lower/lowerProgram.ts";
import { outlineTree, type SourceOutline } from "./outline.ts";
import { parseC } from "./parse/parseC.ts";
import { hasGnuInline, type PreprocessedSource, type PreprocessOptions } from "./preprocess/options.ts";
import { preprocess, preprocessFiles, type ReadFile } from "./preprocess/preprocess.ts";

export const cFrontEnd: FrontEnd = { language: "c", reads: (path) => /\.[chi]$/.test(path), load, changes: cChanges };

async function load(given: Project, options: FrontEndOptions = {}): Promise<Program> {
  const project = { ...given, files: given.files.filter((file) => !isFrameworkFile(file)) };
  return withOrigin(loadNow(project, options), { project, options });
}

function loadNow(project: Project, options: FrontEndOptions): Program {
  const { sources, read } = parseProject(project, options);
  const watched = options.watch === undefined ? read : watchLine(read, sources, options.watch);
  const trees = options.stated === undefined ? watched : stateInvariants(watched, sources, options.stated);
  return lowerTrees(project, sources, trees, options);
}

function parseProject(project: Project, options: FrontEndOptions) {
  try {
    const sources = readSources(project, options);
    return { sources, read: sources.map(({ source }) => parseC(source)) };
  } catch (error) {
    const isOfUser = error instanceof TracefoldError && error.kind === "input";
    throw (isOfUser ? notC(project) : null) ?? error;
  }
}

const otherLanguages: readonly (readonly [RegExp, string])[] = [
  [/\.(cpp|cc|cxx|c\+\+|C|hpp|hh|hxx)$/, "C++"],
  [/\.py$/, "Python"],
  [/\.rs$/, "Rust"],
  [/\.go$/, "Go"],
  [/\.java$/, "Java"],
  [/\.mm?$/, "Objective-C"],
  [/\.(s|S|asm)$/, "assembly language"],
];

/** Says that a file is not C, where its syntax errors would say little. */
function notC({ files }: Project): TracefoldError | null {
  for (const { path, text } of files) {
    if (text.includes("\0")) return new TracefoldError({ code: "TF109", message: `${path}: this is not a text file` });
    const language = otherLanguages.find(([name]) => name.test(path))?.[1];
    if (language === undefined) continue;
    const help = "Tracefold reads C programs, and tests of JavaScript and TypeScript.";
    return new TracefoldError({ code: "TF109", message: `${path}: this is ${language}, not C`, help });
  }
  return null;
}

type LowerTreesOptions = FrontEndOptions & Pick<LowerOptions, "onInvalidAlternative">;

function lowerTrees(
  project: Project,
  sources: readonly ReadFile[],
  given: readonly TranslationUnit[],
  options: LowerTreesOptions,
): Program {
  const { dataModel, entry, files } = project;
  const trees = options.checks === undefined ? given : stateChecks(given, sources, options.checks);
  const units = trees.map(
    (tree, i): LoweredUnit => ({ path: nth(files, i).path, tree, rules: rulesOf(nth(files, i)) }),
  );
  const written = distinctFiles(sources.flatMap(({ source }) => source.files)).filter(({ path }) => !isSystem(path));
  const library = mentionedFiles([...written.map(({ text }) => text), entry]).map((file) => readLibrary(file, project));
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

function readSources(project: Project, options: FrontEndOptions): ReadFile[] {
  return preprocessFiles(project.files.map((file) => ({ file, options: settingsOf(project, file, options) })));
}

type ParsedFile = { readonly read: ReadFile; readonly tree: TranslationUnit };

/** Changes of C programs, read with these options. */
export function cChanges(options: FrontEndOptions = {}): ChangeFrontEnd {
  const known = new WeakMap<Project, readonly ParsedFile[]>();
  const parsed = (project: Project) =>
    remembered(known, project, () =>
      readSources(project, options).map((read) => ({ read, tree: parseC(read.source) })),
    );
  return {
    propose: (project, propose) => {
      const seen = new Set<string>();
      return parsed(project).flatMap(({ read: { source }, tree }) =>
        changeableFiles(source).flatMap((file) => {
          if (seen.has(file.path)) return [];
          seen.add(file.path);
          return proposeChanges(file, tree, propose);
        }),
      );
    },
    changed: (project, change) => changedProject(project, change, parsed(project)),
    loadSwitched: (project, changes) => loadSwitched(project, parsed(project), changes, options),
    load: (project) => loadNow(project, options),
  };
}

/** The files that users write: not those of the system, of the library and of test frameworks. */
function changeableFiles({ files }: PreprocessedSource): readonly SourceFile[] {
  return files.filter((file) => !isSystem(file.path) && !isFrameworkFile(file));
}

function changedProject(project: Project, { file, edits }: Change, parsed: readonly ParsedFile[]): Project {
  const source = parsed.flatMap(({ read }) => read.source.files).find(({ path }) => path === file);
  const text = applyEdits(present(source).text, edits);
  // A test may include the very file that it tests.
  const changedHeaders = new Map([...(project.changedHeaders ?? []), [file, text]]);
  return {
    ...project,
    files: project.files.map((each) => (each.path === file ? { ...each, text } : each)),
    changedHeaders,
  };
}

function loadSwitched(
  project: Project,
  files: readonly ParsedFile[],
  changes: readonly Change[],
  options: FrontEndOptions,
): SwitchedProgram {
  const selections: (readonly Selection[] | null)[] = changes.map(() => null);
  const unswitched = new Set<number>();
  const refused = new Set<number>();
  let sites = 0;
  const trees = files.map(({ read, tree }) => {
    const paths = new Set(changeableFiles(read.source).map(({ path }) => path));
    const own = changes.flatMap(({ file }, i) => (paths.has(file) ? [i] : []));
    if (own.length === 0) return tree;
    const switched = switchChanges(
      read,
      tree,
      own.map((i) => nth(changes, i)),
      sites,
    );
    sites += switched.sites;
    // A header that several files include has a version in each of them.
    for (const [k, i] of own.entries()) {
      const selected = nth(switched.selections, k);
      if (selected === null) refused.add(i);
      else selections[i] = [...(selections[i] ?? []), ...selected];
    }
    for (const k of switched.unswitched) unswitched.add(nth(own, k));
    return switched.tree;
  });
  const invalid = new Set<string>();
  const sources = files.map(({ read }) => read);
  const program = lowerTrees(project, sources, trees, {
    ...options,
    unsupported: "whenReached",
    onInvalidAlternative: (site, alternative) => invalid.add(`${site} ${alternative + 1}`),
  });
  const isValid = ({ site, alternative }: Selection) => !invalid.has(`${site} ${alternative}`);
  return {
    program,
    selections: selections.map((each, i) => (each?.every(isValid) === true && !refused.has(i) ? each : null)),
    unswitched: [...unswitched],
  };
}

/** An outline of each file, headers included; witnesses describe places by it. */
export async function outlineC(
  project: Project,
  options: Pick<FrontEndOptions, "preprocess"> = {},
): Promise<ReadonlyMap<string, SourceOutline>> {
  const sources = readSources(project, options);
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
  { dataModel, changedHeaders, within }: Project,
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
    readFile(path, origin) {
      const isRefused = within !== undefined && origin === "user" && !isInFolder(path, within);
      return isRefused ? null : (changedHeaders?.get(path) ?? readIfPresent(path));
    },
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
