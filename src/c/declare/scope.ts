import { nth } from "../../base/checked.ts";
import type { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { distinctEnds } from "../../base/text.ts";
import type { FunctionId, VariableId } from "../../ir/program.ts";
import type { FunctionType, IntType, StructType, Type } from "../../ir/type.ts";
import type { Declarator, FunctionDefinition, Initializer, Specifiers } from "../ast.ts";
import type { Place, ProgramContext } from "../lower/context.ts";
import type { LoweredFunction } from "../lower/lowerFunction.ts";

/** The meaning of a name at its use. */
export type NamedEntity =
  | { readonly kind: "typedef"; readonly type: Type }
  | { readonly kind: "enumerator"; readonly type: IntType; readonly value: bigint }
  | { readonly kind: "local"; readonly place: Place; readonly constness?: Constness }
  | StaticObject
  | FunctionEntity
  /** Its declaration uses something unsupported; an error only if the name is used. */
  | { readonly kind: "refused"; readonly error: TracefoldError };

/**
 * What is const about a declared name: whether each pointer is, from the name on (null for an array), and then what the
 * specifiers declare. `const` in a typedef, and of a struct's members, is not known.
 */
export type Constness = readonly (boolean | null)[];

/** "external": other files may mean the same object or function by this name. */
export type Linkage = "external" | "internal";

/** A variable with static storage. The declarations in one file share one entity; those of several files are linked. */
export type StaticObject = {
  readonly kind: "static";
  readonly name: string;
  linkage: Linkage;
  /** The entity with the definition, if there is one. */
  linked: StaticObject;
  readonly file: number;
  /** As this file knows it; later declarations complete it: `extern int a[]; int a[3];`. */
  type: Type;
  /** Declared without `extern` or with an initialiser somewhere. */
  defined: boolean;
  initializer: Initializer | null;
  /** Specifiers of the definition: some storage classes are refused when the object is used. */
  specifiers: Specifiers | null;
  range: SourceRange;
  /** The scope for names in the initialiser. */
  scope: Scope;
  /** Position among all statics: the order of initialisation. */
  order: number;
  addressTaken: boolean;
  constness: Constness;
  readonly owner: FunctionId | null;
  /** Chosen at the first use. */
  place: Place | null;
};

/** Like `StaticObject`, for a function. */
export type FunctionEntity = {
  readonly kind: "function";
  readonly name: string;
  linkage: Linkage;
  linked: FunctionEntity;
  readonly file: number;
  type: FunctionType;
  definition: FunctionDefinition | null;
  /** Some declaration in this file says more than `inline`: its definition counts for other files too. */
  exported: boolean;
  readonly id: FunctionId;
  range: SourceRange;
};

/** The entities of each name with external linkage, per file. */
export type Externals = Map<string, (StaticObject | FunctionEntity)[]>;

export type TagEntity =
  | { readonly kind: "struct"; readonly type: StructType }
  | { readonly kind: "enum"; type: IntType };

export type Scope = {
  readonly parent: Scope | null;
  readonly names: Map<string, NamedEntity>;
  readonly tags: Map<string, TagEntity>;
};

export function newScope(parent: Scope | null): Scope {
  return { parent, names: new Map(), tags: new Map() };
}

export type UsableEntity = Exclude<NamedEntity, { kind: "refused" }>;

export function lookup(scope: Scope, name: string): UsableEntity | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = at.names.get(name);
    if (found === undefined) continue;
    if (found.kind === "refused") throw found.error;
    return found;
  }
  return null;
}

export function lookupTag(scope: Scope, tag: string): TagEntity | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = at.tags.get(tag);
    if (found !== undefined) return found;
  }
  return null;
}

/** The static object of each variable, to find the initialisers that a program needs. */
export type StaticOwners = Map<VariableId, StaticObject>;

/** The file of a function or variable whose name alone is ambiguous. */
export type FilesOfNames = {
  ofFunction(fn: LoweredFunction): string | undefined;
  ofVariable(id: VariableId): string | undefined;
};

export function ambiguousNames(
  program: ProgramContext,
  functions: readonly LoweredFunction[],
  statics: Iterable<VariableId>,
): FilesOfNames {
  const labels = distinctEnds(program.units.map(({ path }) => path));
  const files = new Map<string, Set<number>>();
  const add = (name: string, file: number) => files.set(name, (files.get(name) ?? new Set()).add(file));
  const objectOf = (id: VariableId) => {
    const object = program.statics.get(id);
    return object === undefined || object.owner !== null ? null : object;
  };
  for (const { id, name } of functions) add(`${name}()`, nth(program.functions, id).file);
  for (const id of statics) {
    const object = objectOf(id);
    if (object !== null) add(object.name, object.file);
  }
  const label = (name: string, file: number) => ((files.get(name)?.size ?? 0) > 1 ? labels[file] : undefined);
  return {
    ofFunction: ({ id, name }) => label(`${name}()`, nth(program.functions, id).file),
    ofVariable: (id) => {
      const object = objectOf(id);
      return object === null ? undefined : label(object.name, object.file);
    },
  };
}

export function constnessOf(specifiers: Specifiers, declarator: Declarator): Constness {
  const levels: (boolean | null)[] = [specifiers.isConst];
  for (let at = declarator; at.kind !== "name"; at = at.of) {
    // What a function returns is no object.
    if (at.kind === "function") return [];
    levels.unshift(at.kind === "pointer" ? at.isConst : null);
  }
  return levels;
}

/** An array is const if its elements are. */
export function isConstObject(constness: Constness): boolean {
  return constness.find((level) => level !== null) ?? false;
}
