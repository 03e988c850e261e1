import type { Program } from "../../ir/program.ts";
import { describeRun } from "../../jobs/run/describeRun.ts";
import { type RunResult, runProgram } from "../../trace/run.ts";
import type { RunOptions } from "../../trace/runOptions.ts";
import { recordTrace, type Trace } from "../../trace/trace.ts";
import type { RunRequest } from "../options/runOptions.ts";
import { openOutput } from "../output.ts";
import { packageVersion } from "../version.ts";
import type { Control } from "./control.ts";
import type { EngineMessage } from "./engineMessage.ts";
import { loadRequested, requestedProject, requestedRun } from "./loadRequested.ts";

/** Loads and runs the program. In text format its output and its steps are printed on the way. */
export async function runEngine(request: RunRequest, control: Control): Promise<EngineMessage> {
  const start = performance.now();
  control.report("loading");
  const program = await loadRequested(await requestedProject(request), request, control);
  if (request.dumpIr) return dumpIr(program);
  control.report("running");
  const text = request.format === "text";
  const output = text ? programOutput(request.programOutput) : null;
  const { result, trace } = run(program, request, control, output?.write ?? null);
  output?.end(result);
  const about = { version: packageVersion(), ms: Math.round(performance.now() - start) };
  const report = describeRun(program, result, about);
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  if (trace === null) return { kind: "run", report, sources };
  control.report("printing");
  const { listSteps, printSteps } = await import("./traceOutput.ts");
  if (!text)
    return {
      kind: "run",
      report: { ...report, trace: { ...report.trace, list: listSteps(trace, control.cancellation) } },
      sources,
    };
  printSteps(trace, control.cancellation);
  return { kind: "run", report, sources };
}

async function dumpIr(program: Program): Promise<EngineMessage> {
  const { printProgram } = await import("../../ir/printProgram.ts");
  openOutput(1).write(printProgram(program));
  return { kind: "printed" };
}

function run(
  program: Program,
  request: RunRequest,
  control: Control,
  onOutput: ((bytes: Uint8Array) => void) | null,
): { result: RunResult; trace: Trace | null } {
  const options: RunOptions = { ...requestedRun(request, control), ...(onOutput === null ? {} : { onOutput }) };
  const trace = request.trace ? recordTrace(program, options) : null;
  return { result: trace ?? runProgram(program, options), trace };
}

/** Where the program's output goes while it runs; a rule sets it off from the report. */
function programOutput(mode: RunRequest["programOutput"]) {
  const out = openOutput(1);
  let last = 0;
  return {
    write: (bytes: Uint8Array) => {
      if (mode === "drop" || bytes.length === 0) return;
      out.write(bytes);
      last = bytes[bytes.length - 1]!;
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
