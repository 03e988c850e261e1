import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import type { Project } from "../../frontend/project.ts";
import { type CompressedRun, compressRun } from "../../jobs/compress/compressRun.ts";
import { describeCompression } from "../../jobs/compress/describeCompression.ts";
import { exportProof } from "../../proof/exportProof.ts";
import { provedFiles } from "../../proof/provedFiles.ts";
import { recordTrace } from "../../trace/trace.ts";
import type { CompressRequest } from "../options/compressOptions.ts";
import { packageVersion } from "../version.ts";
import type { Control } from "./control.ts";
import type { EngineMessage } from "./engineMessage.ts";
import { loadRequested, requestedProject, requestedRun } from "./loadRequested.ts";

/** Loads and runs the program, folds the failing run's loops, and writes the proof where asked to. */
export async function compressEngine(request: CompressRequest, control: Control): Promise<EngineMessage> {
  const start = performance.now();
  const version = packageVersion();
  if (request.proof !== null) assertWritable(request.proof);
  control.report("loading");
  const project = await requestedProject(request);
  const program = await loadRequested(project, request, control, { errorFlag: request.errorFlag });
  control.report("running");
  const trace = recordTrace(program, requestedRun(request, control));
  const run = compressRun(trace, {
    candidates: request.candidates,
    solver: {
      backend: request.solver,
      ...(request.dumpSmt === null ? {} : { dump: request.dumpSmt }),
    },
    validate: request.validate,
    cancellation: control.cancellation,
    progress: control.report,
  });
  if (request.proof !== null && !run.proof.interrupted) writeProof(request.proof, request, project, run, version);
  control.report("printing");
  const report = describeCompression(run, {
    version,
    ms: Math.round(performance.now() - start),
    ...(request.full ? { steps: "all" } : {}),
  });
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  return { kind: "compress", report, sources };
}

/** Folding may take minutes: that its proof has no place is said before. */
function assertWritable(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) throw cannotWrite(folder, "ENOTDIR");
  try {
    accessSync(existing, constants.W_OK);
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}

function cannotWrite(folder: string, code: string | undefined): TracefoldError {
  return new TracefoldError({
    code: "TF133",
    message: `--proof: cannot write to ${folder} (${code})`,
    help: "Give a folder that may be written to; it need not exist yet.",
  });
}

function writeProof(
  folder: string,
  request: CompressRequest,
  project: Project,
  run: CompressedRun,
  version: string,
): void {
  const { trace, target, claims, proof } = run;
  const fromFolder = (path: string) => relative(resolve(folder), resolve(path));
  const files = exportProof({
    version,
    program: {
      ...provedFiles(project, fromFolder),
      entry: request.entry,
      dataModel: request.dataModel,
      uninitialized: request.uninitialized === "input" ? "input" : "undefined",
      undefined: request.undefined,
      subobjectBounds: request.subobjectBounds,
      errorFlag: request.errorFlag,
      preprocess: request.preprocess,
    },
    fromFolder,
    trace,
    target,
    claims,
    triples: proof.triples,
  });
  try {
    mkdirSync(folder, { recursive: true });
    // Scripts of an earlier, longer proof would look like part of this one.
    for (const name of readdirSync(folder)) if (/^\d+-[\w-]+\.smt2$/.test(name)) rmSync(join(folder, name));
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}
