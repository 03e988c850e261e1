import { TracefoldError } from "../../base/errors.ts";
import { rangeBetweenOffsets } from "../../base/sourceFile.ts";

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export type CbmcResult = {
  readonly property: string;
  readonly description: string;
  readonly status: string;
  readonly trace: readonly JsonObject[] | null;
};

/** The parts of CBMC's output that describe runs. */
export type CbmcOutput = {
  readonly results: readonly CbmcResult[];
  /** The only trace of `--stop-on-fail`: it belongs to no result. */
  readonly counterexample: readonly JsonObject[] | null;
  readonly errors: readonly string[];
};

/** Reads what `cbmc --trace --json-ui` printed. */
export function parseCbmcOutput(text: string, file: string): CbmcOutput {
  const json = parseJson(text, file);
  const messages = (Array.isArray(json) ? json : [json]).map(objectOf);
  return {
    results: messages.flatMap((message) => objectsOf(message.result).map(resultOf)),
    counterexample: messages.map((message) => traceOf(message.counterexample)).find((trace) => trace !== null) ?? null,
    errors: messages.filter(({ messageType }) => messageType === "ERROR").map(({ messageText }) => textOf(messageText)),
  };
}

function parseJson(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser gives the position in its message only, and not always.
    const offset = Number(/at position (\d+)/.exec(error.message)?.[1] ?? 0);
    throw new TracefoldError({
      code: "TF185",
      message: `this is not JSON: ${error.message}`,
      range: rangeBetweenOffsets({ path: file, text }, offset, offset),
      help: "The file has to be what cbmc --trace --json-ui printed, complete and alone.",
    });
  }
}

function resultOf(json: JsonObject): CbmcResult {
  return {
    property: textOf(json.property),
    description: textOf(json.description),
    status: textOf(json.status),
    trace: traceOf(json.trace),
  };
}

function traceOf(json: JsonValue | undefined): readonly JsonObject[] | null {
  return Array.isArray(json) ? objectsOf(json) : null;
}

function objectsOf(json: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? json.map(objectOf) : [];
}

export function objectOf(json: JsonValue | undefined): JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as JsonObject) : {};
}

/** Text, also of a number: CBMC writes lines as texts, and some values as either. */
export function textOf(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : typeof json === "number" || typeof json === "boolean" ? `${json}` : "";
}
