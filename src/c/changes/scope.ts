import type {
  Declaration,
  Declarator,
  ParameterDeclaration,
  Specifiers,
  TranslationUnit,
  TypeSpecifier,
} from "../ast.ts";
import { declaredName } from "../lower/findAddressTaken.ts";

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
export type Scope = { readonly declared: VisibleName; readonly outer: Scope } | null;

export type TypeNames = ReadonlyMap<string, CoarseType>;

const known = new WeakMap<NonNullable<Scope>, readonly VisibleName[]>();

/** The visible names, innermost first. */
export function visibleNames(scope: Scope): readonly VisibleName[] {
  if (scope === null) return [];
  let names = known.get(scope);
  if (names === undefined) {
    const { declared, outer } = scope;
    names = [declared, ...visibleNames(outer).filter(({ name }) => name !== declared.name)];
    known.set(scope, names);
  }
  return names;
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
