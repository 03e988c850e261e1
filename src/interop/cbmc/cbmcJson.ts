import { TracefoldError } from "../../base/errors.ts";
import { createJsonTokenizer, type JsonHandler, type JsonPlace, type JsonTokenizer } from "./jsonTokens.ts";

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** What is said of a property, apart from its trace. */
export type RawResult = {
  readonly property: string;
  readonly description: string;
  readonly status: string;
  readonly hasTrace: boolean;
};

/** What CBMC's output consists of, in its order. Steps of a trace come before the result that they belong to. */
export type RawEvent =
  | { readonly kind: "program"; readonly name: string }
  | { readonly kind: "message"; readonly type: string; readonly text: string }
  | { readonly kind: "trace" }
  | { readonly kind: "step"; readonly json: { readonly [key: string]: JsonValue }; readonly place: JsonPlace }
  | { readonly kind: "result"; readonly result: RawResult }
  | { readonly kind: "status"; readonly status: string };

/**
 * Where in the output the reader is:
 *
 *   top [ message { "result": results [ result { "trace": trace [ step {…} ] } ], "counterexample": trace [ … ] } ]
 *
 * `value` is inside a step, which is built as a whole; `skipped` is everything else.
 */
type Context = "top" | "message" | "results" | "result" | "trace" | "value" | "skipped";

/** Parts of steps that are not read; the contents of arrays and structs can be large. */
const ignoredKeys = new Set(["mode", "thread", "workingDirectory", "width", "elements", "members", "__proto__"]);

type Container = { [key: string]: JsonValue } | JsonValue[];

/** One closure: what each event of the tokenizer does depends on the same stack of contexts. */
export function createCbmcJsonReader(file: string, emit: (event: RawEvent) => void): JsonTokenizer {
  const contexts: Context[] = [];
  /** The objects and arrays of the step that is being built, outermost first, with the key awaited in each. */
  const building: { container: Container; key: string }[] = [];
  let key = "";
  /** The value that comes next is one of a step that nobody asks for. */
  let ignored = false;
  let message: Record<string, string> = {};
  let result: Record<string, string> = {};
  let hasTrace = false;
  let stepPlace: JsonPlace = { offset: 0, line: 1, column: 1 };

  const handler: JsonHandler = {
    openObject: () => enter(false),
    openArray: () => enter(true),
    close: leave,
    key: (name) => {
      const top = building.at(-1);
      if (top === undefined) key = name;
      else {
        top.key = name;
        ignored = ignoredKeys.has(name);
      }
    },
    string: (text) => take(text),
    literal: (text) => take(text === "true" ? true : text === "false" ? false : text === "null" ? null : Number(text)),
    wanted: () => contexts.at(-1) !== "skipped" && !ignored,
  };
  const tokenizer = createJsonTokenizer(handler, (problem, { offset, line, column }) => {
    throw new TracefoldError({
      code: "TF185",
      message: `this is not JSON: ${problem} (byte ${offset})`,
      range: { file, line, column, endLine: line, endColumn: column },
      help: "The file has to be what cbmc --trace --json-ui printed, complete and alone.",
    });
  });
  return tokenizer;

  function enter(isArray: boolean): void {
    const context = ignored ? "skipped" : contextOf(contexts.at(-1), key, isArray);
    ignored = false;
    contexts.push(context);
    if (context === "message") message = {};
    else if (context === "result") {
      result = {};
      hasTrace = false;
    } else if (context === "trace") {
      hasTrace = true;
      emit({ kind: "trace" });
    } else if (context === "value") {
      if (building.length === 0) stepPlace = tokenizer.place();
      const container: Container = isArray ? [] : {};
      if (building.length > 0) put(container);
      building.push({ container, key: "" });
    }
  }

  function leave(): void {
    const context = contexts.pop();
    ignored = false;
    switch (context) {
      case "value": {
        const { container } = building.pop()!;
        if (building.length === 0 && !Array.isArray(container))
          emit({ kind: "step", json: container, place: stepPlace });
        return;
      }
      case "result": {
        const { property = "", description = "", status = "" } = result;
        return emit({ kind: "result", result: { property, description, status, hasTrace } });
      }
      case "message":
        if (message.program !== undefined) emit({ kind: "program", name: message.program });
        if (message.messageText !== undefined)
          emit({ kind: "message", type: message.messageType ?? "", text: message.messageText });
        if (message.cProverStatus !== undefined) emit({ kind: "status", status: message.cProverStatus });
        return;
      default:
        return;
    }
  }

  function take(value: JsonValue): void {
    if (building.length > 0) return put(value);
    if (typeof value !== "string") return;
    if (contexts.at(-1) === "message") message[key] = value;
    else if (contexts.at(-1) === "result") result[key] = value;
  }

  function put(value: JsonValue): void {
    const top = building.at(-1)!;
    if (Array.isArray(top.container)) top.container.push(value);
    else top.container[top.key] = value;
  }
}

function contextOf(parent: Context | undefined, key: string, isArray: boolean): Context {
  switch (parent) {
    case undefined:
      return isArray ? "top" : "message";
    case "top":
      return isArray ? "skipped" : "message";
    case "message":
      if (!isArray) return "skipped";
      return key === "result" ? "results" : key === "counterexample" ? "trace" : "skipped";
    case "results":
      return isArray ? "skipped" : "result";
    case "result":
      return isArray && key === "trace" ? "trace" : "skipped";
    case "trace":
      return isArray ? "skipped" : "value";
    case "value":
      return "value";
    case "skipped":
      return "skipped";
  }
}
