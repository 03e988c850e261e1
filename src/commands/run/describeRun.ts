import { nth, present } from "../../base/checked.ts";
import { assertNever, TracefoldError } from "../../base/errors.ts";
import { describeObject } from "../../interpreter/describeObject.ts";
import type { Difference } from "../../interpreter/expected.ts";
import type { Machine, RecordedInput } from "../../interpreter/machine.ts";
import { offsetOf } from "../../interpreter/memory/pointer.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { FinishedTest, RunResult } from "../../interpreter/run.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { printType, type Type } from "../../ir/type.ts";
import { type About, describeNotes, describeProgram, jsonNumber, reportHead, solverStats } from "../common/result.ts";
import type { RunInput, RunOutcome, RunReport, TestReport, TestsReport } from "./result.ts";

/** The report of a finished run. A run with too few inputs is an input error, not a result. */
export function describeRun(program: Program, result: RunResult, about: About): RunReport {
  const { outcome, inputs, stdout, stderr, steps } = result;
  const output = Buffer.from(stdout).toString("utf8");
  const exact = Buffer.from(output, "utf8").equals(stdout);
  return {
    ...reportHead("run", about),
    status: statusOf(outcome),
    program: describeProgram(program),
    target: outcome.kind === "assertion" ? { formula: `!(${outcome.text})`, location: outcome.at.range } : null,
    outcome: describeOutcome(program, outcome),
    inputs: inputs.map((input) => describeInput(program, input)),
    output,
    ...(exact ? {} : { outputBase64: Buffer.from(stdout).toString("base64") }),
    ...(stderr.length > 0 ? { errorOutput: Buffer.from(stderr).toString("utf8") } : {}),
    trace: { steps },
    notes: [...describeNotes(program.notes), ...outsideNotes(program, result)],
    stats: solverStats(about),
    unknowns: outcome.kind === "limit" ? [{ reason: outcome.message, where: null, help: outcome.help }] : [],
  };
}

export function describeTests(program: Program, results: readonly FinishedTest[], about: About): TestsReport {
  return {
    ...reportHead("run", about),
    status: results.every(({ passes }) => passes) ? "ok" : "failed",
    program: describeProgram(program),
    tests: results.map((result) => describeTest(program, result)),
    notes: describeNotes(program.notes),
    stats: solverStats(about),
    unknowns: [],
  };
}

export function describeTest(program: Program, { test, passes, outcome, steps }: FinishedTest): TestReport {
  return { name: test.name, passes, outcome: describeOutcome(program, outcome), steps };
}

/** Notes about files outside of the program that it tried to open. */
export function outsideNotes(program: Program, { outsidePaths }: Pick<RunResult, "outsidePaths">): RunReport["notes"] {
  if (outsidePaths.length === 0) return [];
  const message = `the program asked for ${outsidePaths.join(", ")}: outside of its folder there is nothing for it`;
  return [{ message, location: nth(program.functions, program.entry).range }];
}

export function describeInput(program: Program, input: RecordedInput): RunInput {
  const edge = nth(nth(program.functions, input.function).edges, input.edge);
  const type = edge.operation.kind === "input" ? printType(edge.operation.type) : "";
  return { value: jsonNumber(input.value), type, source: input.source, location: edge.range };
}

function statusOf(outcome: Outcome): RunReport["status"] {
  switch (outcome.kind) {
    case "exit":
    case "assumption-violated":
      return "ok";
    case "limit":
      return "unknown";
    default:
      return "failed";
  }
}

