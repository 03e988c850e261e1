import { relative, resolve } from "node:path";
import type { Obligation } from "../cutpoints/obligation.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { createTerms } from "../logic/terms.ts";
import type { RunProof } from "../proof/manifest.ts";
import { type ProofExport, proofFiles, runProof, writeProofFolder } from "../proof/proofFolder.ts";
import { exportedObligations } from "../proof/proveRun.ts";
import { runOf } from "../recordedRun/runOf.ts";
import { symbolsOfRun } from "../recordedRun/symbolsOfRun.ts";
import { targetOf } from "../recordedRun/target.ts";
import type { ProgramRequest } from "./options/programOptions.ts";
import { packageVersion } from "./version.ts";

/** Writes a proof for others to check. */
export function writeProof(
  folder: string,
  request: ProgramRequest & { readonly errorFlag?: boolean },
  project: Project,
  program: Program,
  proof: Pick<ProofExport, "claim" | "obligations" | "attached">,
): void {
  const { entry, dataModel, undefined: missing, subobjectBounds, preprocess } = request;
  const files = proofFiles({
    ...proof,
    version: packageVersion(),
    program,
    project,
    settings: {
      entry,
      dataModel,
      uninitialized: request.uninitialized === "input" ? "input" : "undefined",
      undefined: missing,
      subobjectBounds,
      errorFlag: request.errorFlag ?? false,
      preprocess,
    },
    fromFolder: (path) => relative(resolve(folder), resolve(path)),
  });
  writeProofFolder(folder, files);
}

/** Writes the proof of a folded run, and of what is claimed of other runs. Returns its obligations. */
export function writeRunProof(
  folder: string,
  request: ProgramRequest & { readonly errorFlag?: boolean },
  project: Project,
  trace: Trace,
  { folds, runs }: Pick<RunProof, "folds" | "runs">,
): readonly Obligation[] {
  const run = runOf(trace);
  const obligations = exportedObligations(symbolsOfRun(run, createTerms()), run, folds, runs);
  const claim = runProof(trace, targetOf(run), { folds, runs });
  writeProof(folder, request, project, trace.program, { claim, obligations });
  return obligations;
}
