import { relative, resolve } from "node:path";
import type { Project } from "../frontend/project.ts";
import { exportProof, type ProofExport } from "../proof/exportProof.ts";
import { writeProofFolder } from "../proof/proofFolder.ts";
import { provedFiles } from "../proof/provedFiles.ts";
import { triplesFor } from "../proof/proveExported.ts";
import type { Trace } from "../trace/trace.ts";
import type { ProgramRequest } from "./options/programOptions.ts";
import { packageVersion } from "./version.ts";

/** Writes a proof for others to check. */
export function writeProof(
  folder: string,
  request: ProgramRequest & { readonly errorFlag?: boolean },
  project: Project,
  proof: Pick<ProofExport, "trace" | "target" | "claims" | "runs" | "triples">,
): void {
  const fromFolder = (path: string) => relative(resolve(folder), resolve(path));
  const files = exportProof({
    ...proof,
    version: packageVersion(),
    program: {
      ...provedFiles(project, fromFolder),
      entry: request.entry,
      dataModel: request.dataModel,
      uninitialized: request.uninitialized === "input" ? "input" : "undefined",
      undefined: request.undefined,
      subobjectBounds: request.subobjectBounds,
      errorFlag: request.errorFlag ?? false,
      preprocess: request.preprocess,
    },
    fromFolder,
  });
  writeProofFolder(folder, files);
}

/** Writes the proof of a folded run, and of what is claimed of other runs. */
export function exportProved(
  folder: string,
  request: ProgramRequest,
  project: Project,
  trace: Trace,
  { claims, runs }: Pick<ProofExport, "claims" | "runs">,
): void {
  writeProof(folder, request, project, { trace, claims, runs, ...triplesFor(trace, claims, runs) });
}
