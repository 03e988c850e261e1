import type { Choices } from "./choices.ts";
import type { IntType } from "./intTypes.ts";

/**
 * What the program under construction can name. Everything is initialised where it is declared, so a generated
 * program never reads indeterminate memory.
 */
export type Entity =
  /** `frozen`: a loop counter, which only its loop writes. `plain`: a local whose address is never taken. */
  | {
      readonly kind: "scalar";
      readonly name: string;
      readonly type: IntType;
      readonly frozen: boolean;
      readonly plain: boolean;
      readonly global: boolean;
    }
  | {
      readonly kind: "array";
      readonly name: string;
      readonly type: IntType;
      readonly dimensions: readonly number[];
      readonly global: boolean;
    }
  | { readonly kind: "struct"; readonly name: string; readonly type: StructShape; readonly global: boolean }
  /** Points to the first of `length` elements, always. */
  | {
      readonly kind: "pointer";
      readonly name: string;
      readonly type: IntType;
      readonly length: number;
      readonly global: boolean;
    }
  | { readonly kind: "structPointer"; readonly name: string; readonly type: StructShape; readonly global: boolean }
  | { readonly kind: "floating"; readonly name: string; readonly type: "float" | "double"; readonly global: boolean }
  /** A zero-terminated string in a writable array of `length` characters. */
  | { readonly kind: "string"; readonly name: string; readonly length: number; readonly global: boolean };

export type EntityOf<K extends Entity["kind"]> = Extract<Entity, { kind: K }>;

export type Field =
  | { readonly kind: "scalar"; readonly name: string; readonly type: IntType; readonly width: number | null }
  | { readonly kind: "array"; readonly name: string; readonly type: IntType; readonly length: number }
  | { readonly kind: "struct"; readonly name: string; readonly type: StructShape };

export type StructShape = { readonly tag: string; readonly fields: readonly Field[] };

export type FunctionShape = {
  readonly name: string;
  readonly result: IntType | StructShape;
  readonly parameters: readonly Entity[];
  /** The first parameter is an `int` that bounds the recursion. */
  readonly recursive: boolean;
};

/** The state of the construction of one program. */
export type Builder = {
  readonly choices: Choices;
  /** Signed arithmetic may overflow, divisors may be zero, shifts may be too far: the verdicts are compared too. */
  readonly wild: boolean;
  /** It calls `fileFunctions`. */
  readonly files: boolean;
  readonly scopes: Entity[][];
  readonly functions: FunctionShape[];
  readonly structs: StructShape[];
  readonly enumerators: string[];
  /** Names with file scope, so that several programs can be put into one file. */
  readonly topLevel: string[];
  /** Functions with the signature `int (int, unsigned)` that `operations[]` points to. */
  operations: number;
  names: number;
};

export function freshName(builder: Builder, prefix: string): string {
  return `${prefix}${builder.names++}`;
}

export function topLevelName(builder: Builder, prefix: string): string {
  const name = freshName(builder, prefix);
  builder.topLevel.push(name);
  return name;
}

export function visible<K extends Entity["kind"]>(builder: Builder, kind: K): EntityOf<K>[] {
  return builder.scopes.flat().filter((entity): entity is EntityOf<K> => entity.kind === kind);
}

export function declare<E extends Entity>(builder: Builder, entity: E): E {
  builder.scopes.at(-1)!.push(entity);
  return entity;
}

/** Runs `body` in a scope of its own. */
export function inScope<T>(builder: Builder, body: () => T): T {
  builder.scopes.push([]);
  const result = body();
  builder.scopes.pop();
  return result;
}
