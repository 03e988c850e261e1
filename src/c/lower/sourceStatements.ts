import { assertNever } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { SourceStatement } from "../../ir/program.ts";
import type { BlockItem, BlockStatement, Statement } from "../ast.ts";

/** The statements inside a block, outer before inner. A macro's statements have the range of its use. */
export function sourceStatements(body: BlockStatement): readonly SourceStatement[] {
  const statements: SourceStatement[] = [];
  // A worklist: generated programs nest deeply.
  const work: BlockItem[] = [body];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { own, below } = outline(item);
    if (own !== null) statements.push(own);
    for (const inner of below.toReversed()) work.push(inner);
  }
  return statements;
}

type Outline = { readonly own: SourceStatement | null; readonly below: readonly BlockItem[] };

function outline(item: BlockItem): Outline {
  switch (item.kind) {
    case "block":
      return { own: null, below: item.items };
    case "declaration":
      return whole("declaration", item.range);
    case "expressionStatement":
    case "asm":
      return whole("simple", item.range);
    case "return":
      return whole("return", item.range);
    case "goto":
    case "computedGoto":
    case "break":
    case "continue":
      return whole("jump", item.range);
    case "if":
      return headed("if", item.range, item.then, item.else === null ? [item.then] : [item.then, item.else]);
    case "while":
    case "for":
      return headed("loop", item.range, item.body, [item.body]);
    case "doWhile": {
      const { body, range } = item;
      const head = { ...range, line: body.range.endLine, column: body.range.endColumn };
      return { own: { kind: "loop", range, head }, below: [body] };
    }
    case "switch":
      return headed("switch", item.range, item.body, [item.body]);
    case "case":
    case "default":
    case "label":
      return { own: null, below: [item.body] };
    case "choice":
      return outline(item.otherwise);
    case "empty":
    case "staticAssert":
    case "watch":
    case "stated":
      return { own: null, below: [] };
    default:
      return assertNever(item, "statement");
  }
}

function whole(kind: SourceStatement["kind"], range: SourceRange): Outline {
  return { own: { kind, range, head: range }, below: [] };
}

/** The range from the keyword to the start of the body. */
function headed(
  kind: SourceStatement["kind"],
  range: SourceRange,
  body: Statement,
  below: readonly Statement[],
): Outline {
  const { line, column } = body.range;
  const isBefore = body.range.file === range.file && (line > range.line || column > range.column);
  const head = isBefore ? { ...range, endLine: line, endColumn: column } : range;
  return { own: { kind, range, head }, below };
}
