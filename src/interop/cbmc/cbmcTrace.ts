import { createCbmcJsonReader, type JsonValue, type RawEvent, type RawResult } from "./cbmcJson.ts";
import { type CbmcValue, cbmcValue } from "./cbmcValue.ts";
import type { JsonPlace } from "./jsonTokens.ts";

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

/** Steps of a trace come before the result that they belong to. */
export type CbmcEvent =
  | Exclude<RawEvent, { kind: "step" | "result" }>
  | { readonly kind: "step"; readonly step: CbmcStep; readonly place: JsonPlace }
  | { readonly kind: "result"; readonly result: RawResult };

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Reads what `cbmc --trace --json-ui` printed, in constant memory: chunk after chunk, of whatever size. Steps that CBMC
 * marks as hidden or internal are left out, and so are kinds of step that say nothing about the program.
 */
export async function* readCbmcEvents(chunks: Chunks, file: string): AsyncGenerator<CbmcEvent, void, undefined> {
  let events: CbmcEvent[] = [];
  const reader = createCbmcJsonReader(file, (event) => {
    if (event.kind !== "step") events.push(event);
    else {
      const step = cbmcStep(event.json);
      if (step !== null) events.push({ kind: "step", step, place: event.place });
    }
  });
  for await (const chunk of chunks) {
    reader.write(chunk);
    if (events.length === 0) continue;
    yield* events;
    events = [];
  }
  reader.end();
  yield* events;
}

type Fields = { readonly [key: string]: JsonValue };

function cbmcStep(json: Fields): CbmcStep | null {
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
  const fields = fieldsOf(json);
  return textOf(fields.displayName) || textOf(fields.identifier);
}

function valuesOf(json: JsonValue | undefined): CbmcValue[] {
  return Array.isArray(json) ? json.map((value) => cbmcValue(value)) : [];
}

/** Lines are texts in CBMC's output. */
function locationOf(json: JsonValue | undefined): CbmcLocation | null {
  const fields = fieldsOf(json);
  const line = Number(textOf(fields.line));
  const file = textOf(fields.file);
  if (file === "" || file.startsWith("<") || !Number.isInteger(line) || line < 1) return null;
  return { file, line, function: textOf(fields.function) || null };
}

function fieldsOf(json: JsonValue | undefined): Fields {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Fields) : {};
}

function textOf(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : typeof json === "number" ? `${json}` : "";
}
