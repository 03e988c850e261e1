import { dirname, isAbsolute, join, normalize } from "node:path";
import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { type SourceFile, sourceFile } from "../../base/sourceFile.ts";
import { frameworkHeader } from "../library/libraryFiles.ts";
import { createPacking, type DirectiveContext, type HeaderName, runDirective } from "./directives.ts";
import { createExpander, type ExpansionState } from "./expandMacros.ts";
import { createFrame, type FileFrame, readFrame } from "./fileStack.ts";
import { INPUT_OUTPUT_HEADERS } from "./headers/inputOutput.ts";
import { LANGUAGE_HEADERS } from "./headers/language.ts";
import { LIBRARY_HEADERS } from "./headers/library.ts";
import { MATH_HEADERS } from "./headers/math.ts";
import { SYSTEM_HEADERS } from "./headers/system.ts";
import { DYNAMIC_MACROS, type DynamicMacro, type Macro, type MacroTable } from "./macro.ts";
import { type PreprocessedSource, type PreprocessNote, type PreprocessOptions, predefinedMacros } from "./options.ts";
import type { CompilerHeaders } from "./preprocess.ts";
import { TokenKind } from "./scanToken.ts";
import { createTokenList, type FileOrigin, type PpToken, rangeOfPpToken, spliceFile } from "./tokens.ts";

/** The standard headers as short declarations. Names beginning with `tracefold/` are shared parts. */
const HEADERS: ReadonlyMap<string, string> = new Map(
  [LANGUAGE_HEADERS, LIBRARY_HEADERS, INPUT_OUTPUT_HEADERS, MATH_HEADERS, SYSTEM_HEADERS].flatMap(Object.entries),
);

export function builtinHeader(name: string): string | null {
  return HEADERS.get(name) ?? null;
}

export function builtinHeaderNames(): readonly string[] {
  return [...HEADERS.keys()].filter((name) => !name.startsWith("tracefold/")).toSorted();
}

type Header = { readonly path: string; readonly text: string; readonly origin: FileOrigin };

/** Finds the header of an `#include` or, with `next`, an `#include_next`. */
type HeaderSearch = (name: HeaderName, from: FileFrame, next: boolean) => Header | null;

const MAX_DEPTH = 200;

/** `auto` mode tries again with gcc's headers. */
export class MissingHeader extends TracefoldError {}

/**
 * The preprocessor: conditionals, includes, macros. Standard headers are built in, or the compiler's if one is given.
 */
export function preprocessFile(
  file: { path: string; text: string },
  options: PreprocessOptions,
  compiler: CompilerHeaders | null,
): PreprocessedSource {
  const macros: MacroTable = new Map(DYNAMIC_MACROS.map((name) => [name, { kind: "dynamic", name }]));
  const notes: PreprocessNote[] = [];
  const files = new Map<string, SourceFile>();
  const once = new Set<string>();
  const stack: FileFrame[] = [];
  const packing = createPacking(notes);

  const open = (path: string, text: string, origin: FileOrigin): void => {
    if (origin === "user" && !files.has(path)) files.set(path, sourceFile(path, text));
    stack.push(createFrame(spliceFile(path, text, origin)));
  };

  const headers = headerSearch(options, compiler);

  const include = (name: HeaderName, directive: PpToken, next: boolean): void => {
    const found = headers(name, nth(stack, stack.length - 1), next);
    if (found === null) throw missing(name, directive, compiler);
    if (once.has(found.path)) return;
    if (stack.length >= MAX_DEPTH) {
      const message = `headers include each other more than ${MAX_DEPTH} deep`;
      throw new TracefoldError({ code: "TF302", message, range: rangeOfPpToken(directive) });
    }
    open(found.path, found.text, found.origin);
  };

  const pragma = (tokens: readonly PpToken[]): void => {
    const [word, , name] = tokens;
    if (word?.text === "once") once.add(nth(stack, stack.length - 1).source.path);
    else if (word?.text === "push_macro" || word?.text === "pop_macro") {
      if (name?.kind === TokenKind.string) saveOrRestore(word.text, name.text.slice(1, -1));
    } else packing.pragma(tokens);
  };

  const saved = new Map<string, (Macro | DynamicMacro | null)[]>();
  const saveOrRestore = (word: "push_macro" | "pop_macro", name: string): void => {
    const definitions = saved.get(name) ?? [];
    saved.set(name, definitions);
    if (word === "push_macro") {
      definitions.push(macros.get(name) ?? null);
      return;
    }
    const definition = definitions.pop();
    if (definition === null) macros.delete(name);
    else if (definition !== undefined) macros.set(name, definition);
  };

  const presumedPlace = (token: PpToken): { line: number; file: string } => {
    const frame = stack.findLast((entry) => entry.source === token.source);
    const { line } = rangeOfPpToken(token);
    return { line: line + (frame?.lineShift ?? 0), file: frame?.presumedFile ?? token.source.path };
  };

  const state: ExpansionState = { macros, counter: 0, steps: 0, presumedPlace, pragma };
  const context: DirectiveContext = {
    state,
    notes,
    include,
    canInclude: (name, next) => headers(name, nth(stack, stack.length - 1), next) !== null,
  };

  const next = (): PpToken | null => {
    for (;;) {
      const frame = stack[stack.length - 1];
      if (frame === undefined) return null;
      const item = readFrame(frame);
      if (item === null) stack.pop();
      else if ("hash" in item) runDirective(context, frame, item);
      else return item;
    }
  };

  const list = createTokenList(file.path);
  const expander = createExpander(state, { next });
  const run = (): void => {
    for (let token = expander.next(); token !== null; token = expander.next()) {
      packing.add(token, list.add);
    }
  };
  open("<built-in>", compiler?.macros ?? predefinedMacros(options.dataModel, options.standard), "builtin");
  run();
  open("<command line>", `${undefineText(options.undefines ?? [])}${defineText(options.defines ?? [])}`, "builtin");
  run();
  for (const header of options.headers ?? []) {
    const text = options.readFile(header, "user");
    if (text === null) throw missingFirst(header);
    open(header, text, "user");
    run();
  }
  open(file.path, file.text, "user");
  run();
  // The file itself comes first, whatever was read before it.
  const own = present(files.get(file.path));
  const others = [...files.values()].filter((each) => each !== own);
  return { tokens: list.finish(), files: [own, ...others], notes, by: compiler === null ? "builtin" : "gcc" };
}

