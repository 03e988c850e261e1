import { nth, present } from "../../base/checked.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import { applyEdits, type Change, type TextEdit } from "../../changes/change.ts";
import type { Selection } from "../../frontEnd/frontEnd.ts";
import type {
  BlockItem,
  BlockStatement,
  Declaration,
  Declarator,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  Statement,
  StatementChoice,
  TranslationUnit,
  TypeSpecifier,
} from "../ast.ts";
import { changeBodies } from "../conditions/stateInvariants.ts";
import { declaredName } from "../lower/findAddressTaken.ts";
import { parseWithFragments } from "../parse/parseC.ts";
import { preprocess, type ReadFile } from "../preprocess/preprocess.ts";
import { endOf, startOf } from "./sites.ts";

/**
 * A part of the program that can have several versions: a statement; an expression of a statement whose value is a
 * condition or unused; the initial value of a local variable; the empty place before a declaration or the end of a
 * block.
 */
export type SwitchUnit = { readonly start: number; readonly end: number } & (
  | { readonly kind: "statement"; readonly node: Statement }
  | { readonly kind: "expression"; readonly node: Expr }
  | { readonly kind: "initial"; readonly node: InitDeclarator }
  | { readonly kind: "gap"; readonly node: Declaration | BlockStatement }
);

export type SwitchUnits = {
  /** The smallest unit around a range of offsets; null if there is none. */
  around(start: number, end: number): SwitchUnit | null;
  /** The statement behind which a text that is inserted at this offset comes, or the gap; null if a statement follows. */
  before(offset: number): SwitchUnit | null;
};

/** A key that is the same for every parse of the file. */
export function unitKey({ kind, start, end }: SwitchUnit, file: string): string {
  return `${kind} ${start} ${end} ${file}`;
}

export function unitsOf(
  file: SourceFile,
  tree: TranslationUnit,
): SwitchUnits & { readonly all: readonly SwitchUnit[] } {
  const all: SwitchUnit[] = [];
  const scalars = scalarTypeNames(tree);
  const previous = new Map<number, SwitchUnit>();
  const add = (kind: SwitchUnit["kind"], node: SwitchUnit["node"], range = node.range): SwitchUnit | null => {
    if (range.file !== file.path) return null;
    const unit = { kind, node, start: startOf(file, range), end: endOf(file, range) } as SwitchUnit;
    if (unit.end <= unit.start) return null;
    all.push(unit);
    return unit;
  };
  const declaration = (node: Declaration) => {
    for (const init of node.declarators) {
      if (isSwitchable(node, init, scalars)) add("initial", init, init.initializer?.range);
    }
  };
  const addGap = (offset: number, node: Declaration | BlockStatement, last: SwitchUnit | null) => {
    if (node.range.file !== file.path) return;
    if (last === null) all.push({ kind: "gap", node, start: offset, end: offset });
    previous.set(offset, last ?? nth(all, all.length - 1));
  };
  const block = (node: BlockStatement) => {
    let last: SwitchUnit | null = null;
    for (const item of node.items) {
      if (item.kind === "declaration") addGap(startOf(file, item.range), item, last);
      last = blockItem(item);
    }
    addGap(endOf(file, node.range) - 1, node, last);
  };
  const blockItem = (item: BlockItem): SwitchUnit | null => {
    if (item.kind === "staticAssert") return null;
    if (item.kind !== "declaration") return statement(item);
    declaration(item);
    return null;
  };
  const statement = (node: Statement): SwitchUnit | null => {
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
    around: (start, end) =>
      all.findLast((unit) => unit.kind !== "gap" && unit.start <= start && end <= unit.end) ?? null,
    before: (offset) => previous.get(offset) ?? null,
  };
}

/** True if the declaration can be split from its initial value. */
function isSwitchable(
  { specifiers }: Declaration,
  { declarator, initializer }: InitDeclarator,
  scalars: ReadonlySet<string>,
): boolean {
  if (initializer?.kind !== "expression") return false;
  if (declarator.kind !== "name" && declarator.kind !== "pointer") return false;
  if (specifiers.storage !== null && specifiers.storage !== "auto" && specifiers.storage !== "register") return false;
  return declarator.kind === "pointer" || isScalar(specifiers.type, scalars);
}

