import { assertNever, TracefoldError } from "../../base/errors.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import { type CbmcInput, collectInputs, type InputCollector, type InputSite } from "./cbmcInputs.ts";
import type { RawResult } from "./cbmcJson.ts";
import { type CbmcLocation, type CbmcStep, type Chunks, readCbmcEvents } from "./cbmcTrace.ts";

/** A failing run as CBMC found it. */
export type CbmcRun = {
  /** `CBMC 6.3.1`, or empty. */
  readonly producer: string;
  /** `main.assertion.1`. */
  readonly property: string;
  readonly reason: string;
  /** Where the trace fails. */
  readonly location: CbmcLocation | null;
  /** Nondeterministic reads in their order. */
  readonly inputs: readonly CbmcInput[];
  /** What the entry function was called with, where CBMC chose it: `argc`, the parameters of `--function f`. */
  readonly parameters: readonly CbmcInput[];
  /** Steps of the trace that are not CBMC's own. */
  readonly steps: number;
  /** The file's other failing properties that have a trace. */
  readonly others: readonly string[];
};

export type ReadCbmcOptions = {
  /** The file's name, for messages. */
  readonly file: string;
  /** Which failing property; by default the first. */
  readonly property?: string | undefined;
  /** Lines of the program with a nondeterministic read: see `collectInputs`. */
  readonly sites?: readonly InputSite[];
  /** Sees every step of every trace on the way. */
  readonly onStep?: (step: CbmcStep) => void;
};

type Trace = {
  readonly inputs: InputCollector;
  readonly parameters: CbmcInput[];
  steps: number;
  failure: (CbmcStep & { kind: "failure" }) | null;
};

type Failing = { readonly name: string; readonly description: string; readonly trace: Trace };

/** Reads a CBMC output of any size and picks the run of one failing property. */
export async function readCbmcRun(chunks: Chunks, options: ReadCbmcOptions): Promise<CbmcRun> {
  const { file, property, sites = [], onStep } = options;
  let producer = "";
  let trace: Trace | null = null;
  let chosen: Failing | null = null;
  const failing: string[] = [];
  const results: RawResult[] = [];
  const errors: string[] = [];
  const finish = (name: string, description: string) => {
    if (trace !== null) {
      failing.push(name);
      if (chosen === null && (property === undefined || property === name)) chosen = { name, description, trace };
    }
    trace = null;
  };
  for await (const event of readCbmcEvents(chunks, file)) {
    switch (event.kind) {
      case "program":
        producer = event.name.replace(/ \(.*$/, "");
        break;
      case "message":
        if (event.type === "ERROR") errors.push(event.text);
        break;
      case "trace":
        trace = { inputs: collectInputs(sites), parameters: [], steps: 0, failure: null };
        break;
      case "step":
        onStep?.(event.step);
        if (trace !== null) takeStep(trace, event.step);
        break;
      case "result":
        results.push(event.result);
        if (event.result.status === "FAILURE") finish(event.result.property, event.result.description);
        trace = null;
        break;
      case "status":
        break;
      default:
        assertNever(event);
    }
    // The one trace of `--stop-on-fail` stands alone and names its property only in its last step.
    if (event.kind === "step" && event.step.kind === "failure" && trace !== null) trace.failure = event.step;
  }
  const alone = trace as Trace | null;
  if (alone?.failure) finish(alone.failure.property, alone.failure.reason);
  const run = chosen as Failing | null;
  if (run === null) return noRun(options, failing, results, errors);
  return {
    producer,
    property: run.name,
    reason: run.trace.failure?.reason ?? run.description,
    location: run.trace.failure?.location ?? null,
    inputs: run.trace.inputs.inputs(),
    parameters: run.trace.parameters,
    steps: run.trace.steps,
    others: failing.filter((name) => name !== run.name),
  };
}

function takeStep(trace: Trace, step: CbmcStep): void {
  trace.steps++;
  trace.inputs.step(step);
  if (step.kind !== "input") return;
  const [value] = step.values;
  if (value !== undefined) trace.parameters.push({ name: step.name, value, location: step.location });
}

function noRun(
  { file, property }: ReadCbmcOptions,
  failing: readonly string[],
  results: readonly RawResult[],
  errors: readonly string[],
): never {
  const range = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  if (property !== undefined && failing.length > 0) {
    throw new TracefoldError({
      code: "TF187",
      message: `no failing trace of property ${property}`,
      range,
      help: `Properties with one: ${failing.join(", ")}.`,
    });
  }
  const failed = results.filter(({ status }) => status === "FAILURE").length;
  const [message, help] =
    errors.length > 0
      ? [`CBMC ended with an error: ${errors[0]}`, "Run cbmc again on a program that it accepts."]
      : failed > 0
        ? ["properties fail, but no trace says how", "Run cbmc with --trace."]
        : results.length > 0
          ? ["no property fails", "Without a failing run there is nothing to explain."]
          : ["there is no result of CBMC in this file", "Run cbmc with --trace --json-ui and keep what it prints."];
  throw new TracefoldError({ code: "TF186", message, range, help });
}

/**
 * The inputs as a run takes them. An array, struct or non-null pointer has no value that could be given to a run; its
 * position (from 1) is in the error.
 */
export function inputValues(inputs: readonly CbmcInput[], file: string): InputValue[] {
  return inputs.map(({ name, value, location }, index) => {
    if (value.kind === "integer" || value.kind === "float") return value.value;
    if (value.kind === "pointer" && value.isNull) return 0n;
    const where = location === null ? "" : ` at ${location.file}:${location.line}`;
    throw new TracefoldError({
      code: "TF188",
      message: `input ${index + 1} of the trace, ${name}${where}, has no numeric value`,
      range: { file, line: 1, column: 1, endLine: 1, endColumn: 1 },
      help: "Give the inputs with --inputs instead.",
    });
  });
}
