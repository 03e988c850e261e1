import { TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { StatedInvariant } from "../../frontEnd.ts";
import type { Block, BlockItem, Expr, Stated, Statement, TranslationUnit } from "../ast.ts";
import { parseC } from "../parse/parseC.ts";
import type { ReadFile } from "../preprocess/preprocess.ts";
import { preprocess } from "../preprocess/preprocess.ts";
import { changeBodies } from "./changeBodies.ts";
import { fileMeant } from "./fileMeant.ts";
import { refuseEffects } from "./refuseEffects.ts";

/**
 * The trees of a program's files with conditions that someone says to hold at loops and statements. A condition is read as the
 * result of a function behind the end of its file, where the file's macros and types are known.
 */
export function stateInvariants(
  trees: readonly TranslationUnit[],
  sources: readonly ReadFile[],
  given: readonly StatedInvariant[],
): TranslationUnit[] {
  const all = given.map((stated, number) => ({ ...stated, number, file: fileMeant(stated.file, sources) }));
  const placed = new Set<number>();
  const result = trees.map((tree, i) => {
    const here = all.filter(({ file }) => sources[i]!.source.files.some(({ path }) => path === file));
    const found = placesIn(tree, here);
    if (found.size === 0) return tree;
    const read = readConditions(sources[i]!, here);
    for (const number of found) placed.add(number);
    return insert(read.tree, here, read.conditions).tree;
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

/** With the conditions where they belong; those without one are only looked for. */
function insert(
  tree: TranslationUnit,
  here: readonly Numbered[],
  conditions: ReadonlyMap<number, Expr>,
): { readonly tree: TranslationUnit; readonly found: ReadonlySet<number> } {
  const found = new Set<number>();
  const take = (kind: StatedInvariant["kind"], { file, line, column }: SourceRange): readonly Stated[] =>
    here.flatMap((stated) => {
      if (stated.kind !== kind || stated.file !== file || stated.line !== line || found.has(stated.number)) return [];
      if (stated.column !== null && stated.column !== column) return [];
      found.add(stated.number);
      const condition = conditions.get(stated.number);
      return condition === undefined ? [] : [{ number: stated.number, condition }];
    });
  const before = (statement: Statement): readonly Stated[] =>
    statement.kind === "block" ? [] : take("statement", statement.range);
  const item = (given: BlockItem): readonly BlockItem[] => {
    if (given.kind === "declaration" || given.kind === "staticAssert") {
      const stated = given.kind === "declaration" ? take("statement", given.range) : [];
      return stated.length === 0 ? [given] : [{ kind: "stated", stated, range: given.range }, given];
    }
    const stated = before(given);
    return [...(stated.length === 0 ? [] : [{ kind: "stated" as const, stated, range: given.range }]), inside(given)];
  };
  const inBlock = (block: Block): Block => ({ ...block, items: block.items.flatMap(item) });
  const single = (statement: Statement): Statement => {
    const items = item(statement) as readonly Statement[];
    return items.length === 1 ? items[0]! : { kind: "block", items, range: statement.range };
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

/** The conditions as trees whose places are where they are stated, and the file's tree. */
function readConditions(
  { file, options, source }: ReadFile,
  here: readonly Numbered[],
): { readonly tree: TranslationUnit; readonly conditions: ReadonlyMap<number, Expr> } {
  const mode = source.by === "gcc" ? "gcc" : options.mode;
  const settings = { ...options, ...(mode === undefined ? {} : { mode }) };
  const read = (stated: readonly Numbered[]) => {
    const functions = stated.map(
      ({ number, condition }) => `int __tracefold_stated_${number}(void) { return (\n${condition}\n); }\n`,
    );
    const tree = parseC(preprocess({ ...file, text: `${file.text}\n${functions.join("")}` }, settings));
    const own = tree.items.length - stated.length;
    const conditions = stated.map(({ number, at }, i) => {
      const item = tree.items[own + i];
      const statement = item?.kind === "functionDefinition" ? item.body.items[0] : undefined;
      if (item?.kind !== "functionDefinition" || item.body.items.length !== 1 || statement?.kind !== "return") {
        throw unreadable("this is not one expression of C", at);
      }
      if (statement.value === null) throw unreadable("this is not an expression of C", at);
      const condition = placedAt(statement.value, at);
      refuseEffects(condition, (message, range) => unreadable(message, range));
      return [number, condition] as const;
    });
    return { tree: { ...tree, items: tree.items.slice(0, own) }, conditions: new Map(conditions) };
  };
  // One by one where one of them is broken, to say which.
  try {
    return read(here);
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    for (const stated of here) {
      try {
        read([stated]);
      } catch (broken) {
        if (!(broken instanceof TracefoldError) || broken.code === "TF199") throw broken;
        throw unreadable(`the condition cannot be read: ${broken.message}`, stated.at);
      }
    }
    throw error;
  }
}

function placedAt<T>(node: T, at: SourceRange): T {
  if (Array.isArray(node)) return node.map((each) => placedAt(each, at)) as T;
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === "range" ? at : placedAt(value, at)]),
  ) as T;
}

function unreadable(message: string, range: SourceRange): TracefoldError {
  return new TracefoldError({
    code: "TF199",
    message,
    range,
    help: "An invariant is a C expression over what is in scope at its loop or statement.",
  });
}
