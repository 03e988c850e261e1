import { TracefoldError } from "../../base/errors.ts";
import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { WatchedCondition } from "../../frontEnd/frontEnd.ts";
import type { BlockItem, BlockStatement, Expr, Statement, TranslationUnit } from "../ast.ts";
import type { ReadFile } from "../preprocess/preprocess.ts";
import { fileMeant, readConditions } from "./readConditions.ts";
import { changeBodies } from "./stateInvariants.ts";

/** Errors name this option as the source of the condition. */
const option = "--target";

/** Evaluates the condition whenever the run reaches the line, in every file that includes it. */
export function watchLine(
  trees: readonly TranslationUnit[],
  sources: readonly ReadFile[],
  watch: WatchedCondition,
): TranslationUnit[] {
  const { line } = watch;
  const file = fileMeant(watch.file, sources);
  const written = { text: watch.condition, placeOf: (range: SourceRange) => ({ ...range, file: option }) };
  let isThere = false;
  const watched = trees.map((tree, i) => {
    const source = sources[i];
    if (source === undefined || watchStatement(tree, { file, line, condition: anything }) === null) return tree;
    isThere = true;
    const read = readConditions(source, [written], malformed);
    const condition = read.conditions[0] ?? anything;
    return watchStatement(read.tree, { file, line, condition }) ?? tree;
  });
  if (!isThere) throw noStatement(watch);
  return watched;
}

const anything: Expr = { kind: "number", text: "1", range: rangeBetweenOffsets({ path: "", text: "" }, 0, 0) };

function noStatement({ file, line }: WatchedCondition): TracefoldError {
  return new TracefoldError({
    code: "TF136",
    message: `there is no statement of a function at line ${line} of ${file}`,
    range: { file: option, line: 1, column: 1, endLine: 1, endColumn: 1 },
    help: "Name a line with a statement, or the closing brace of a block.",
  });
}

function malformed(message: string, range: SourceRange): TracefoldError {
  return new TracefoldError({
    code: "TF136",
    message,
    range,
    help: "A condition is a C expression over what is in scope at the line: --target 'x >= 0 @ file.c:12'",
  });
}

type WatchedLine = { readonly file: string; readonly line: number; readonly condition: Expr };

/** Evaluates the condition before the line's first statement, or at the end of the block it closes. null if none. */
function watchStatement(tree: TranslationUnit, { file, line, condition }: WatchedLine): TranslationUnit | null {
  let found = false;
  const watchAt = (range: SourceRange): Statement => {
    found = true;
    return { kind: "watch", condition, range };
  };
  const covers = ({ line: first, endLine }: SourceRange) => first <= line && line <= endLine;

  const inBlock = (block: BlockStatement): BlockStatement => {
    if (found || !covers(block.range)) return block;
    const items = block.items.flatMap((item): BlockItem[] => {
      if (found) return [item];
      if (begins(item, line)) return [watchAt(item.range), item];
      return item.kind === "declaration" || item.kind === "staticAssert" ? [item] : [inside(item)];
    });
    if (!found && block.range.endLine === line) items.push(watchAt(endOf(block.range)));
    return { ...block, items };
  };

  const single = (statement: Statement): Statement => {
    if (found || !covers(statement.range)) return statement;
    if (!begins(statement, line)) return inside(statement);
    return { kind: "block", items: [watchAt(statement.range), statement], range: statement.range };
  };

  const inside = (statement: Statement): Statement =>
    found || !covers(statement.range) ? statement : changeBodies(statement, { block: inBlock, single });

  const items = tree.items.map((item) =>
    item.kind === "functionDefinition" && item.range.file === file ? { ...item, body: inBlock(item.body) } : item,
  );
  return found ? { ...tree, items } : null;
}

/** True if the line belongs to the item itself, not to a statement inside it. */
function begins(item: BlockItem, line: number): boolean {
  const { range } = item;
  if (line < range.line || line > range.endLine) return false;
  switch (item.kind) {
    case "block":
    // Before a label the condition would never be evaluated.
    case "case":
    case "default":
    case "label":
      return false;
    case "if":
      return line < item.then.range.line || line === range.line;
    case "while":
    case "for":
    case "switch":
      return line < item.body.range.line || line === range.line;
    case "doWhile":
      return line === range.line && line < item.body.range.endLine;
    default:
      return true;
  }
}

function endOf(range: SourceRange): SourceRange {
  return { ...range, line: range.endLine, column: Math.max(1, range.endColumn - 1) };
}
