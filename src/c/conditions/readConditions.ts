import { TracefoldError } from "../../base/errors.ts";
import { lineCount, rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Expr, ExternalItem, TranslationUnit } from "../ast.ts";
import { parseC } from "../parse/parseC.ts";
import { preprocess, type ReadFile } from "../preprocess/preprocess.ts";

/** A condition written outside the program; `placeOf` maps a range of its text to the range to report. */
export type WrittenCondition = { readonly text: string; readonly placeOf: (range: SourceRange) => SourceRange };

type Refuse = (message: string, range: SourceRange) => TracefoldError;

/** Parses the file with each condition appended as a function, where the file's macros and types are known. */
export function readConditions(
  { file, options, source }: ReadFile,
  conditions: readonly WrittenCondition[],
  refuse: Refuse,
): { readonly tree: TranslationUnit; readonly conditions: readonly Expr[] } {
  let last = lineCount(file);
  const placed = conditions.map(({ text, placeOf }, i) => {
    const name = `__tracefold_condition_${i}`;
    const head = last + 1;
    last = head + lineCount({ text }) + 1;
    const place = (range: SourceRange | undefined): SourceRange => placeOf(rangeInText(text, range, head));
    return { name, last, place, text: `int ${name}(void) { return (\n${text}\n); }\n` };
  });
  const text = `${file.text}\n${placed.map((each) => each.text).join("")}`;
  const { items } = parse(() => {
    const mode = source.by === "gcc" ? "gcc" : (options.mode ?? "auto");
    return parseC(preprocess({ path: file.path, text }, { ...options, mode }));
  });
  const own = items.findIndex((item) => nameOf(item) === placed[0]?.name);
  const expressions = placed.map(({ name, place }, i) => {
    const item = items[own + i];
    const next = items[own + i + 1];
    const statement = item?.kind === "functionDefinition" ? item.body.items[0] : undefined;
    const isOne = item?.kind === "functionDefinition" && item.body.items.length === 1 && nameOf(item) === name;
    const value = isOne && statement?.kind === "return" ? statement.value : null;
    if (value === null || nameOf(next) !== placed[i + 1]?.name)
      throw refuse("this is not one expression", place(undefined));
    const condition = moved(value, place);
    refuseEffects(condition, refuse);
    return condition;
  });
  return { tree: { items: items.slice(0, own) }, conditions: expressions };

  /** Errors after the end of the file are about a condition. */
  function parse(run: () => TranslationUnit): TranslationUnit {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TracefoldError)) throw error;
      const line = error.range?.line ?? Number.POSITIVE_INFINITY;
      const about = placed.find((each) => line <= each.last) ?? placed.at(-1);
      if (line <= lineCount(file) || about === undefined) throw error;
      throw refuse(
        `the condition cannot be read: ${error.message.replace(about.name, "it")}`,
        about.place(error.range),
      );
    }
  }
}

function nameOf(item: ExternalItem | undefined): string | null | undefined {
  if (item?.kind !== "functionDefinition" || item.declarator.kind !== "function") return undefined;
  return item.declarator.of.kind === "name" ? item.declarator.of.name : undefined;
}

/** Maps a range of the program to a range of the condition, whose first line follows line `head`. */
function rangeInText(text: string, range: SourceRange | undefined, head: number): SourceRange {
  const whole = rangeBetweenOffsets({ path: "", text }, 0, text.length);
  if (range === undefined || range.line <= head) return whole;
  const line = range.line - head;
  if (line > whole.endLine) return { ...whole, line: whole.endLine, column: whole.endColumn };
  const endLine = Math.min(whole.endLine, Math.max(line, range.endLine - head));
  return { ...range, line, endLine };
}

/** The tree with all ranges mapped. */
function moved<T>(node: T, place: (range: SourceRange) => SourceRange): T {
  if (Array.isArray(node)) return node.map((each) => moved(each, place)) as T;
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "range" ? place(value as SourceRange) : moved(value, place),
    ]),
  ) as T;
}

function refuseEffects(node: unknown, refuse: Refuse): void {
  if (Array.isArray(node)) {
    for (const each of node) refuseEffects(each, refuse);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { kind, operator, range } = node as { kind?: string; operator?: string; range: SourceRange };
  if (kind === "assignment" || kind === "increment" || kind === "call" || kind === "statementExpression") {
    throw refuse("a condition cannot have side effects or call functions", range);
  }
  if (kind === "unary" && operator === "&") throw refuse("a condition cannot take addresses", range);
  for (const value of Object.values(node)) refuseEffects(value, refuse);
}

/** The program's file that the user means: by its path, the end of its path, or its name. */
export function fileMeant(asked: string, sources: readonly ReadFile[]): string {
  const paths = sources.flatMap(({ source }) => source.files.map(({ path }) => path));
  const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  return (
    paths.find((path) => path === asked) ??
    paths.find((path) => path.endsWith(`/${asked}`)) ??
    paths.find((path) => baseName(path) === baseName(asked)) ??
    asked
  );
}
