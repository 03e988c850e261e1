import { nth } from "../../base/checked.ts";
import type { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { distinctEnds } from "../../base/text.ts";
import type { FunctionId, VariableId } from "../../ir/program.ts";
import type { FunctionType, IntType, StructType, Type } from "../../ir/type.ts";
import type { FunctionDefinition, Initializer, Specifiers } from "../ast.ts";
import type { Place, ProgramContext } from "../lower/context.ts";
import type { LoweredFunction } from "../lower/lowerFunction.ts";

/** What a name means where it is used. */
export type NamedEntity =
  | { readonly kind: "typedef"; readonly type: Type }
  | { readonly kind: "enumerator"; readonly type: IntType; readonly value: bigint }
  | { readonly kind: "local"; readonly place: Place }
  | StaticObject
  | FunctionEntity
  /** Its declaration needs something that is not supported; an error only where the name is used. */
  | { readonly kind: "refused"; readonly error: TracefoldError };

/** Which other files may mean the same object or function by the same name. */
export type Linkage = "external" | "internal";

/**
 * A variable with static storage, at file level or in a function. A file's declarations of one object share one entity;
 * the entities of several files are linked.
 */
export type StaticObject = {
  readonly kind: "static";
  readonly name: string;
  linkage: Linkage;
  /** The object that this file's declarations mean: the one that has a definition, where there is one. */
  linked: StaticObject;
  /** The file it is declared in. */
  readonly file: number;
  /** As this file knows it; completed by later declarations: `extern int a[]; int a[3];`. */
  type: Type;
  /** Declared without `extern` or with an initialiser somewhere. */
  defined: boolean;
  initializer: Initializer | null;
  /** Of the definition, for the storage classes that are refused where the object is used. */
  specifiers: Specifiers | null;
  range: SourceRange;
  /** The scope that the initialiser's names are looked up in. */
  scope: Scope;
  /** Position among all statics, for the order of initialisation. */
  order: number;
  addressTaken: boolean;
  readonly owner: FunctionId | null;
  /** Chosen at the first use. */
  place: Place | null;
};

/** As `StaticObject`, of a function. */
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

/** What the names with external linkage mean in each file, and, once the files are linked, in the program. */
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

/** Which static object a variable belongs to, for finding the initialisers that a program needs. */
export type StaticOwners = Map<VariableId, StaticObject>;

/** The file that a function or variable belongs to, where its name alone does not say which one is meant. */
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
