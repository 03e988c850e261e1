import { dirname, isAbsolute, join, normalize } from "node:path";
import { TracefoldError } from "../../../base/errors.ts";
import { type SourceFile, sourceFile } from "../../../base/sourceFile.ts";
import { builtinHeader } from "./builtinHeaders.ts";
import { type DirectiveContext, runDirective } from "./directives.ts";
import { createExpander, type ExpansionState } from "./expandMacros.ts";
import { createFrame, type Frame, readFrame } from "./fileStack.ts";
import type { HeaderName } from "./headerName.ts";
import { DYNAMIC_MACROS, type MacroTable } from "./macro.ts";
import type { PreprocessOptions } from "./options.ts";
import { createOutputText } from "./outputText.ts";
import { createPacking } from "./packing.ts";
import { type PpToken, rangeOfPpToken } from "./ppToken.ts";
import { predefinedMacros } from "./predefinedMacros.ts";
import type { PreprocessedSource, PreprocessNote } from "./preprocessedSource.ts";
import { spliceFile } from "./splicedFile.ts";

const MAX_DEPTH = 200;

/** Thrown out of the preprocessing when a system header is not built in: `auto` mode goes on with gcc. */
export class MissingSystemHeader extends TracefoldError {}

/** The preprocessor proper: conditionals, includes, macros. One closure: all of them work on the stack of open files. */
export function preprocessBuiltin(
  file: { path: string; text: string },
  options: PreprocessOptions,
): PreprocessedSource {
  const macros: MacroTable = new Map(DYNAMIC_MACROS.map((name) => [name, { kind: "dynamic", name }]));
  const notes: PreprocessNote[] = [];
  const files = new Map<string, SourceFile>();
  const once = new Set<string>();
  const stack: Frame[] = [];
  const packing = createPacking(notes);

  const open = (path: string, text: string, builtin: boolean): void => {
    if (!builtin && !files.has(path)) files.set(path, sourceFile(path, text));
    stack.push(createFrame(spliceFile(path, text, builtin)));
  };

  const find = (
    name: HeaderName,
    from: Frame,
    next: boolean,
  ): { path: string; text: string; builtin: boolean } | null => {
    const folders = [...(options.includePaths ?? [])];
    if (name.quoted) folders.unshift(dirname(from.source.path), ...(options.quotePaths ?? []));
    if (next) folders.splice(0, folders.findIndex((folder) => from.source.path.startsWith(join(folder, "/"))) + 1);
    const paths = isAbsolute(name.name) ? [name.name] : folders.map((folder) => normalize(join(folder, name.name)));
    for (const path of from.source.builtin ? [] : paths) {
      const text = options.readFile(path);
      if (text !== null) return { path, text, builtin: false };
    }
    const text = builtinHeader(name.name);
    return text === null ? null : { path: `<${name.name}>`, text, builtin: true };
  };

  const include = (name: HeaderName, directive: PpToken, next: boolean): void => {
    const found = find(name, stack[stack.length - 1]!, next);
    if (found === null) throw missing(name, directive);
    if (once.has(found.path)) return;
    if (stack.length >= MAX_DEPTH) {
      const message = `headers include each other more than ${MAX_DEPTH} deep`;
      throw new TracefoldError({ code: "TF302", message, range: rangeOfPpToken(directive) });
    }
    open(found.path, found.text, found.builtin);
  };

  const pragma = (tokens: readonly PpToken[]): void => {
    if (tokens[0]?.text === "once") once.add(stack[stack.length - 1]!.source.path);
    else packing.pragma(tokens);
  };

  const presumedPlace = (token: PpToken): { line: number; file: string } => {
    const frame = stack.findLast((entry) => entry.source === token.source);
    const { line } = rangeOfPpToken(token);
    return { line: line + (frame?.lineShift ?? 0), file: frame?.presumedFile ?? token.source.path };
  };

  const state: ExpansionState = { macros, counter: 0, steps: 0, presumedPlace };
  const context: DirectiveContext = {
    state,
    notes,
    include,
    canInclude: (name) => find(name, stack[stack.length - 1]!, false) !== null,
    pragma,
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

  const output = createOutputText(file.path);
  const expander = createExpander(state, { next });
  const run = (): void => {
    for (let token = expander.next(); token !== null; token = expander.next()) {
      packing.add(token, output.add);
    }
  };
  open("<built-in>", predefinedMacros(options.dataModel, options.standard), true);
  run();
  open("<command line>", `${undefineText(options.undefines ?? [])}${defineText(options.defines ?? [])}`, true);
  run();
  for (const header of options.headers ?? []) {
    const text = options.readFile(header);
    if (text === null) throw missingFirst(header);
    open(header, text, false);
    run();
  }
  open(file.path, file.text, false);
  run();
  // The file itself is the first of its files, whatever was read before it.
  const own = files.get(file.path)!;
  const others = [...files.values()].filter((each) => each !== own);
  return { ...output.finish(), files: [own, ...others], notes, by: "builtin" };
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
  return new TracefoldError({ code: "TF118", message: `cannot find ${header}, which is to be read first (-include)` });
}

function missing(name: HeaderName, directive: PpToken): TracefoldError {
  const range = rangeOfPpToken(directive);
  if (name.quoted) {
    return new MissingSystemHeader({
      code: "TF118",
      message: `cannot find the header "${name.name}"`,
      range,
      help: "Give the folder it is in with -I.",
    });
  }
  return new MissingSystemHeader({
    code: "TF119",
    message: `the system header <${name.name}> is not built in`,
    range,
    help: "Run with --preprocess gcc to use the headers of this system, or give a folder that has it with -I.",
  });
}
