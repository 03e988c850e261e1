import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Block, BlockItem, Expr, Statement, TranslationUnit } from "../ast.ts";
import { changeBodies } from "./changeBodies.ts";

/** A condition that is to be looked at whenever the run comes to a line. */
export type WatchedLine = { readonly file: string; readonly line: number; readonly condition: Expr };

/**
 * The file's tree with the condition evaluated before the first statement of the line; at a line with nothing but a
 * closing brace, at the end of that block. null where the line has no statement of a function.
 */
export function watchStatement(tree: TranslationUnit, { file, line, condition }: WatchedLine): TranslationUnit | null {
  let found = false;
  const watchAt = (range: SourceRange): Statement => {
    found = true;
    return { kind: "watch", condition, range };
  };
  const covers = ({ line: first, endLine }: SourceRange) => first <= line && line <= endLine;

  const inBlock = (block: Block): Block => {
    if (found || !covers(block.range)) return block;
    const items = block.items.flatMap((item): BlockItem[] => {
      if (found) return [item];
      if (begins(item, line)) return [watchAt(item.range), item];
      return item.kind === "declaration" || item.kind === "staticAssert" ? [item] : [inside(item)];
    });
    if (!found && block.range.endLine === line) items.push(watchAt(endOf(block.range)));
    return { ...block, items };
  };

  /** A statement that is no item of a block. */
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

/** Does the line belong to the item itself, not to a statement inside of it? */
function begins(item: BlockItem, line: number): boolean {
  const { range } = item;
  if (line < range.line || line > range.endLine) return false;
  switch (item.kind) {
    case "block":
    // The condition would stand before the label, where no run comes.
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
