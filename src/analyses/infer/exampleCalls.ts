import { parameter } from "../../concolic/expr.ts";
import type { FunctionRecord } from "../../concolic/summary.ts";
import { isObject, type Recorded } from "../../js/recorder/readLog.ts";
import { type Concrete, unknownValue } from "../../js/recorder/valueRules.ts";

/** A recorded call, for people: `divide(7, 0) throws Error: division by zero`. */
export function exampleCalls({ subject, summaries }: FunctionRecord): readonly string[] {
  const found = new Set<string>();
  for (const { entry, outcome } of summaries) {
    const given = subject.params.map((name) => shown(entry.get(parameter(name).key)?.value ?? unknownValue));
    const call = `${subject.name}(${given.join(", ")})`;
    // What happened to a value that the call did not read is not recorded.
    if (outcome.kind === "throw") found.add(`${call} throws ${outcome.error}`);
    else found.add(outcome.concrete === undefined ? call : `${call} is ${shown(outcome.concrete)}`);
    if (found.size === mostExamples) break;
  }
  return [...found];
}

const mostExamples = 4;
const longestText = 60;

function shown(value: Concrete): string {
  if (value === unknownValue) return "…";
  if (value === undefined || value === null || typeof value !== "object") return primitiveText(value);
  if (isObject(value)) return value.className === "" ? value.kind : value.className;
  return value.kind === "text" ? "a long string" : value.kind;
}

function primitiveText(value: Exclude<Recorded, object>): string {
  if (typeof value !== "string") return Object.is(value, -0) ? "-0" : String(value);
  const text = JSON.stringify(value);
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…"`;
}