function isScalar(type: TypeSpecifier, scalars: ReadonlySet<string>): boolean {
  if (type.kind === "enum") return type.enumerators === null;
  return type.kind === "basic" || (type.kind === "typedefName" && scalars.has(type.name));
}

/** The typedef names, such as `size_t`, of scalars that can be assigned to. */
function scalarTypeNames(tree: TranslationUnit): ReadonlySet<string> {
  const scalars = new Set<string>();
  for (const item of tree.items) {
    if (item.kind !== "declaration" || item.specifiers.storage !== "typedef") continue;
    const { type, isConst } = item.specifiers;
    for (const { declarator } of item.declarators) {
      const outermost = outermostOf(declarator);
      const isAssignable =
        outermost.kind === "name"
          ? isScalar(type, scalars) && !isConst
          : outermost.kind === "pointer" && !outermost.isConst;
      const name = declaredName(declarator);
      if (name !== null && isAssignable) scalars.add(name);
    }
  }
  return scalars;
}

/** The innermost declarator is the outermost type: a pointer for `int (*f)(void)`. */
function outermostOf(declarator: Declarator): Declarator {
  let at = declarator;
  while (at.kind !== "name" && at.of.kind !== "name") at = at.of;
  return at;
}

/** A file that contains many changes, each switched on by the registers of its sites. */
export type SwitchedTree = {
  readonly tree: TranslationUnit;
  /** By change: its selections; null if the change cannot be switched or is no valid C. */
  readonly selections: readonly (readonly Selection[] | null)[];
  /** The changes that are outside of all switchable parts: declarations, types, macros. */
  readonly unswitched: readonly number[];
  readonly sites: number;
};

/** The versions of one unit. */
type Site = {
  readonly number: number;
  readonly unit: SwitchUnit;
  readonly texts: string[];
  /** The names of the functions that contain the texts. */
  readonly fragments: string[];
};

const prefix = "__tracefold_version_";

/** Puts the changes of a file and of the headers that it includes into its syntax tree. Sites are numbered from `firstSite`. */
export function switchChanges(
  { file: read, options, source }: ReadFile,
  tree: TranslationUnit,
  changes: readonly Change[],
  firstSite: number,
): SwitchedTree {
  const fileAt = (path: string) => present(source.files.find((each) => each.path === path));
  const file = fileAt(read.path);
  const changed = [...new Set(changes.map((change) => change.file))].map(fileAt);
  const unitsIn = new Map(changed.map((each) => [each.path, unitsOf(each, tree)]));
  const sites = new Map<string, Site>();
  const unswitched: number[] = [];
  let fragments = 0;
  const drafts = changes.map((change, i) => {
    const parts = versionsOf(fileAt(change.file), present(unitsIn.get(change.file)), change.edits);
    if (parts === null) unswitched.push(i);
    return (parts ?? []).map(({ unit, text }) => {
      const key = unitKey(unit, change.file);
      const site = sites.get(key) ?? { number: firstSite + sites.size, unit, texts: [], fragments: [] };
      sites.set(key, site);
      const known = site.texts.indexOf(text);
      if (known !== -1) return { site, index: known };
      site.texts.push(text);
      site.fragments.push(`${prefix}${fragments++}`);
      return { site, index: site.texts.length - 1 };
    });
  });
  const mode = source.by === "gcc" ? "gcc" : (options.mode ?? "auto");
  const text = [file.text, ...[...sites.values()].flatMap(fragmentsOf)].join("\n");
  const parsed = parseWithFragments(preprocess({ path: file.path, text }, { ...options, mode }), prefix);
  const versions = new Map([...sites.values()].map((site) => [site, versionsOfSite(site, parsed.fragments)]));
  const selections = drafts.map((draft, i) => {
    const chosen = draft.map(({ site, index }) => {
      const alternative = nth(present(versions.get(site)).numbers, index);
      return alternative === null ? null : { site: site.number, alternative };
    });
    return chosen.length === 0 || chosen.includes(null) || unswitched.includes(i) ? null : (chosen as Selection[]);
  });
  const bySite = new Map([...sites].map(([key, site]) => [key, { site, ...present(versions.get(site)) }]));
  return { tree: insertChoices(changed, parsed.tree, bySite), selections, unswitched, sites: sites.size };
}

