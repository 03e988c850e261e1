import { TracefoldError } from "../../base/errors.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import { type CbmcInput, collectInputs, type InputSite } from "./cbmcInputs.ts";
import { type CbmcOutput, parseCbmcOutput } from "./cbmcOutput.ts";
import { type CbmcLocation, type CbmcStep, cbmcSteps } from "./cbmcTrace.ts";

export type CbmcRun = {
  /** `main.assertion.1`. */
  readonly property: string;
  readonly reason: string;
  /** The place of the failure. */
  readonly location: CbmcLocation | null;
  /** Nondeterministic reads in their order. */
  readonly inputs: readonly CbmcInput[];
};

export type ReadCbmcOptions = {
  /** The file's name, for messages. */
  readonly file: string;
  /** Which failing property; by default the first. */
  readonly property?: string | undefined;
  /** Lines of the program with a nondeterministic read: see `collectInputs`. */
  readonly sites?: readonly InputSite[];
};

type Failing = { readonly property: string; readonly description: string; readonly steps: readonly CbmcStep[] };

/** Picks the run of one failing property from the output of CBMC. */
export function readCbmcRun(text: string, options: ReadCbmcOptions): CbmcRun {
  const output = parseCbmcOutput(text, options.file);
  const failing = failingTraces(output);
  const run = failing.find(({ property }) => options.property === undefined || options.property === property);
  if (run === undefined) return noRun(options, failing, output);
  const failure = run.steps.findLast((step) => step.kind === "failure");
  const collector = collectInputs(options.sites ?? []);
  for (const step of run.steps) collector.step(step);
  return {
    property: run.property,
    reason: failure?.reason ?? run.description,
    location: failure?.location ?? null,
    inputs: collector.inputs(),
  };
}

function failingTraces({ results, counterexample }: CbmcOutput): Failing[] {
  const failing = results.flatMap(({ property, description, status, trace }): Failing[] =>
    status === "FAILURE" && trace !== null ? [{ property, description, steps: cbmcSteps(trace) }] : [],
  );
  // The one trace of `--stop-on-fail` stands alone and names its property only in its last step.
  const alone = counterexample === null ? [] : cbmcSteps(counterexample);
  const failure = alone.findLast((step) => step.kind === "failure");
  if (failure === undefined) return failing;
  return [...failing, { property: failure.property, description: failure.reason, steps: alone }];
}

function noRun(
  { file, property }: ReadCbmcOptions,
  failing: readonly Failing[],
  { results, errors }: CbmcOutput,
): never {
  const range = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  if (property !== undefined && failing.length > 0) {
    throw new TracefoldError({
      code: "TF187",
      message: `no failing trace of property ${property}`,
      range,
      help: `Properties with one: ${failing.map((each) => each.property).join(", ")}.`,
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
    if (value !== null) return value;
    const where = location === null ? "" : ` at ${location.file}:${location.line}`;
    throw new TracefoldError({
      code: "TF188",
      message: `input ${index + 1} of the trace, ${name}${where}, has no numeric value`,
      range: { file, line: 1, column: 1, endLine: 1, endColumn: 1 },
      help: "Give the inputs with --inputs instead.",
    });
  });
}
