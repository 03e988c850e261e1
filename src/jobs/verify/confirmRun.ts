import { TracefoldError } from "../../base/errors.ts";
import { behavioursOf, overflowOf, type Property } from "../../cutpoints/property.ts";
import type { UnwrittenMemory } from "../../cutpoints/unroll.ts";
import { type InputRequest, type InputSource, type InputValue, randomInputs } from "../../interpreter/inputs.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";

/** Is this how a run violates the property? */
export function violates(property: Property, outcome: Outcome): boolean {
  if (outcome.kind === "undefined-behaviour") return behavioursOf(property).has(outcome.problem);
  if (property !== "assert" && property !== "all") return false;
  return outcome.kind === "assertion" || outcome.kind === "error-location";
}

export type ConfirmOptions = {
  readonly property: Property;
  readonly run: Omit<RunOptions, "inputs" | "undefinedBehaviour">;
  /** Values of memory that was never written, as far as the engine knows. */
  readonly memory?: UnwrittenMemory;
};

/** Memory that nothing was written to is drawn: the values that an engine knows are those of the program's own reads. */
const attempts = 6;
const mostSteps = 20_000_000;

/** The run with these inputs, if it violates the property; nothing else makes a program unsafe. */
export function confirmRun(
  program: Program,
  inputs: readonly InputValue[],
  { property, run, memory }: ConfirmOptions,
): Trace | null {
  for (let i = 0; i < attempts; i++) {
    let drawn = 0;
    let isDrawn = false;
    const source: InputSource = (request) => {
      if (request.memory !== undefined) {
        drawn++;
        const { memory: place } = request;
        const known =
          place === undefined || place.variable === null ? undefined : memory?.(place.variable, place.offset);
        if (known !== undefined && fits(known, request)) return known;
        isDrawn = true;
        return i === 0 ? nothing(request) : randomInputs(i)(request);
      }
      const value = inputs[request.index - drawn];
      return value === undefined || !fits(value, request) ? nothing(request) : value;
    };
    const options = { ...run, inputs: source, undefinedBehaviour: overflowOf(property), maxSteps: mostSteps };
    const trace = tryRun(program, options);
    if (trace !== null && violates(property, trace.outcome)) return trace;
    if (!isDrawn) return null;
  }
  return null;
}

function nothing({ type, within }: InputRequest): InputValue {
  if (type.kind === "float") return 0;
  return within !== null && (within[0] > 0n || within[1] < 0n) ? within[0] : 0n;
}

function fits(value: InputValue, { type, within }: InputRequest): boolean {
  if (type.kind === "float") return true;
  return typeof value === "bigint" && (within === null || (value >= within[0] && value <= within[1]));
}

/** A value that does not fit its type is no run. */
function tryRun(program: Program, options: RunOptions): Trace | null {
  try {
    return recordTrace(program, options);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}
