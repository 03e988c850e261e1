import { nth } from "../../base/checked.ts";
import type { RunResult } from "../../interpreter/run.ts";
import { type Command, type Given, reportAsJson, type Workplace } from "../command.ts";
import { flag, type Options, optionalChoice, text, usageError } from "../options/option.ts";
import {
  type OutputValues,
  type ProgramRequest,
  programArgument,
  programOptions,
  programRequest,
} from "../options/programOptions.ts";
import { type RequestedTests, requestedTests, testsOptions } from "../options/testOptions.ts";
import { exitCodes, openOutput, packageVersion } from "../output.ts";
import type { RunReport, TestsReport } from "./result.ts";

const options = {
  ...programOptions,
  ...testsOptions,
  test: text("--test <name>", "run this test alone: of --tests, or of a unit-test framework"),
  trace: flag("--trace", "print each step"),
  dump: optionalChoice("--dump <what>", "print the program model instead of running", ["ir"]),
} satisfies Options;

export type RunRequest = ProgramRequest & {
  readonly tests: RequestedTests | null;
  readonly test: string | null;
  readonly trace: boolean;
  readonly dumpIr: boolean;
  readonly format: "text" | "json";
  /** Passes the program's output on, drops it, or separates it from the report by a rule. */
  readonly programOutput: "pass" | "drop" | "rule";
  readonly colours: boolean;
};

/** The program's output and the trace were already printed. */
type RunAnswer =
  | { readonly kind: "ran"; readonly report: RunReport; readonly sources: ReadonlyMap<string, string> }
  | { readonly kind: "tests"; readonly report: TestsReport }
  | { readonly kind: "model"; readonly text: string };

export const run: Command<typeof options, RunRequest, RunAnswer> = {
  name: "run",
  summary: "run a C program and report how the run ends",
  ...programArgument,
  options,
  request: (given) => ({
    ...programRequest(given, given.flags),
    tests: testsToRun(given),
    test: given.flags.test,
    trace: given.flags.trace,
    dumpIr: given.flags.dump === "ir",
    format: given.flags.format as RunRequest["format"],
    programOutput: outputMode(given.flags),
    colours: given.colours,
  }),
  work,
  formats: {
    async text(answer, { paint }) {
      if (answer.kind === "model") return answer.text;
      const { runText, testsText } = await import("../../render/runText.ts");
      if (answer.kind === "tests") return testsText(answer.report, { paint });
      return runText(answer.report, { paint, source: (path) => answer.sources.get(path) ?? null });
    },
    json: async (answer) => (answer.kind === "model" ? answer.text : reportAsJson(answer)),
  },
  exitCode(answer) {
    if (answer.kind === "model" || answer.report.status === "ok") return exitCodes.fine;
    return answer.report.status === "failed" ? exitCodes.programIsWrong : exitCodes.unknown;
  },
};

function testsToRun(given: Given<typeof options>): RequestedTests | null {
  const { tests, test, trace } = given.flags;
  if (tests !== null && test === null && trace) throw usageError("--trace prints one run: choose it with --test");
  return requestedTests(given);
}

function outputMode({ quiet, out }: OutputValues): RunRequest["programOutput"] {
  if (quiet) return "drop";
  return out === null ? "rule" : "pass";
}

async function work(request: RunRequest, at: Workplace): Promise<RunAnswer> {
  const { judgedRun, loadRequested, requestedProject, testSuite } = await import("../request.ts");
  const start = performance.now();
  at.report("loading");
  const program = await loadRequested(await requestedProject(request), request, at, {
    unsupported: "whenReached",
  });
  if (request.dumpIr) {
    const { printProgram } = await import("../../ir/printOperation.ts");
    return { kind: "model", text: printProgram(program) };
  }
  const { frameworkTests, runProgram, runTest } = await import("../../interpreter/run.ts");
  const { recordTrace } = await import("../../interpreter/trace.ts");
  const { describeRun } = await import("./describeRun.ts");
  at.report("running");
  const base = judgedRun(request, at);
  const suite = request.tests === null ? frameworkTests(program, base) : testSuite(program, base, request.tests.list);
  const named = suite.find(({ name }) => name === request.test);
  if (request.test !== null && named === undefined) {
    throw usageError(`--test ${request.test}: there is no such test; give the folder with --tests`);
  }
  const chosen = named?.run ?? base;
  if (suite.length > 0 && named === undefined && !request.trace) {
    const { describeTests } = await import("./describeRun.ts");
    const results = suite.map((test) => runTest(program, test));
    return { kind: "tests", report: describeTests(program, results, aboutRun(start)) };
  }
  const isText = request.format === "text";
  const output = isText ? programOutput(request.programOutput) : null;
  const options = { ...chosen, ...(output === null ? {} : { onOutput: output.write }) };
  const trace = request.trace ? recordTrace(program, options) : null;
  const result = trace ?? runProgram(program, options);
  output?.end(result);
  const report = describeRun(program, result, aboutRun(start));
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  if (trace === null) return { kind: "ran", report, sources };
  at.report("printing");
  const { listSteps, printSteps } = await import("../traceOutput.ts");
  if (isText) {
    printSteps(trace, at.cancellation, request.colours);
    return { kind: "ran", report, sources };
  }
  const list = listSteps(trace, at.cancellation);
  return { kind: "ran", report: { ...report, trace: { ...report.trace, list } }, sources };
}

function aboutRun(start: number) {
  return { version: packageVersion(), ms: Math.round(performance.now() - start) };
}

/** The stream for the program's output; a rule separates it from the report. */
function programOutput(mode: RunRequest["programOutput"]) {
  const out = openOutput(1);
  let last = 0;
  return {
    write: (bytes: Uint8Array) => {
      if (mode === "drop" || bytes.length === 0) return;
      out.write(bytes);
      last = nth(bytes, bytes.length - 1);
    },
    end: ({ stderr }: RunResult) => {
      if (mode === "drop") return;
      if (stderr.length > 0) openOutput(2).write(stderr);
      if (last !== 0 && last !== NEWLINE) out.write("\n");
      if (last !== 0 && mode === "rule") out.write("---\n");
    },
  };
}

const NEWLINE = 0x0a;
