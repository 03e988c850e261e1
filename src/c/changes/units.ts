import type { SourceFile } from "../../base/sourceFile.ts";
import type {
  BlockItem,
  BlockStatement,
  Declaration,
  Expr,
  InitDeclarator,
  Statement,
  TranslationUnit,
} from "../ast.ts";
import { endOf, startOf } from "./sites.ts";

/**
 * A part of the program that can have several versions: a statement; an expression of a statement whose value is a
 * condition or unused; the initial value of a local variable.
 */
export type Unit = { readonly start: number; readonly end: number } & (
  | { readonly kind: "statement"; readonly node: Statement }
  | { readonly kind: "expression"; readonly node: Expr }
  | { readonly kind: "initial"; readonly node: InitDeclarator }
);

export type Units = {
  /** The smallest unit around a range of offsets; null if there is none. */
  around(start: number, end: number): Unit | null;
  /** The statement behind which a text that is inserted at this offset comes; null if it comes before one. */
  before(offset: number): Unit | null;
};

/** A key that is the same for every parse of the file. */
export function unitKey({ kind, start, end }: Unit): string {
  return `${kind} ${start} ${end}`;
}

export function unitsOf(file: SourceFile, tree: TranslationUnit): Units & { readonly all: readonly Unit[] } {
  const all: Unit[] = [];
  const previous = new Map<number, Unit | null>();
  const add = (kind: Unit["kind"], node: Unit["node"], range = node.range): Unit | null => {
    if (range.file !== file.path) return null;
    const unit = { kind, node, start: startOf(file, range), end: endOf(file, range) } as Unit;
    if (unit.end <= unit.start) return null;
    all.push(unit);
    return unit;
  };
  const declaration = (node: Declaration) => {
    for (const init of node.declarators) {
      if (isSwitchable(node, init)) add("initial", init, init.initializer?.range);
    }
  };
  const block = (node: BlockStatement) => {
    let last: Unit | null = null;
    for (const item of node.items) {
      if (item.kind === "declaration") previous.set(startOf(file, item.range), last);
      last = blockItem(item);
    }
    if (node.range.file === file.path) previous.set(endOf(file, node.range) - 1, last);
  };
  const blockItem = (item: BlockItem): Unit | null => {
    if (item.kind === "staticAssert") return null;
    if (item.kind !== "declaration") return statement(item);
    declaration(item);
    return null;
  };
  const statement = (node: Statement): Unit | null => {
    const isLabel = node.kind === "case" || node.kind === "default" || node.kind === "label";
    const unit = isLabel ? null : add("statement", node);
    switch (node.kind) {
      case "block":
        block(node);
        break;
      case "if":
        add("expression", node.condition);
        statement(node.then);
        if (node.else !== null) statement(node.else);
        break;
      case "while":
      case "doWhile":
        add("expression", node.condition);
        statement(node.body);
        break;
      case "for":
        if (node.init?.kind === "declaration") declaration(node.init);
        else if (node.init !== null) add("expression", node.init);
        if (node.condition !== null) add("expression", node.condition);
        if (node.update !== null) add("expression", node.update);
        statement(node.body);
        break;
      case "switch":
      case "case":
      case "default":
      case "label":
        statement(node.body);
        break;
      default:
        break;
    }
    return unit;
  };
  for (const item of tree.items) {
    if (item.kind === "functionDefinition" && item.range.file === file.path) block(item.body);
  }
  // Outer units come before inner ones, so the last one that contains a range is the smallest.
  return {
    all,
    around: (start, end) => all.findLast((unit) => unit.start <= start && end <= unit.end) ?? null,
    before: (offset) => previous.get(offset) ?? null,
  };
}

/** True if the declaration can be split from its initial value. */
export function isSwitchable({ specifiers }: Declaration, { declarator, initializer }: InitDeclarator): boolean {
  if (initializer?.kind !== "expression") return false;
  if (declarator.kind !== "name" && declarator.kind !== "pointer") return false;
  if (specifiers.storage !== null && specifiers.storage !== "auto" && specifiers.storage !== "register") return false;
  return specifiers.type.kind === "basic" || declarator.kind === "pointer";
}
