import { nth, present } from "../../base/checked.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import { applyEdits, type Change, type TextEdit } from "../../changes/change.ts";
import type { Selection } from "../../frontEnd/frontEnd.ts";
import type {
  BlockItem,
  BlockStatement,
  Declaration,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  Statement,
  StatementChoice,
  TranslationUnit,
} from "../ast.ts";
import { changeBodies } from "../conditions/stateInvariants.ts";
import { declaredName } from "../lower/findAddressTaken.ts";
import { parseWithFragments } from "../parse/parseC.ts";
import { preprocess, type ReadFile } from "../preprocess/preprocess.ts";
import { type Unit, type Units, unitKey, unitsOf } from "./units.ts";

/** A file that contains many changes, each switched on by the registers of its sites. */
export type SwitchedFile = {
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
  readonly unit: Unit;
  readonly texts: string[];
  /** The names of the functions that contain the texts. */
  readonly fragments: string[];
};

const prefix = "__tracefold_version_";

/** Puts the changes of one file into its syntax tree. Sites are numbered from `firstSite`. */
export function switchChanges(
  { file: read, options, source }: ReadFile,
  tree: TranslationUnit,
  changes: readonly Change[],
  firstSite: number,
): SwitchedFile {
  const file = present(source.files.find(({ path }) => path === read.path));
  const units = unitsOf(file, tree);
  const sites = new Map<string, Site>();
  const unswitched: number[] = [];
  let fragments = 0;
  const drafts = changes.map((change, i) => {
    const parts = versionsOf(file, units, change.edits);
    if (parts === null) unswitched.push(i);
    return (parts ?? []).map(({ unit, text }) => {
      const key = unitKey(unit);
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
  return { tree: insertChoices(file, parsed.tree, bySite), selections, unswitched, sites: sites.size };
}

/** The changed texts of the units that the edits touch; null if an edit is outside of all units. */
function versionsOf(
  file: SourceFile,
  units: Units,
  edits: readonly TextEdit[],
): readonly { readonly unit: Unit; readonly text: string }[] | null {
  const byUnit = new Map<Unit, TextEdit[]>();
  for (const edit of edits) {
    const behind = edit.start === edit.end ? units.before(edit.start) : null;
    const unit = behind ?? units.around(edit.start, edit.end);
    if (unit === null) return null;
    const own = byUnit.get(unit) ?? [];
    byUnit.set(unit, own);
    own.push(behind === null ? edit : { start: unit.end, end: unit.end, text: ` ${edit.text}` });
  }
  const all = [...byUnit].map(([unit, own]) => {
    const shifted = own.map(({ start, end, text }) => ({ start: start - unit.start, end: end - unit.start, text }));
    return { unit, text: applyEdits(file.text.slice(unit.start, unit.end), shifted) };
  });
  const isNested = all.some(({ unit: a }) =>
    all.some(({ unit: b }) => a !== b && a.start <= b.start && b.end <= a.end),
  );
  // A copy of a label, a directive, or a text that a macro made does not stand for itself.
  return isNested || all.some(({ text }) => /^\s*#/m.test(text)) ? null : all;
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

type SiteVersions = Versions & { readonly site: Site };

function insertChoices(
  file: SourceFile,
  tree: TranslationUnit,
  sites: ReadonlyMap<string, SiteVersions>,
): TranslationUnit {
  const byNode = new Map<Unit["node"], SiteVersions>();
  for (const unit of unitsOf(file, tree).all) {
    const versions = sites.get(unitKey(unit));
    if (versions !== undefined && versions.nodes.length > 0) byNode.set(unit.node, versions);
  }
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
      return [
        { ...node, declarators: [{ ...init, initializer: null }] },
        choice(versions, { kind: "expressionStatement", expression: assignment, range }),
      ];
    });
  const block = (node: BlockStatement): BlockStatement => ({
    ...node,
    items: node.items.flatMap((item): BlockItem[] => {
      if (item.kind === "staticAssert") return [item];
      if (item.kind === "declaration") return splits(item) ? split(item) : [item];
      return [single(item)];
    }),
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
    item.kind === "functionDefinition" && item.range.file === file.path ? { ...item, body: block(item.body) } : item,
  );
  return { ...tree, items };
}
