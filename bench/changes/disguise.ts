import { nth } from "../../src/base/checked.ts";
import { sourceFile } from "../../src/base/sourceFile.ts";
import type { FunctionDefinition, TranslationUnit } from "../../src/c/ast.ts";
import { endOf, sitesOf, startOf, visibleNames } from "../../src/c/changes/sites.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";

/** A program that does the same as another one, with other names, another order of functions, and blank lines. */
export type Disguised = {
  readonly text: string;
  /** The original line of a line; 0 if it has none. */
  readonly originalLine: (line: number) => number;
  /** The text with the original names. */
  readonly originalNames: (text: string) => string;
  readonly isReordered: boolean;
};

type Line = { readonly text: string; readonly number: number };

export function disguise(path: string, text: string): Disguised {
  const tree = parseC(preprocess({ path, text }, { dataModel: "LP64", mode: "auto", readFile: () => null }));
  const lines = text.split("\n").map((each, i) => ({ text: each, number: i + 1 }));
  const reordered = withReversedFunctions(path, lines, tree);
  const spread = withBlankLines(reordered ?? lines);
  const hidden = namesToHide(path, text, tree).map(
    (name, i, all) => [name, `${i % 2 === 0 ? "q" : "renamed_"}${all.length - i}_`] as const,
  );
  return {
    text: rename(spread.map((line) => line.text).join("\n"), new Map(hidden)),
    originalLine: (line) => spread[line - 1]?.number ?? 0,
    originalNames: (part) => rename(part, new Map(hidden.map(([name, other]) => [other, name]))),
    isReordered: reordered !== null,
  };
}

/** The names that the file declares. Names like those of tests stay, because they mean something here. */
function namesToHide(path: string, text: string, tree: TranslationUnit): readonly string[] {
  const { functions, globals, fields, defined } = sitesOf(sourceFile(path, text), tree, () => true);
  const places = [globals, ...functions].flatMap(({ expressions, positions }) => [...expressions, ...positions]);
  const scopes = new Set(places.map(({ scope }) => scope));
  const names = new Set([
    ...defined,
    ...fields,
    ...[...scopes].flatMap((each) => visibleNames(each).map((n) => n.name)),
  ]);
  return [...names].filter(
    (name) => !/^(main|arg[cv]|_*(test|expect|assert|check|verify|require).*|.*_test)$/i.test(name),
  );
}

/** Replaces whole words outside of literals and comments. */
function rename(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[ \t]*include[^\n]*|[A-Za-z_]\w*/g,
    (word) => names.get(word) ?? word,
  );
}

/** The functions in the opposite order, after their prototypes; null if that is not simple. */
function withReversedFunctions(
  path: string,
  lines: readonly Line[],
  { items }: TranslationUnit,
): readonly Line[] | null {
  const own = items.filter(({ range }) => range.file === path);
  const functions = own.flatMap((item) => (item.kind === "functionDefinition" ? [item] : []));
  const first = own.findIndex(({ kind }) => kind === "functionDefinition");
  if (functions.length < 2 || own.slice(first).some(({ kind }) => kind !== "functionDefinition")) return null;
  const start = nth(functions, 0).range.line;
  const between = lines.slice(start - 1).some(({ text }) => /^\s*#/.test(text));
  const sharesLine = functions.some(({ range }, i) => i > 0 && range.line <= nth(functions, i - 1).range.endLine);
  if (between || sharesLine || functions.some((fn) => fn.parameterDeclarations.length > 0)) return null;
  const whole = sourceFile(path, lines.map(({ text }) => text).join("\n"));
  const prototype = (fn: FunctionDefinition) => ({
    text: `${whole.text.slice(startOf(whole, fn.range), startOf(whole, fn.body.range)).trim().replaceAll(/\s+/g, " ")};`,
    number: 0,
  });
  const isAlone = (fn: FunctionDefinition) =>
    /(^|\n)[ \t]*$/.test(whole.text.slice(0, startOf(whole, fn.range))) &&
    /^[ \t\r]*(\/\/[^\n]*)?(\n|$)/.test(whole.text.slice(endOf(whole, fn.range)));
  if (!functions.every(isAlone)) return null;
  const body = (fn: FunctionDefinition) => lines.slice(fn.range.line - 1, fn.range.endLine);
  return [...lines.slice(0, start - 1), ...functions.map(prototype), ...functions.toReversed().flatMap(body)];
}

/** A blank line before each line that does not continue a directive or a comment. */
function withBlankLines(lines: readonly Line[]): readonly Line[] {
  let inComment = false;
  return lines.flatMap((line, i) => {
    const isContinued = lines[i - 1]?.text.trimEnd().endsWith("\\") === true || inComment;
    inComment = line.text.lastIndexOf("/*") > line.text.lastIndexOf("*/") || (inComment && !line.text.includes("*/"));
    return isContinued || i % 2 === 0 ? [line] : [{ text: "", number: 0 }, line];
  });
}
