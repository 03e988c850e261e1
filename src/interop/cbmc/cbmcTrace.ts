import { nth } from "../../base/checked.ts";
import { type JsonObject, type JsonValue, objectOf, textOf } from "./cbmcOutput.ts";

/** CBMC knows lines, not columns; a place without a file is one of its own making. */
export type CbmcLocation = { readonly file: string; readonly line: number };

export type CbmcStep =
  | {
      readonly kind: "assignment";
      readonly target: string;
      readonly value: CbmcValue;
      readonly role: "variable" | "parameter";
      readonly location: CbmcLocation | null;
    }
  | { readonly kind: "call" | "return"; readonly function: string; readonly location: CbmcLocation | null }
  | {
      readonly kind: "failure";
      readonly property: string;
      readonly reason: string;
      readonly location: CbmcLocation | null;
    }
  | { readonly kind: "location" | "loop-head"; readonly location: CbmcLocation | null };

/** The steps of a trace that belong to the program: hidden and internal ones, and kinds that say nothing of it, are left out. */
export function cbmcSteps(trace: readonly JsonObject[]): CbmcStep[] {
  return trace.map(cbmcStep).filter((step) => step !== null);
}

function cbmcStep(json: JsonObject): CbmcStep | null {
  if (json.hidden === true || json.internal === true) return null;
  const location = locationOf(json.sourceLocation);
  switch (json.stepType) {
    case "assignment":
      return {
        kind: "assignment",
        target: textOf(json.lhs),
        value: cbmcValue(json.value),
        role: json.assignmentType === "actual-parameter" ? "parameter" : "variable",
        location,
      };
    case "function-call":
      return { kind: "call", function: functionOf(json.function), location };
    case "function-return":
      return { kind: "return", function: functionOf(json.function), location };
    case "input":
    case "output":
    case "location-only":
      return { kind: "location", location };
    case "failure":
      return { kind: "failure", property: textOf(json.property), reason: textOf(json.reason), location };
    case "loop-head":
      return { kind: "loop-head", location };
    default:
      return null;
  }
}

function functionOf(json: JsonValue | undefined): string {
  const fields = objectOf(json);
  return textOf(fields.displayName) || textOf(fields.identifier);
}

/** Lines are texts in CBMC's output. */
function locationOf(json: JsonValue | undefined): CbmcLocation | null {
  const fields = objectOf(json);
  const line = Number(textOf(fields.line));
  const file = textOf(fields.file);
  if (file === "" || file.startsWith("<") || !Number.isInteger(line) || line < 1) return null;
  return { file, line };
}

/** A value as CBMC prints it; null for arrays, structs, pointers to something and other values without a number. */
export type CbmcValue = bigint | number | null;

function cbmcValue(json: JsonValue | undefined): CbmcValue {
  const fields = objectOf(json);
  const data = textOf(fields.data);
  switch (fields.name) {
    case "integer":
    case "boolean":
      return integerOf(data, textOf(fields.binary), textOf(fields.type));
    case "float":
      return floatOf(data, textOf(fields.binary));
    case "pointer":
      return /^\(*(?:\([^()]*\))?NULL\)*$/.test(data) ? 0n : null;
    default:
      return null;
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
