import { remembered } from "../../base/memo.ts";
import { offsetOf, type SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import {
  type BlockStatement,
  type Declaration,
  type Declarator,
  declaratorParts,
  type Expr,
  type FunctionDefinition,
  type Initializer,
  initializerParts,
  type ParameterDeclaration,
  partsOf,
  type Specifiers,
  type Statement,
  type TranslationUnit,
  type TypeSpecifier,
} from "../ast.ts";
import { declaredName, functionDeclarator } from "../lower/findAddressTaken.ts";

/** A coarse type: enough to propose changes; the front end decides whether they compile. */
export type CoarseType = {
  readonly base: "integer" | "character" | "floating" | "struct" | "void";
  /** The tag or typedef name of a struct. */
  readonly tag: string | null;
  /** The number of pointers and arrays around the base. */
  readonly depth: number;
  readonly isArray: boolean;
  readonly isFunction: boolean;
};

export type VisibleName = { readonly name: string; readonly type: CoarseType };

/** The declarations before a place, innermost first. */
export type NameScope = { readonly declared: VisibleName; readonly outer: NameScope } | null;

export type TypeNames = ReadonlyMap<string, CoarseType>;

const known = new WeakMap<NonNullable<NameScope>, readonly VisibleName[]>();

/** The visible names, innermost first. */
export function visibleNames(scope: NameScope): readonly VisibleName[] {
  if (scope === null) return [];
  let names = known.get(scope);
  if (names === undefined) {
    const { declared, outer } = scope;
    names = [declared, ...visibleNames(outer).filter(({ name }) => name !== declared.name)];
    known.set(scope, names);
  }
  return names;
}

const knownSets = new WeakMap<NonNullable<NameScope>, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

export function visibleNameSet(scope: NameScope): ReadonlySet<string> {
  return scope === null
    ? none
    : remembered(knownSets, scope, () => new Set(visibleNames(scope).map(({ name }) => name)));
}

const namesOfFunction = new WeakMap<FunctionPlaces, ReadonlySet<string>>();

/** The names that are visible somewhere in a function. */
export function namesWithin(sites: FunctionPlaces): ReadonlySet<string> {
  return remembered(namesOfFunction, sites, () => {
    const scopes = new Set(sites.expressions.map(({ scope }) => scope));
    return new Set([...scopes].flatMap((scope) => [...visibleNameSet(scope)]));
  });
}

export function isNumeric({ base, depth, isFunction }: CoarseType): boolean {
  return depth === 0 && !isFunction && (base === "integer" || base === "character" || base === "floating");
}

export function sameShape(a: CoarseType, b: CoarseType): boolean {
  if (a.isFunction !== b.isFunction) return false;
  if (isNumeric(a) && isNumeric(b)) return true;
  return a.depth === b.depth && a.base === b.base && a.tag === b.tag;
}

/** The typedef names of a file and its headers. */
export function typeNamesOf(tree: TranslationUnit): TypeNames {
  const names = new Map<string, CoarseType>();
  for (const item of tree.items) {
    if (item.kind !== "declaration" || item.specifiers.storage !== "typedef") continue;
    for (const { declarator } of item.declarators) {
      const name = declaredName(declarator);
      if (name !== null) names.set(name, typeOf(item.specifiers, declarator, names, name));
    }
  }
  return names;
}

export function declaredNames(declaration: Declaration, names: TypeNames): readonly VisibleName[] {
  if (declaration.specifiers.storage === "typedef") return [];
  return declaration.declarators.flatMap(({ declarator }) => visibleName(declaration.specifiers, declarator, names));
}

export function parameterNames(parameters: readonly ParameterDeclaration[], names: TypeNames): readonly VisibleName[] {
  return parameters.flatMap(({ specifiers, declarator }) => visibleName(specifiers, declarator, names));
}

function visibleName(specifiers: Specifiers, declarator: Declarator, names: TypeNames): readonly VisibleName[] {
  const name = declaredName(declarator);
  return name === null ? [] : [{ name, type: typeOf(specifiers, declarator, names) }];
}

function typeOf({ type }: Specifiers, declarator: Declarator, names: TypeNames, tag?: string): CoarseType {
  const own = typeOfSpecifier(type, names, tag);
  let { depth, isArray, isFunction } = own;
  for (let at = declarator; at.kind !== "name"; at = at.of) {
    if (at.kind === "function") isFunction = true;
    else depth++;
    // The innermost declarator is the outermost type.
    isArray = at.kind === "array";
  }
  return { ...own, depth, isArray, isFunction };
}

const plain = { tag: null, depth: 0, isArray: false, isFunction: false };

function typeOfSpecifier(type: TypeSpecifier, names: TypeNames, tag?: string): CoarseType {
  switch (type.kind) {
    case "basic": {
      if (type.words.includes("void")) return { ...plain, base: "void" };
      if (type.words.includes("float") || type.words.includes("double")) return { ...plain, base: "floating" };
      return { ...plain, base: type.words.includes("char") ? "character" : "integer" };
    }
    case "typedefName":
      return names.get(type.name) ?? { ...plain, base: "struct", tag: type.name };
    case "struct":
      return { ...plain, base: "struct", tag: type.tag ?? tag ?? null };
    case "enum":
      return { ...plain, base: "integer" };
    case "typeof":
      return { ...plain, base: "integer" };
  }
}

/** How an expression is used by the expression or statement around it. */
export type ExpressionRole =
  | "truth"
  | "compared"
  | "operand"
  | "index"
  | "assigned"
  | "initial"
  /** An entry of a long table. */
  | "entry"
  /** The initial value of a static variable, which must be constant. */
  | "static"
  | "returned"
  | "argument"
  | "callee"
  | "target"
  | "arraySize"
  | "label"
  | "discarded"
  | "other";

type Place = {
  readonly function: FunctionPlaces | null;
  readonly scope: NameScope;
  readonly inLoop: boolean;
  readonly executed: boolean;
};

export type ExpressionPlace<E extends Expr = Expr> = Place & {
  readonly node: E;
  readonly parent: Expr | null;
  readonly role: ExpressionRole;
};

export type StatementPlace = Place & {
  readonly node: Statement;
  /** The next statement of the same block. */
  readonly next: Statement | null;
  /** False for the single statement that an `if` or a loop controls. */
  readonly inBlock: boolean;
};

/** A condition of a statement or of `?:`. */
export type ConditionSite = Place & { readonly node: Expr };

export type DeclarationSite = Place & { readonly node: Declaration };

/** A place where a statement can be inserted: before an offset, or before or after a single controlled statement. */
export type InsertionPlace = Place & {
  readonly at:
    | { readonly kind: "offset"; readonly offset: number }
    | { readonly kind: "before" | "after"; readonly statement: Statement };
  readonly lines: readonly number[];
};

export type FunctionPlaces = {
  readonly definition: FunctionDefinition;
  readonly name: string;
  /** The type of what it returns; null for `void`. */
  readonly result: CoarseType | null;
  readonly expressions: ExpressionPlace[];
  readonly statements: StatementPlace[];
  readonly conditions: ConditionSite[];
  readonly positions: InsertionPlace[];
  readonly declarations: DeclarationSite[];
};

/** The places of one file where changes are proposed. */
export type FilePlaces = {
  readonly file: SourceFile;
  readonly functions: readonly FunctionPlaces[];
  /** Expressions and declarations outside of functions. */
  readonly globals: FunctionPlaces;
  /** The names of the functions that the file defines. */
  readonly defined: readonly string[];
  readonly fields: readonly string[];
};

/** True if the run executed something on these lines of the file. */
export type IsExecuted = (range: SourceRange) => boolean;

type Walk = {
  readonly file: SourceFile;
  readonly types: TypeNames;
  readonly executed: IsExecuted;
};

export function sitesOf(file: SourceFile, tree: TranslationUnit, executed: IsExecuted): FilePlaces {
  const walk: Walk = { file, types: typeNamesOf(tree), executed };
  const globals = newSites(null);
  const functions: FunctionPlaces[] = [];
  const fields = new Set<string>();
  let scope: NameScope = null;
  for (const item of tree.items) {
    const isOwn = item.range.file === file.path;
    if (item.kind === "declaration") {
      const place = { function: null, scope, inLoop: false, executed: true };
      if (isOwn) addDeclaration(walk, globals, item, place);
      if (isOwn) for (const name of fieldNames(item)) fields.add(name);
      scope = declare(scope, isOwn ? declaredNames(item, walk.types) : []);
    } else if (item.kind === "functionDefinition") {
      const declarator = functionDeclarator(item.declarator);
      const name = declaredName(item.declarator) ?? "";
      const own = { name, type: { base: "integer", tag: null, depth: 0, isArray: false, isFunction: true } } as const;
      scope = isOwn ? declare(scope, [own]) : scope;
      if (!isOwn || !executed(item.range)) continue;
      const sites = newSites(item, name, walk.types);
      functions.push(sites);
      const inner = declare(scope, parameterNames(declarator?.parameters ?? [], walk.types));
      addBlock(walk, sites, item.body, { function: sites, scope: inner, inLoop: false, executed: true });
    }
  }
  const own = tree.items.flatMap((item) =>
    item.kind === "functionDefinition" && item.range.file === file.path ? [item] : [],
  );
  const defined = inOrderOfCalls(file, own);
  const order = new Map(defined.map((name, i) => [name, i]));
  functions.sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
  return { file, functions, globals, defined, fields: [...fields] };
}

/** `main` first, then functions as they are mentioned from there: the order in the file must not matter. */
function inOrderOfCalls(file: SourceFile, definitions: readonly FunctionDefinition[]): readonly string[] {
  const bodies = new Map(
    definitions.map(({ declarator, body }) => [declaredName(declarator) ?? "", textOf(file, body)]),
  );
  const found = new Set<string>();
  const visit = (name: string): void => {
    const body = bodies.get(name);
    if (body === undefined || found.has(name)) return;
    found.add(name);
    for (const mentioned of body.match(/[A-Za-z_]\w*/g) ?? []) visit(mentioned);
  };
  for (const name of ["main", ...bodies.keys()]) visit(name);
  return [...found];
}

function newSites(definition: FunctionDefinition, name: string, types: TypeNames): FunctionPlaces;
function newSites(definition: null): FunctionPlaces;
function newSites(definition: FunctionDefinition | null, name = "", types: TypeNames = new Map()): FunctionPlaces {
  const type = definition === null ? null : typeOf(definition.specifiers, definition.declarator, types);
  const isVoid = type === null || (type.base === "void" && type.depth === 0);
  return {
    definition: definition as FunctionDefinition,
    name,
    result: isVoid ? null : { ...type, isFunction: false },
    expressions: [],
    statements: [],
    conditions: [],
    positions: [],
    declarations: [],
  };
}

function declare(scope: NameScope, names: readonly VisibleName[]): NameScope {
  return names.reduce<NameScope>((outer, declared) => ({ declared, outer }), scope);
}

function fieldNames({ specifiers: { type } }: Declaration): readonly string[] {
  if (type.kind !== "struct") return [];
  return (type.fields ?? []).flatMap((field) => [
    ...field.declarators.flatMap(({ declarator }) => declaredName(declarator) ?? []),
    ...fieldNames(field),
  ]);
}

function addBlock(walk: Walk, sites: FunctionPlaces, block: BlockStatement, place: Place): void {
  let { scope } = place;
  let previous = block.range.line;
  const { items } = block;
  for (const [i, item] of items.entries()) {
    if (item.kind === "staticAssert") continue;
    const here = { ...place, scope };
    if (item.range.file === walk.file.path) {
      const executed = item.kind === "declaration" ? place.executed : isRun(walk, item);
      sites.positions.push({
        ...here,
        executed,
        at: { kind: "offset", offset: startOf(walk.file, item.range) },
        lines: [item.range.line, previous],
      });
      previous = item.range.endLine;
    }
    if (item.kind === "declaration") {
      addDeclaration(walk, sites, item, here);
      scope = declare(scope, declaredNames(item, walk.types));
      continue;
    }
    const next = items[i + 1];
    const isBesideRun = [items[i - 1], next].some((each) => each !== undefined && walk.executed(each.range));
    addStatement(walk, sites, item, here, {
      isBesideRun,
      next: next === undefined || next.kind === "declaration" || next.kind === "staticAssert" ? null : next,
      inBlock: true,
    });
  }
  const isReached = items.some((item) => item.kind !== "staticAssert" && walk.executed(item.range));
  sites.positions.push({
    ...place,
    scope,
    executed: place.executed && (isReached || items.length === 0),
    at: { kind: "offset", offset: endOf(walk.file, block.range) - 1 },
    lines: [block.range.endLine, previous],
  });
}

/** The part of a statement that it executes itself, without the statements that it controls. */
function ownRange(node: Statement): SourceRange {
  const { range } = node;
  switch (node.kind) {
    case "if":
    case "while":
      return { ...range, endLine: node.condition.range.endLine };
    case "doWhile":
      return { ...node.condition.range, endLine: range.endLine };
    case "for": {
      const parts = [node.init, node.condition, node.update].flatMap((part) => part?.range.endLine ?? []);
      return { ...range, endLine: Math.max(range.line, ...parts) };
    }
    case "switch":
      return { ...range, endLine: node.value.range.endLine };
    case "case":
    case "default":
    case "label":
      return { ...range, endLine: range.line };
    default:
      return range;
  }
}

/** `x == 1;` and `x + 1;` leave no step in a run. */
function hasNoEffect(node: Statement): boolean {
  return node.kind === "expressionStatement" && node.expression.kind === "binary";
}

function isRun(walk: Walk, node: Statement): boolean {
  if (node.kind === "case" || node.kind === "default" || node.kind === "label") return walk.executed(node.range);
  return walk.executed(ownRange(node));
}

function addStatement(
  walk: Walk,
  sites: FunctionPlaces,
  node: Statement,
  place: Place,
  within: Pick<StatementPlace, "next" | "inBlock"> & { readonly isBesideRun?: boolean },
): void {
  if (node.kind === "block") return addBlock(walk, sites, node, place);
  const here = { ...place, executed: isRun(walk, node) || (within.isBesideRun === true && hasNoEffect(node)) };
  if (node.range.file === walk.file.path)
    sites.statements.push({ ...here, next: within.next, inBlock: within.inBlock, node });
  const expression = (e: Expr, role: ExpressionRole, inside = here) =>
    addExpression(walk, sites, e, null, role, inside);
  const condition = (e: Expr, inside = here) => {
    sites.conditions.push({ ...inside, node: e });
    expression(e, "truth", inside);
  };
  const body = (inner: Statement, inLoop = place.inLoop, scope = place.scope) => {
    const inside = { ...place, inLoop, scope, executed: true };
    if (inner.kind !== "block" && inner.range.file === walk.file.path) {
      const executed = isRun(walk, inner) || here.executed;
      const lines = [inner.range.line, node.range.line];
      sites.positions.push({ ...inside, executed, at: { kind: "before", statement: inner }, lines });
      sites.positions.push({
        ...inside,
        executed,
        at: { kind: "after", statement: inner },
        lines: [inner.range.endLine],
      });
    }
    addStatement(walk, sites, inner, inside, { next: null, inBlock: false });
  };
  switch (node.kind) {
    case "expressionStatement":
      return expression(node.expression, "discarded");
    case "if":
      condition(node.condition);
      body(node.then);
      if (node.else !== null) body(node.else);
      return;
    case "while":
    case "doWhile":
      condition(node.condition);
      return body(node.body, true);
    case "for": {
      let scope = here.scope;
      if (node.init?.kind === "declaration") {
        addDeclaration(walk, sites, node.init, here);
        scope = declare(scope, declaredNames(node.init, walk.types));
      } else if (node.init !== null) expression(node.init, "discarded");
      const inside = { ...here, scope };
      if (node.condition !== null) condition(node.condition, inside);
      if (node.update !== null) expression(node.update, "discarded", { ...inside, inLoop: true });
      return body(node.body, true, scope);
    }
    case "switch":
      expression(node.value, "operand");
      return addStatement(walk, sites, node.body, { ...place, executed: true }, { next: null, inBlock: false });
    case "case":
      expression(node.from, "label");
      return addStatement(walk, sites, node.body, place, { next: null, inBlock: true });
    case "default":
    case "label":
      return addStatement(walk, sites, node.body, place, { next: null, inBlock: true });
    case "return":
      if (node.value !== null) expression(node.value, "returned");
      return;
    default:
      return;
  }
}

function addDeclaration(walk: Walk, sites: FunctionPlaces, node: Declaration, place: Place): void {
  if (node.range.file !== walk.file.path) return;
  sites.declarations.push({ ...place, node });
  let { scope } = place;
  for (const each of node.declarators) {
    const inside = { ...place, scope };
    for (const size of declaratorParts(each.declarator)) addExpression(walk, sites, size, null, "arraySize", inside);
    const isStatic = place.function === null || node.specifiers.storage === "static";
    if (each.initializer !== null) addInitializer(walk, sites, each.initializer, inside, isStatic);
    scope = declare(scope, declaredNames({ ...node, declarators: [each] }, walk.types));
  }
}

function addInitializer(
  walk: Walk,
  sites: FunctionPlaces,
  initializer: Initializer,
  place: Place,
  isStatic: boolean,
): void {
  const parts = [...initializerParts(initializer)];
  const role = parts.length > longTable ? "entry" : isStatic ? "static" : "initial";
  const every = Math.ceil(parts.length / mostEntries);
  for (const [i, part] of parts.entries()) if (i % every === 0) addExpression(walk, sites, part, null, role, place);
}

/** Entries of longer tables get few changes, because each needs a program of its own. */
const longTable = 12;
/** At most this many entries of a table are changed. */
const mostEntries = 32;

function addExpression(
  walk: Walk,
  sites: FunctionPlaces,
  node: Expr,
  parent: Expr | null,
  role: ExpressionRole,
  place: Place,
): void {
  if (node.range.file !== walk.file.path) return;
  sites.expressions.push({ ...place, node, parent, role });
  if (node.kind === "conditional") sites.conditions.push({ ...place, node: node.condition });
  for (const part of partsOf(node)) addExpression(walk, sites, part, node, roleOf(node, part), place);
}

const comparisons: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);