/**
 * Searches the user's folders, the built-in headers, the compiler's folders. With a compiler only `assert.h` is built
 * in, so that an assertion stays a call with its condition as written.
 */
function headerSearch(options: PreprocessOptions, compiler: CompilerHeaders | null): HeaderSearch {
  const known = new Map<string, string | null>();
  const read = (path: string, origin: FileOrigin): string | null => {
    const text = known.has(path) ? known.get(path) : options.readFile(path, origin);
    known.set(path, text ?? null);
    return text ?? null;
  };
  const builtin = { folder: null, origin: "builtin" } as const;
  const placed = (folders: readonly string[], origin: FileOrigin) => folders.map((folder) => ({ folder, origin }));
  const always = [
    ...placed(options.includePaths ?? [], "user"),
    builtin,
    ...placed(compiler?.folders ?? [], "compiler"),
  ];
  const find: HeaderSearch = ({ name, quoted }, { source }, next) => {
    const beside = quoted ? [dirname(source.path), ...(options.quotePaths ?? [])] : [];
    let places = source.origin === "builtin" ? [builtin] : [...placed(beside, source.origin), ...always];
    if (isAbsolute(name)) places = placed([""], source.origin);
    if (next) {
      const own = places.findIndex(({ folder }) => folder !== null && source.path.startsWith(join(folder, "/")));
      places = places.slice(own + 1);
    }
    for (const { folder, origin } of places) {
      const isOurs = folder === null && (compiler === null || name === "assert.h");
      const path = folder === null ? `<${name}>` : normalize(join(folder, name));
      const text = folder !== null ? read(path, origin) : isOurs ? builtinHeader(name) : null;
      if (text !== null) return { path, text, origin };
    }
    return null;
  };
  return (name, from, next) => {
    const found = find(name, from, next);
    const ours = frameworkHeader(name.name, found?.text ?? null);
    if (ours === null) return found;
    return { path: `<${name.name}>`, text: ours, origin: compiler === null ? "builtin" : "compiler" };
  };
}

function undefineText(names: readonly string[]): string {
  return names.map((name) => `#undef ${name}\n`).join("");
}

/** `-D NAME` is `#define NAME 1`, `-D 'F(x)=x'` is `#define F(x) x`. */
function defineText(defines: readonly string[]): string {
  return defines
    .map((define) => {
      const equals = define.indexOf("=");
      const [name, value] = equals < 0 ? [define, "1"] : [define.slice(0, equals), define.slice(equals + 1)];
      return `#define ${name} ${value}\n`;
    })
    .join("");
}

function missingFirst(header: string): TracefoldError {
  return new TracefoldError({ code: "TF118", message: `cannot find ${header}, which -include names` });
}

function missing({ name, quoted }: HeaderName, directive: PpToken, compiler: CompilerHeaders | null): TracefoldError {
  const range = rangeOfPpToken(directive);
  if (quoted || compiler !== null) {
    return new MissingHeader({
      code: "TF118",
      message: `cannot find the header ${quoted ? `"${name}"` : `<${name}>`}`,
      range,
      help: "Give its folder with -I.",
    });
  }
  return new MissingHeader({
    code: "TF119",
    message: `the system header <${name}> is not built in`,
    range,
    help: "Use this system's headers with --preprocess gcc, or give its folder with -I.",
  });
}
