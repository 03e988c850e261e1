import { type JsonObject, type JsonValue, objectOf, textOf } from "./cbmcOutput.ts";
import { type CbmcValue, cbmcValue } from "./cbmcValue.ts";

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
