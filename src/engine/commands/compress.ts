import type { CompressReport } from "../../jobs/compress/compressReport.ts";
import { type Command, type OutputFlags, reportAsJson, type Workplace } from "../command.ts";
import { exitCodes } from "../exitCodes.ts";
import {
  type ProgramFlags,
  type ProgramRequest,
  programArgument,
  programOptions,
  programRequest,
} from "../options/programOptions.ts";
import {
  candidatesOption,
  checkOption,
  dumpOption,
  type SolverFlags,
  type SolverRequest,
  solverChoice,
  solverOption,
  solverRequest,
} from "../options/solverOptions.ts";
import { packageVersion } from "../version.ts";

type CompressFlags = ProgramFlags &
  SolverFlags &
  OutputFlags & {
    readonly errorFlag?: boolean;
    readonly candidates: string;
    readonly proof?: string;
    readonly full?: boolean;
  };

type CompressRequest = ProgramRequest &
  SolverRequest & {
    readonly errorFlag: boolean;
    readonly candidates: "canonical" | "extended";
    /** Where the proof is written. */
    readonly proof: string | null;
    /** Every step that is left is listed. */
    readonly full: boolean;
  };

type CompressAnswer = { readonly report: CompressReport; readonly sources: ReadonlyMap<string, string> };

/** `tracefold compress`: folds the loops of a failing run. The exit code is 0 when the result is proved. */
export const compress: Command<CompressFlags, CompressRequest, CompressAnswer> = {
  name: "compress",
  summary: "fold the loops of a failing run into invariants, with proof",
  ...programArgument,
  options: [
    ...programOptions,
    { flags: "--error-flag", help: "an error sets err = 1 and the run goes on; the target is err == 1 at its end" },
    candidatesOption("what invariants are made of: the paper's candidates, or more"),
    solverOption("who searches for invariants"),
    { flags: "--proof <folder>", help: "write the proof there: SMT-LIB scripts, a Coq file, and what check reads" },
    checkOption,
    dumpOption(),
    { flags: "--full", help: "print every step that is left, however many" },
  ],
  request: (given) => ({
    ...programRequest(given),
    ...solverRequest(given.flags),
    errorFlag: given.flags.errorFlag ?? false,
    candidates: given.flags.candidates as CompressRequest["candidates"],
    proof: given.flags.proof ?? null,
    full: given.flags.full ?? false,
  }),
  work,
  formats: {
    async text({ report, sources }, { paint, request }) {
      const { compressText } = await import("../../report/compressText.ts");
      const source = (path: string) => sources.get(path) ?? null;
      return compressText(report, { paint, source, ...(request.full ? { full: true } : {}) });
    },
    json: reportAsJson,
  },
  isGood: ({ report }) => report.status === "ok",
  exitCode: ({ report }) => (report.status === "ok" ? exitCodes.fine : exitCodes.unknown),
};

/** Loads and runs the program, folds the failing run's loops, and writes the proof where asked to. */
async function work(request: CompressRequest, at: Workplace): Promise<CompressAnswer> {
  const start = performance.now();
  const { assertWritable } = await import("../../proof/proofFolder.ts");
  if (request.proof !== null) assertWritable(request.proof);
  at.report("loading");
  const { loadRequested, requestedProject, requestedRun } = await import("../requestedProgram.ts");
  const project = await requestedProject(request);
  const program = await loadRequested(project, request, at, {
    errorFlag: request.errorFlag,
    unsupported: "whenReached",
  });
  at.report("running");
  const { recordTrace } = await import("../../interpreter/trace.ts");
  const trace = recordTrace(program, requestedRun(request, at));
  const { compressRun } = await import("../../jobs/compress/compressRun.ts");
  const run = compressRun(trace, {
    candidates: request.candidates,
    solver: solverChoice(request),
    validate: request.validate,
    cancellation: at.cancellation,
    progress: at.report,
  });
  if (request.proof !== null && !run.proof.interrupted) {
    const { writeProof } = await import("../writeProof.ts");
    const { runProof } = await import("../../proof/proofFolder.ts");
    const claim = runProof(trace, run.target, { folds: run.claims, runs: null });
    writeProof(request.proof, request, project, program, { claim, obligations: run.proof.obligations });
  }
  at.report("printing");
  const { describeCompression } = await import("../../jobs/compress/describeCompression.ts");
  const report = describeCompression(run, {
    version: packageVersion(),
    ms: Math.round(performance.now() - start),
    ...(request.full ? { steps: "all" } : {}),
  });
  return { report, sources: new Map(program.files.map((file) => [file.path, file.text])) };
}