export function isComparison(operator: string): boolean {
  return comparisons.has(operator);
}

function roleOf(parent: Expr, part: Expr): ExpressionRole {
  switch (parent.kind) {
    case "binary":
      if (parent.operator === "&&" || parent.operator === "||") return "truth";
      return isComparison(parent.operator) ? "compared" : "operand";
    case "subscript":
      return part === parent.index ? "index" : "other";
    case "assignment":
      return part === parent.left ? "target" : "assigned";
    case "increment":
      return "target";
    case "unary":
      return parent.operator === "!" ? "truth" : parent.operator === "&" ? "target" : "operand";
    case "conditional":
      return part === parent.condition ? "truth" : "operand";
    case "call":
      return part === parent.callee ? "callee" : "argument";
    case "comma":
      return part === parent.left ? "discarded" : "operand";
    case "cast":
      return "operand";
    default:
      return "other";
  }
}

export function startOf(file: SourceFile, range: SourceRange): number {
  return offsetOf(file, range.line, range.column);
}

export function endOf(file: SourceFile, range: SourceRange): number {
  return offsetOf(file, range.endLine, range.endColumn);
}

export function textOf(file: SourceFile, { range }: { readonly range: SourceRange }): string {
  return file.text.slice(startOf(file, range), endOf(file, range));
}
