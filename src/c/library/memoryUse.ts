import { assertNever, Defect } from "../../base/errors.ts";

/**
 * Which memory of the program a library function touches, by the names of its parameters. `"..."` stands for each of the
 * variadic arguments. An extent is an upper bound: no byte beyond it is touched.
 */
export type MemoryUse =
  | { readonly kind: "reads" | "writes"; readonly at: string; readonly extent: Extent }
  /** The bytes at `to` are afterwards those at `from`. */
  | { readonly kind: "copies"; readonly to: string; readonly from: string; readonly extent: Extent }
  /** Every byte is afterwards the low byte of the parameter `byte`, or zero. */
  | { readonly kind: "fills"; readonly at: string; readonly byte: string | 0; readonly extent: Extent }
  | { readonly kind: "frees"; readonly at: string }
  /** Memory whose address it was given by an earlier call. */
  | { readonly kind: "remembers" };

export type Extent =
  /** As many bytes as the product of these arguments. */
  | { readonly kind: "bytes"; readonly factors: readonly string[] }
  /** What the prototype says that the parameter points to. */
  | { readonly kind: "pointee" }
  /** To the terminating zero, which is included; but no more bytes than the argument `atMost`. */
  | { readonly kind: "string"; readonly atMost: string | null }
  /** What the directives of a format say. */
  | { readonly kind: "format" }
  /** Up to the end of the object at most. */
  | { readonly kind: "unbounded" };

export const bytes = (...factors: readonly string[]): Extent => ({ kind: "bytes", factors });
export const pointee: Extent = { kind: "pointee" };
export const string: Extent = { kind: "string", atMost: null };
export const stringOf = (atMost: string): Extent => ({ kind: "string", atMost });
export const format: Extent = { kind: "format" };
export const unbounded: Extent = { kind: "unbounded" };

export const reads = (at: string, extent: Extent): MemoryUse => ({ kind: "reads", at, extent });
export const writes = (at: string, extent: Extent): MemoryUse => ({ kind: "writes", at, extent });
export const copies = (to: string, from: string, extent: Extent): MemoryUse => ({ kind: "copies", to, from, extent });
export const fills = (at: string, byte: string | 0, extent: Extent): MemoryUse => ({ kind: "fills", at, byte, extent });
export const frees = (at: string): MemoryUse => ({ kind: "frees", at });
export const remembers: MemoryUse = { kind: "remembers" };

/** The parameter whose memory the use changes: null for none, or for memory that no parameter points to. */
export function writtenParameter(use: MemoryUse): string | null {
  switch (use.kind) {
    case "writes":
    case "fills":
      return use.at;
    case "copies":
      return use.to;
    case "reads":
    case "frees":
    case "remembers":
      return null;
    default:
      return assertNever(use, "memory use");
  }
}

/** Bytes of what a parameter of this type points to. */
export function pointeeSize(type: string, pointerBytes: 4 | 8): number {
  switch (type.replace(/\bconst /g, "")) {
    case "char **":
    case "size_t *":
    case "fpos_t *":
      return pointerBytes;
    case "int *":
    case "unsigned int *":
    case "float *":
      return 4;
    case "double *":
      return 8;
    case "long double *":
      return pointerBytes === 8 ? 16 : 12;
    default:
      throw new Defect(`the size of what ${type} points to is not known`);
  }
}
