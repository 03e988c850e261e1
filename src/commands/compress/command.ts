import { Defect } from "../../base/errors.ts";
import { type Command, reportAsJson, type Workplace } from "../command.ts";
import type { Explained } from "../explain/result.ts";
import { flag, type Options, text, type Values } from "../options/option.ts";
import {
  openIfAsked,
  type PageRequest,
  type ProgramRequest,
  pageLine,
  pageOptions,
  pageRequest,
  programArgument,
  programOptions,
  programRequest,
} from "../options/programOptions.ts";
import {
  candidatesOption,
  type SolverRequest,
  solverChoice,
  solverOptions,
  solverRequest,
} from "../options/solverOptions.ts";
import { exitCodes, packageVersion } from "../output.ts";

const options = {
  ...programOptions,
  errorFlag: flag("--error-flag", "an error sets err = 1 and the run goes on; the target is err == 1 at its end"),
  candidates: candidatesOption("what invariants are made of: the paper's candidates, or more"),
  ...solverOptions("who searches for invariants"),
  proof: text(
    "--proof <folder>",
    "write the proof to a folder for tracefold check, with SMT-LIB scripts and a Coq file",
  ),
  full: flag("--full", "print all remaining steps"),
  ...pageOptions,
} satisfies Options;

type CompressRequest = ProgramRequest &
  SolverRequest &
  PageRequest &
  Pick<Values<typeof options>, "errorFlag" | "candidates" | "proof" | "full">;

type CompressAnswer = { readonly report: Explained; readonly sources: ReadonlyMap<string, string> };

export const compress: Command<typeof options, CompressRequest, CompressAnswer> = {
  name: "compress",
  summary: "fold the loops of a failing run into invariants, with proof",
  ...programArgument,
  options,
  request(given) {
    const { errorFlag, candidates, proof, full } = given.flags;
    return {
      ...programRequest(given, given.flags),
      ...solverRequest(given.flags),
      ...pageRequest(given.flags),
      ...{ errorFlag, candidates, proof, full },
    };
  },
  work,
  formats: {
    async text({ report, sources }, { paint, request }) {
      const { compressText, isFolded } = await import("../../render/compressText.ts");
      const source = (path: string) => sources.get(path) ?? null;
      if (!isFolded(report)) throw new Defect("a compressed run has no folding");
      const options = { paint, source, ...(request.full ? { full: true } : {}) };
      return compressText(report, options) + pageLine(request, paint);
    },
    json: reportAsJson,
  },
  exitCode: ({ report }) => (report.status === "ok" ? exitCodes.fine : exitCodes.unknown),
  async finish(_, { flags, request }, user) {
    await openIfAsked(request, flags, user);
    return exitCodes.fine;
  },
};

/** Loads and runs the program, folds the loops of the failing run, and writes the proof if requested. */
async function work(request: CompressRequest, at: Workplace): Promise<CompressAnswer> {
  const start = performance.now();
  const { assertWritable } = await import("../../proof/proofFolder.ts");
  if (request.proof !== null) assertWritable(request.proof);
  at.report("loading");
  const { loadRequested, requestedProject, requestedRun } = await import("../request.ts");
  const project = await requestedProject(request);
  const program = await loadRequested(project, request, at, {
    errorFlag: request.errorFlag,
    unsupported: "whenReached",
  });
  at.report("running");
  const { recordTrace } = await import("../../interpreter/trace.ts");
  const trace = recordTrace(program, requestedRun(request, at));
  const { compressRun } = await import("./pipeline.ts");
  const run = compressRun(trace, {
    candidates: request.candidates,
    solver: solverChoice(request),
    validate: request.validate,
    cancellation: at.cancellation,
    progress: at.report,
  });
  if (request.proof !== null && !run.proof.interrupted) {
    const { writeProof } = await import("../writeFiles.ts");
    const { runProof } = await import("../../proof/proofFolder.ts");
    const claim = runProof(trace, run.target, { folds: run.claims, runs: null });
    writeProof(request.proof, request, project, program, { claim, obligations: run.proof.obligations });
  }
  at.report("printing");
  const { describeCompression } = await import("../explain/describeFolding.ts");
  const report = describeCompression(run, {
    version: packageVersion(),
    ms: Math.round(performance.now() - start),
    ...(request.full ? { steps: "all" } : {}),
  });
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  if (request.page !== null) {
    at.report("writing the page");
    const { writeRunPage } = await import("../writeRunPage.ts");
    await writeRunPage(request.page, { report, sources }, trace);
  }
  return { report, sources };
}
