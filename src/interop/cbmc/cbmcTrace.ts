import { nth } from "../../base/checked.ts";
import { type JsonObject, type JsonValue, objectOf, textOf } from "./cbmcOutput.ts";

/** CBMC knows lines, not columns; a place without a file is one of its own making. */
export type CbmcLocation = { readonly file: string; readonly line: number; readonly function: string | null };

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
      readonly kind: "input" | "output";
      readonly name: string;
      readonly values: readonly CbmcValue[];
      readonly location: CbmcLocation | null;
    }
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
      return { kind: "input", name: textOf(json.inputID), values: valuesOf(json.values), location };
    case "output":
      return { kind: "output", name: textOf(json.outputID), values: valuesOf(json.values), location };
    case "failure":
      return { kind: "failure", property: textOf(json.property), reason: textOf(json.reason), location };
    case "loop-head":
      return { kind: "loop-head", location };
    case "location-only":
      return { kind: "location", location };
    default:
      return null;
  }
}

function functionOf(json: JsonValue | undefined): string {
  const fields = objectOf(json);
  return textOf(fields.displayName) || textOf(fields.identifier);
}

function valuesOf(json: JsonValue | undefined): CbmcValue[] {
  return Array.isArray(json) ? json.map((value) => cbmcValue(value)) : [];
}

/** Lines are texts in CBMC's output. */
function locationOf(json: JsonValue | undefined): CbmcLocation | null {
  const fields = objectOf(json);
  const line = Number(textOf(fields.line));
  const file = textOf(fields.file);
  if (file === "" || file.startsWith("<") || !Number.isInteger(line) || line < 1) return null;
  return { file, line, function: textOf(fields.function) || null };
}

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
