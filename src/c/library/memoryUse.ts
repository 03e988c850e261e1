import { assertNever, Defect } from "../../base/errors.ts";

/** The memory that a library function touches. `"..."` means each variadic argument; extents are upper bounds. */
export type MemoryUse =
  | { readonly kind: "reads" | "writes"; readonly at: string; readonly extent: Extent }
  /** Copies `from` to `to`. */
  | { readonly kind: "copies"; readonly to: string; readonly from: string; readonly extent: Extent }
  /** Sets every byte to the low byte of the parameter `byte`, or to zero. */
  | { readonly kind: "fills"; readonly at: string; readonly byte: string | 0; readonly extent: Extent }
  | { readonly kind: "frees"; readonly at: string }
  /** Memory whose address an earlier call received. */
  | { readonly kind: "remembers" };

export type Extent =
  /** The product of these arguments in bytes. */
  | { readonly kind: "bytes"; readonly factors: readonly string[] }
  /** The size of the parameter's pointee type. */
  | { readonly kind: "pointee" }
  /** Up to and including the terminating zero, but at most `atMost` bytes. */
  | { readonly kind: "string"; readonly atMost: string | null }
  /** Determined by the directives of a format. */
  | { readonly kind: "format" }
  /** Up to the end of the object. */
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

/** The parameter whose memory is written; null for none, or for memory without a parameter. */
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
