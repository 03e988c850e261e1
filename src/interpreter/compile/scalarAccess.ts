import { endianness } from "node:os";
import { assertNever } from "../../base/errors.ts";
import { memoised } from "../../base/memo.ts";
import type { ScalarType } from "../../ir/type.ts";

/** How a scalar type is accessed: by a checked function, or at an address known to be valid. */
export type ScalarAccess = {
  readonly size: number;
  /** `name(M, pointer, delta, site)` */
  readonly read: string;
  /** `name(M, pointer, delta, value, site)` */
  readonly write: string;
  /** Null for types that need more than an element of an array. */
  readonly direct: DirectAccess | null;
};

/**
 * The value at a linear address, a multiple of `alignment`. It is an element of a typed array: V8 keeps what it knows of
 * the memory across a store into one, and forgets all of it at a store into a `DataView`.
 */
export type DirectAccess = {
  readonly alignment: number;
  /** `high` is the name that `fits` assigned. */
  readonly get: (at: string, high: string) => string;
  readonly set: (at: string, value: string) => string;
  readonly isInitialised: (at: string) => string;
  readonly initialise: (at: string) => string;
  /** For 64 bits: whether they are a number that JavaScript has; assigns the upper half to `high`. */
  readonly fits: ((at: string, high: string) => string) | null;
};

/** Library calls ask for it during runs. */
const accesses = {
  4: memoised((type: ScalarType) => accessOf(type, 4)),
  8: memoised((type: ScalarType) => accessOf(type, 8)),
};

export function scalarAccess(type: ScalarType, pointerBytes: 4 | 8): ScalarAccess {
  return accesses[pointerBytes](type);
}

function accessOf(type: ScalarType, pointerBytes: 4 | 8): ScalarAccess {
  switch (type.kind) {
    case "bool":
      return { size: 1, read: "readBool", write: "writeInt8", direct: null };
    case "float": {
      const name = `Float${type.bits}`;
      return {
        size: type.bits / 8,
        read: `read${name}`,
        write: `write${name}`,
        direct: ofHost(elements(type.bits, `float${type.bits}s`, "")),
      };
    }
    case "pointer":
      return pointerBytes === 8
        ? { size: 8, read: "readPointer64", write: "writePointer64", direct: ofHost(halves(true, 8, setPointer)) }
        : { size: 4, read: "readPointer32", write: "writePointer32", direct: null };
    case "int": {
      const read = `read${type.signed ? "Int" : "Uint"}${type.bits}`;
      return { size: type.bits / 8, read, write: `writeInt${type.bits}`, direct: ofHost(integers(type, pointerBytes)) };
    }
    default:
      return assertNever(type, "type");
  }
}

/** The bytes of the program are little-endian; those of a typed array are in the order of the machine. */
function ofHost(direct: DirectAccess | null): DirectAccess | null {
  return endianness() === "LE" ? direct : null;
}

function integers({ bits, signed }: Extract<ScalarType, { kind: "int" }>, pointerBytes: 4 | 8): DirectAccess | null {
  if (bits === 128) return null;
  if (bits === 64) return halves(signed, pointerBytes, setWide);
  const unsigned = bits === 32 ? " >>> 0" : ` & ${2 ** bits - 1}`;
  return elements(bits, `int${bits}s`, signed ? "" : unsigned);
}

function elements(bits: number, array: string, conversion: string): DirectAccess {
  const shift = Math.log2(bits / 8);
  return {
    alignment: bits / 8,
    get: (at) => `(M.${array}[${index(at, shift)}]${conversion})`,
    set: (at, value) => `M.${array}[${index(at, shift)}] = ${value};`,
    ...shadowOf(bits),
    fits: null,
  };
}

function shadowOf(bits: number): Pick<DirectAccess, "isInitialised" | "initialise"> {
  const shift = Math.log2(Math.min(bits, 32) / 8);
  const elements = (at: string) =>
    (bits === 64 ? [0, 1] : [0]).map((i) => `M.shadowInt${Math.min(bits, 32)}s[${index(at, shift, i)}]`);
  return {
    isInitialised: (at) => `(${elements(at).join(" | ")}) === 0`,
    initialise: (at) =>
      elements(at)
        .map((element) => `${element} = 0;`)
        .join(" "),
  };
}

/** The index of the element at a linear address, or of the next one. */
function index(at: string, shift: number, next = 0): string {
  if (/^\d+$/.test(at)) return `${Number(at) / 2 ** shift + next}`;
  const first = shift === 0 ? at : `(${at} >> ${shift})`;
  return next === 0 ? first : `${first} + ${next}`;
}

/** 64 bits as two halves, aligned as pointers are: the value is a number unless the upper half is large (see `readInt64`). */
function halves(signed: boolean, alignment: 4 | 8, set: DirectAccess["set"]): DirectAccess {
  const least = (high: string) => (signed ? ` && ${high} >= -2097151` : "");
  return {
    alignment,
    get: (at, high) => `${high} * 4294967296 + (M.int32s[${index(at, 2)}] >>> 0)`,
    set,
    ...shadowOf(64),
    fits: (at, high) => `(${high} = M.int32s[${index(at, 2, 1)}]${signed ? "" : " >>> 0"}) < 2097152${least(high)}`,
  };
}

function setWide(at: string, value: string): string {
  return `setWide(M.int32s, ${index(at, 2)}, ${value});`;
}

function setPointer(at: string, value: string): string {
  return `M.int32s[${index(at, 2)}] = ${value}; M.int32s[${index(at, 2, 1)}] = Math.floor(${value} / 4294967296);`;
}