/** The changed texts of the units that the edits touch; null if an edit is outside of all units. */
function versionsOf(
  file: SourceFile,
  units: SwitchUnits,
  edits: readonly TextEdit[],
): readonly { readonly unit: SwitchUnit; readonly text: string }[] | null {
  const byUnit = new Map<SwitchUnit, TextEdit[]>();
  for (const edit of edits) {
    const behind = edit.start === edit.end ? units.before(edit.start) : null;
    const unit = behind ?? units.around(edit.start, edit.end);
    if (unit === null) return null;
    const own = byUnit.get(unit) ?? [];
    byUnit.set(unit, own);
    own.push(behind === null ? edit : { start: unit.end, end: unit.end, text: ` ${edit.text}` });
  }
  const found = [...byUnit.keys()];
  const isNested = found.some((a) => found.some((b) => a !== b && a.start <= b.start && b.end <= a.end));
  const outer = isNested ? units.around(nth(edits, 0).start, nth(edits, edits.length - 1).end) : null;
  if (isNested && outer === null) return null;
  const parts: Iterable<readonly [SwitchUnit, readonly TextEdit[]]> = outer === null ? byUnit : [[outer, edits]];
  const all = [...parts].map(([unit, own]) => {
    const shifted = own.map(({ start, end, text }) => ({ start: start - unit.start, end: end - unit.start, text }));
    return { unit, text: applyEdits(file.text.slice(unit.start, unit.end), shifted) };
  });
  // A copy of a label, a directive, or a text that a macro made does not stand for itself.
  return all.some(({ text }) => /^\s*#/m.test(text)) ? null : all;
}

function fragmentsOf({ unit, texts, fragments }: Site): readonly string[] {
  return texts.map((text, i) => {
    const body =
      unit.kind === "expression" ? `(${text});` : unit.kind === "initial" ? initialText(unit.node, text) : text;
    return `void ${fragments[i]}(void) {\n${body}\n}`;
  });
}

function initialText({ declarator }: InitDeclarator, text: string): string {
  return `${declaredName(declarator)} = (${text});`;
}

type Versions = {
  readonly nodes: readonly Statement[];
  /** By text: the number of its version, from 1; null if it is no valid C. */
  readonly numbers: readonly (number | null)[];
};

function versionsOfSite({ fragments }: Site, parsed: ReadonlyMap<string, FunctionDefinition>): Versions {
  const nodes: Statement[] = [];
  const numbers = fragments.map((name) => {
    const body = parsed.get(name)?.body;
    if (body === undefined || leavesLabels(body)) return null;
    const [only] = body.items;
    const isOne = body.items.length === 1 && only?.kind !== "declaration" && only?.kind !== "staticAssert";
    nodes.push(isOne && only !== undefined ? (only as Statement) : body);
    return nodes.length;
  });
  return { nodes, numbers };
}

/** True if it has labels, or cases of a `switch` around it: they would be defined twice. */
function leavesLabels(block: BlockStatement): boolean {
  let found = false;
  const inBlock = (inner: BlockStatement): BlockStatement => {
    for (const item of inner.items) if (item.kind !== "declaration" && item.kind !== "staticAssert") single(item);
    return inner;
  };
  const single = (statement: Statement): Statement => {
    if (statement.kind === "label" || statement.kind === "case" || statement.kind === "default") found = true;
    else if (statement.kind !== "switch") changeBodies(statement, { block: inBlock, single });
    return statement;
  };
  inBlock(block);
  return found;
}

/** The declaration without its value, which is assigned later: the variable is not const itself. */
function assignable(node: Declaration, init: InitDeclarator): Declaration {
  const { declarator } = init;
  const isPointer = declarator.kind === "pointer";
  return {
    ...node,
    specifiers: isPointer ? node.specifiers : { ...node.specifiers, isConst: false },
    declarators: [
      { ...init, declarator: isPointer ? { ...declarator, isConst: false } : declarator, initializer: null },
    ],
  };
}

type SiteVersions = Versions & { readonly site: Site };

function insertChoices(
  files: readonly SourceFile[],
  tree: TranslationUnit,
  sites: ReadonlyMap<string, SiteVersions>,
): TranslationUnit {
  const byNode = new Map<SwitchUnit["node"], SiteVersions>();
  const byGap = new Map<SwitchUnit["node"], SiteVersions>();
  for (const file of files) {
    for (const unit of unitsOf(file, tree).all) {
      const versions = sites.get(unitKey(unit, file.path));
      if (versions === undefined || versions.nodes.length === 0) continue;
      (unit.kind === "gap" ? byGap : byNode).set(unit.node, versions);
    }
  }
  const paths = new Set(files.map(({ path }) => path));
  const choice = ({ site, nodes }: SiteVersions, otherwise: Statement): StatementChoice => ({
    kind: "choice",
    site: site.number,
    alternatives: nodes,
    otherwise,
    range: otherwise.range,
  });
  const expression = <E extends Expr | null>(node: E): E | Expr => {
    const versions = node === null ? undefined : byNode.get(node);
    if (versions === undefined || node === null) return node;
    const alternatives = versions.nodes.flatMap((each) =>
      each.kind === "expressionStatement" ? [each.expression] : [],
    );
    return { kind: "choice", site: versions.site.number, alternatives, otherwise: node, range: node.range };
  };
  const splits = (node: Declaration) => node.declarators.some((init) => byNode.has(init));
  /** The declarators one by one; an initial value with versions becomes an assignment. */
  const split = (node: Declaration): BlockItem[] =>
    node.declarators.flatMap((init): BlockItem[] => {
      const versions = byNode.get(init);
      if (versions === undefined || init.initializer?.kind !== "expression") return [{ ...node, declarators: [init] }];
      const { value, range } = init.initializer;
      const left: Expr = {
        kind: "identifier",
        name: declaredName(init.declarator) ?? "",
        range: init.declarator.range,
      };
      const assignment: Expr = { kind: "assignment", operator: null, left, right: value, range };
      return [assignable(node, init), choice(versions, { kind: "expressionStatement", expression: assignment, range })];
    });
  /** What is inserted before a declaration or at the end of a block. */
  const gap = (node: Declaration | BlockStatement): BlockItem[] => {
    const versions = byGap.get(node);
    return versions === undefined ? [] : [choice(versions, { kind: "block", items: [], range: node.range })];
  };
  const block = (node: BlockStatement): BlockStatement => ({
    ...node,
    items: [
      ...node.items.flatMap((item): BlockItem[] => {
        if (item.kind === "staticAssert") return [item];
        if (item.kind === "declaration") return [...gap(item), ...(splits(item) ? split(item) : [item])];
        return [single(item)];
      }),
      ...gap(node),
    ],
  });
  const inside = (node: Statement): Statement => {
    switch (node.kind) {
      case "if":
      case "while":
      case "doWhile":
        return { ...node, condition: expression(node.condition) };
      case "for": {
        const parts = { condition: expression(node.condition), update: expression(node.update) };
        if (node.init?.kind !== "declaration") return { ...node, ...parts, init: expression(node.init) };
        if (!splits(node.init)) return { ...node, ...parts };
        const loop: Statement = { ...node, ...parts, init: null };
        return { kind: "block", items: [...split(node.init), loop], range: node.range };
      }
      default:
        return node;
    }
  };
  const single = (node: Statement): Statement => {
    const changed = inside(changeBodies(node, { block, single }));
    const versions = byNode.get(node);
    return versions === undefined ? changed : choice(versions, changed);
  };
  const items = tree.items.map((item) =>
    item.kind === "functionDefinition" && paths.has(item.range.file) ? { ...item, body: block(item.body) } : item,
  );
  return { ...tree, items };
}
