import { assertNever } from "../../base/errors.ts";
import type { ScalarType } from "../../ir/type.ts";

/** How one scalar type is read and written: by a checked function, or at an address that is known to be good. */
export type ScalarAccess = {
  readonly size: number;
  /** `name(M, pointer, delta, site)` */
  readonly read: string;
  /** `name(M, pointer, delta, value, site)` */
  readonly write: string;
  /** Only for types that need nothing but a view: the value at a linear address. */
  readonly direct: {
    readonly get: (at: string) => string;
    readonly set: (at: string, value: string) => string;
    readonly isInitialised: (at: string) => string;
    readonly initialise: (at: string) => string;
  } | null;
};

export function scalarAccess(type: ScalarType, pointerBytes: 4 | 8): ScalarAccess {
  switch (type.kind) {
    case "bool":
      return { size: 1, read: "readBool", write: "writeInt8", direct: null };
    case "float":
      return viewAccess(type.bits / 8, `Float${type.bits}`, `writeFloat${type.bits}`);
    case "pointer":
      return pointerBytes === 8
        ? { size: 8, read: "readPointer64", write: "writeInt64", direct: null }
        : { size: 4, read: "readPointer32", write: "writePointer32", direct: null };
    case "int": {
      const name = `${type.signed ? "Int" : "Uint"}${type.bits}`;
      if (type.bits <= 32) return viewAccess(type.bits / 8, name, `writeInt${type.bits}`);
      return { size: type.bits / 8, read: `read${name}`, write: `writeInt${type.bits}`, direct: null };
    }
    default:
      return assertNever(type, "type");
  }
}

function viewAccess(size: number, name: string, write: string): ScalarAccess {
  const order = size === 1 ? "" : ", true";
  const shadow = size === 8 ? 4 : size;
  const words = (at: string) => (size === 8 ? [at, `${at} + 4`] : [at]);
  return {
    size,
    read: `read${name}`,
    write,
    direct: {
      get: (at) => `M.view.get${name}(${at}${order})`,
      set: (at, value) => `M.view.set${name}(${at}, ${value}${order});`,
      isInitialised: (at) =>
        words(at)
          .map((word) => `M.shadow.getInt${shadow * 8}(${word}${order}) === 0`)
          .join(" && "),
      initialise: (at) =>
        words(at)
          .map((word) => `M.shadow.setInt${shadow * 8}(${word}, 0${order});`)
          .join(" "),
    },
  };
}