export function describeOutcome(program: Program, outcome: Outcome): RunOutcome {
  const at = "at" in outcome ? outcome.at : null;
  const place = {
    location: at?.range ?? null,
    ...(at === null ? {} : { function: nth(program.functions, at.function).name }),
  };
  switch (outcome.kind) {
    case "exit":
      return { kind: "exit", message: `the program exits with status ${outcome.code}`, code: outcome.code, ...place };
    case "assertion":
      return {
        kind: "assertion",
        message: `${outcome.check === undefined ? "assertion" : "check"} failed: ${outcome.text}`,
        ...place,
      };
    case "error-location":
      return { kind: "error-location", message: `error reached: ${outcome.text}`, error: outcome.text, ...place };
    case "abort":
      return { kind: "abort", message: `the program aborts: ${outcome.text}()`, ...place };
    case "assumption-violated":
      return { kind: "assumption", message: `the run ends: assumption ${outcome.text} does not hold`, ...place };
    case "undefined-behaviour":
      return {
        kind: "undefined-behaviour",
        message: `undefined behaviour: ${outcome.message}`,
        behaviour: outcome.problem,
        problem: outcome.message,
        ...place,
      };
    case "wrong-output": {
      const { stream, offset, difference } = outcome;
      return {
        kind: "wrong-output",
        message: describeDifference(stream, difference),
        difference: { stream, offset, ...difference },
        ...place,
      };
    }
    case "wrong-exit": {
      const message = `the program exits with status ${outcome.code}, expected ${outcome.expected}`;
      return { kind: "wrong-exit", message, code: outcome.code, ...place };
    }
    case "limit":
      return { kind: "limit", message: outcome.message, limit: outcome.limit, ...place };
    case "needs-input":
      throw new TracefoldError({
        code: "TF134",
        message: `${outcome.source} reads input ${outcome.given + 1} (${printType(outcome.type)}), but ${given(outcome.given)}`,
        range: outcome.at.range,
        help: "Give more values with --inputs, or let --random-inputs make them up.",
      });
    default:
      return assertNever(outcome, "outcome");
  }
}

/** Describes a difference in one sentence. */
function describeDifference(stream: string, { line, column, expected, found }: Difference): string {
  const what = stream === "stdout" ? "the output" : stream;
  if (found === null) return `${what} ends before line ${line}, expected ${expected ?? "more"}`;
  if (expected === null) return `${what} has a line ${line} that was not expected: ${found}`;
  return `wrong output: line ${line} of ${what} is ${found}, expected ${expected} (column ${column})`;
}

function given(count: number): string {
  return count === 0 ? "none was given" : count === 1 ? "only 1 was given" : `only ${count} were given`;
}

/** Prints a value for people: numbers, and pointers as `&a[2]`, `malloc#12+4`, `null`. */
export function describeValue(program: Program, machine: Machine, type: Type, value: ScalarValue | undefined): string {
  if (value === undefined) return "indeterminate";
  if (type.kind !== "pointer") return `${value}`;
  return describePointer(program, machine, value);
}

function describePointer(program: Program, machine: Machine, value: ScalarValue): string {
  if (typeof value === "bigint" || value === 0) return value === 0 ? "null" : `${value}`;
  const object = describeObject(program, machine.sites, machine.memory, value);
  if (object === null) return `${value}`;
  const offset = offsetOf(value);
  const beyond = offset === 0 ? "" : offset > 0 ? `+${offset}` : `${offset}`;
  switch (object.kind) {
    case "function":
      return nth(program.functions, present(object.function)).name;
    case "literal":
      return `${literalText(nth(program.variables, present(object.variable)).literal)}${beyond}`;
    case "heap":
      return `${object.allocator ?? "heap"}#${object.id}${beyond}`;
    default:
      return addressOf(object.name, object.array, offset, beyond);
  }
}

function addressOf(name: string, array: { elementSize: number } | null, offset: number, beyond: string): string {
  if (array !== null && offset % array.elementSize === 0) return `&${name}[${offset / array.elementSize}]`;
  return `&${name}${beyond}`;
}

function literalText(bytes: Uint8Array | undefined): string {
  const text = Buffer.from(bytes ?? [])
    .toString("latin1")
    .replace(/\0$/, "");
  return JSON.stringify(text.length > 20 ? `${text.slice(0, 19)}…` : text);
}
