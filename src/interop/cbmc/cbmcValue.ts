import { nth } from "../../base/checked.ts";
import { type JsonValue, objectOf, textOf } from "./cbmcOutput.ts";

/** A value as CBMC prints it. Arrays, structs and other values without a number keep only their kind. */
export type CbmcValue =
  | { readonly kind: "integer"; readonly value: bigint; readonly type: string }
  | { readonly kind: "float"; readonly value: number; readonly type: string }
  | { readonly kind: "pointer"; readonly isNull: boolean; readonly text: string; readonly type: string }
  | { readonly kind: "other"; readonly name: string };

export function cbmcValue(json: JsonValue | undefined): CbmcValue {
  const fields = objectOf(json);
  const name = textOf(fields.name);
  const data = textOf(fields.data);
  const type = textOf(fields.type);
  switch (name) {
    case "integer":
    case "boolean": {
      const value = integerOf(data, textOf(fields.binary), type);
      return value === null ? { kind: "other", name } : { kind: "integer", value, type };
    }
    case "float": {
      const value = floatOf(data, textOf(fields.binary));
      return value === null ? { kind: "other", name } : { kind: "float", value, type };
    }
    case "pointer":
      return {
        kind: "pointer",
        isNull: /^\(*(?:\([^()]*\))?NULL\)*$/.test(data),
        text: data,
        type,
      };
    default:
      return { kind: "other", name };
  }
}

/** The decimal text where there is one (`-2`, `36028797018963968ul`, `TRUE`), else the bits, signed by the type's name. */
function integerOf(data: string, binary: string, type: string): bigint | null {
  const decimal = /^([+-]?\d+)[uUlL]*$/.exec(data);
  if (decimal !== null) return BigInt(nth(decimal, 1));
  if (/^(true|false)$/i.test(data)) return data.toLowerCase() === "true" ? 1n : 0n;
  if (!/^[01]+$/.test(binary)) return null;
  const bits = BigInt(`0b${binary}`);
  const signed = !/\bunsigned\b|_Bool|size_t|\buint/.test(type);
  return signed ? BigInt.asIntN(binary.length, bits) : bits;
}

/** The bits are exact; the decimal text is rounded. */
function floatOf(data: string, binary: string): number | null {
  if (/^[01]{64}$/.test(binary) || /^[01]{32}$/.test(binary)) {
    const view = new DataView(new ArrayBuffer(8));
    if (binary.length === 32) {
      view.setUint32(0, Number.parseInt(binary, 2));
      return view.getFloat32(0);
    }
    view.setBigUint64(0, BigInt(`0b${binary}`));
    return view.getFloat64(0);
  }
  const value = Number(data.replace(/[fFlL]$/, ""));
  return data === "" || Number.isNaN(value) ? null : value;
}
