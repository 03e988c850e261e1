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

/** Writes the proof of a folded run, and of what is claimed of other runs; says in a line what is in the folder, and what is not. */
export function exportProved(
  folder: string,
  request: ProgramRequest,
  project: Project,
  trace: Trace,
  { claims, runs }: Pick<ProofExport, "claims" | "runs">,
): string {
  const proof = triplesFor(trace, claims, runs);
  writeProof(folder, request, project, { trace, claims, runs, ...proof });
  const { length } = proof.triples;
  const what = runs === null ? "of the folded run" : "of the folded run and of the inputs that it fails for";
  return `${folder} has the ${length} condition${length === 1 ? "" : "s"} ${what}, not those between facts`;
}
