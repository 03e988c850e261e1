import { type Node, Parser, type TreeCursor } from "web-tree-sitter";
import { Defect } from "../../../base/errors.ts";
import type { CGrammar } from "./grammar.ts";

/**
 * The grammar's tree of the outline as plain arrays, named nodes only, in preorder: the first child of `n`, if it has
 * one, is `n + 1`. The tree itself lives in WebAssembly memory and is freed before anybody reads this.
 */
export type SyntaxTree = {
  readonly count: number;
  readonly typeNames: readonly string[];
  readonly types: Uint16Array;
  /** Offsets in the outline. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The node behind the last one below this one. */
  readonly nexts: Int32Array;
  /** Of the children of a `for_statement` only; 0 elsewhere. */
  readonly fields: Uint16Array;
  readonly fieldNames: readonly (string | null)[];
};

/** What the grammar could not read: offsets in the outline. */
export type SyntaxErrorPlace = { readonly start: number; readonly end: number; readonly missing: string | null };

export function parseOutline(grammar: CGrammar, text: string): SyntaxTree | SyntaxErrorPlace {
  const parser = new Parser();
  parser.setLanguage(grammar.language);
  // Reading in slices keeps the copy into WebAssembly memory small.
  const tree = parser.parse((index) => text.slice(index, index + READ_SIZE));
  if (tree === null) throw new Defect("the C grammar returned no tree");
  try {
    if (tree.rootNode.hasError) return findError(tree.rootNode);
    const cursor = tree.walk();
    try {
      return flatten(cursor, grammar, tree.rootNode.descendantCount);
    } finally {
      cursor.delete();
    }
  } finally {
    tree.delete();
    parser.delete();
  }
}

const READ_SIZE = 4096;

function flatten(cursor: TreeCursor, grammar: CGrammar, capacity: number): SyntaxTree {
  const types = new Uint16Array(capacity);
  const starts = new Int32Array(capacity);
  const ends = new Int32Array(capacity);
  const nexts = new Int32Array(capacity);
  const fields = new Uint16Array(capacity);
  const forStatement = grammar.language.idForNodeType("for_statement", true);
  const open: number[] = [];
  let count = 0;
  let entering = true;
  for (;;) {
    if (entering) {
      const named = cursor.nodeIsNamed;
      if (named) {
        types[count] = cursor.nodeTypeId;
        starts[count] = cursor.startIndex;
        ends[count] = cursor.endIndex;
        const parent = open[open.length - 1];
        if (parent !== undefined && types[parent] === forStatement) fields[count] = cursor.currentFieldId;
        if (cursor.gotoFirstChild()) {
          open.push(count++);
          continue;
        }
        nexts[count] = count + 1;
        count++;
      }
    }
    if (cursor.gotoNextSibling()) entering = true;
    else {
      if (!cursor.gotoParent()) break;
      nexts[open.pop()!] = count;
      entering = false;
    }
  }
  return {
    count,
    typeNames: grammar.language.types,
    types,
    starts,
    ends,
    nexts,
    fields,
    fieldNames: grammar.language.fields,
  };
}

/** The first node, in reading order, that is an error or was made up by the grammar's error recovery. */
function findError(root: Node): SyntaxErrorPlace {
  let node = root;
  for (;;) {
    if (node.isError && node !== root) break;
    const next = node.children.find((child) => child.hasError || child.isMissing);
    if (next === undefined) break;
    node = next;
  }
  const missing = node.isMissing ? node.type : null;
  return { start: node.startIndex, end: Math.max(node.endIndex, node.startIndex + 1), missing };
}
