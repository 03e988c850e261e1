import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { StatedInvariant } from "../../frontEnd/frontEnd.ts";
import type { BlockItem, BlockStatement, Expr, StatedCondition, Statement, TranslationUnit } from "../ast.ts";
import type { ReadFile } from "../preprocess/preprocess.ts";
import { fileMeant, readConditions } from "./readConditions.ts";

/** Inserts stated conditions at loops and statements of the program's trees. */
export function stateInvariants(
  trees: readonly TranslationUnit[],
  sources: readonly ReadFile[],
  given: readonly StatedInvariant[],
): TranslationUnit[] {
  const all = given.map((stated, number) => ({ ...stated, number, file: fileMeant(stated.file, sources) }));
  const placed = new Set<number>();
  const result = trees.map((tree, i) => {
    const here = all.filter(({ file }) => nth(sources, i).source.files.some(({ path }) => path === file));
    const found = placesIn(tree, here);
    if (found.size === 0) return tree;
    const written = here.map(({ condition, at }) => ({ text: condition, placeOf: () => at }));
    const read = readConditions(nth(sources, i), written, unreadable);
    const conditions = new Map(here.map(({ number }, k) => [number, nth(read.conditions, k)]));
    for (const number of found) placed.add(number);
    return insert(read.tree, here, conditions).tree;
  });
  const missing = all.find(({ number }) => !placed.has(number));
  if (missing !== undefined) {
    const { kind, line, column, file, at } = missing;
    const where = `line ${line}${column === null ? "" : `, column ${column},`} of ${file}`;
    throw unreadable(`there is no ${kind === "loop" ? "loop" : "statement of a function"} at ${where}`, at);
  }
  return result;
}

type Numbered = StatedInvariant & { readonly number: number };

function placesIn(tree: TranslationUnit, here: readonly Numbered[]): ReadonlySet<number> {
  return here.length === 0 ? new Set() : insert(tree, here, new Map()).found;
}

/** Inserts the given conditions, and finds the places of all. */
function insert(
  tree: TranslationUnit,
  here: readonly Numbered[],
  conditions: ReadonlyMap<number, Expr>,
): { readonly tree: TranslationUnit; readonly found: ReadonlySet<number> } {
  const found = new Set<number>();
  const take = (kind: StatedInvariant["kind"], { file, line, column }: SourceRange): readonly StatedCondition[] =>
    here.flatMap((stated) => {
      if (stated.kind !== kind || stated.file !== file || stated.line !== line || found.has(stated.number)) return [];
      if (stated.column !== null && stated.column !== column) return [];
      found.add(stated.number);
      const condition = conditions.get(stated.number);
      return condition === undefined ? [] : [{ number: stated.number, condition }];
    });
  const before = (statement: Statement): readonly StatedCondition[] =>
    statement.kind === "block" ? [] : take("statement", statement.range);
  const item = (given: BlockItem): readonly BlockItem[] => {
    if (given.kind === "declaration" || given.kind === "staticAssert") {
      const stated = given.kind === "declaration" ? take("statement", given.range) : [];
      return stated.length === 0 ? [given] : [{ kind: "stated", stated, range: given.range }, given];
    }
    const stated = before(given);
    return [...(stated.length === 0 ? [] : [{ kind: "stated" as const, stated, range: given.range }]), inside(given)];
  };
  const inBlock = (block: BlockStatement): BlockStatement => ({ ...block, items: block.items.flatMap(item) });
  const single = (statement: Statement): Statement => {
    const items = item(statement) as readonly Statement[];
    return items.length === 1 ? nth(items, 0) : { kind: "block", items, range: statement.range };
  };
  const inside = (statement: Statement): Statement => {
    const { kind } = statement;
    const isLoop = kind === "while" || kind === "doWhile" || kind === "for";
    const given = isLoop ? { ...statement, stated: take("loop", statement.range) } : statement;
    return changeBodies(given, { block: inBlock, single });
  };
  const items = tree.items.map((each) =>
    each.kind === "functionDefinition" ? { ...each, body: inBlock(each.body) } : each,
  );
  return { tree: { ...tree, items }, found };
}

function unreadable(message: string, range: SourceRange): TracefoldError {
  return new TracefoldError({
    code: "TF199",
    message,
    range,
    help: "An invariant is a C expression over what is in scope at its loop or statement.",
  });
}

/** Maps the statements inside a statement: blocks, and statements that are not items of a block. */
export type BodyChange = { block(block: BlockStatement): BlockStatement; single(statement: Statement): Statement };

export function changeBodies(statement: Statement, { block, single }: BodyChange): Statement {
  switch (statement.kind) {
    case "block":
      return block(statement);
    case "if": {
      const then = single(statement.then);
      return { ...statement, then, else: statement.else === null ? null : single(statement.else) };
    }
    case "while":
    case "doWhile":
    case "for":
    case "switch":
    case "case":
    case "default":
    case "label":
      return { ...statement, body: single(statement.body) };
    default:
      return statement;
  }
}
