import type { Target } from "../model/target.ts";
import type { Trace } from "../trace/trace.ts";
import type { FoldClaim } from "./claim.ts";
import { coqName, type ExportedTriple, manifestName, type ProofManifest, type ProvedProgram } from "./manifest.ts";
import { printCoq, whyNotInCoq } from "./printCoq.ts";
import { printSmtLibScript } from "./printSmtLibScript.ts";
import type { RunsClaim } from "./runsClaim.ts";
import type { Triple } from "./triple.ts";

export type ProofExport = {
  readonly version: string;
  /** How the program was loaded; what was read is filled in from the program. */
  readonly program: Omit<ProvedProgram, "read">;
  /** A path as it looks from the manifest's folder. */
  fromFolder(path: string): string;
  readonly trace: Trace;
  readonly target: Target;
  readonly claims: readonly FoldClaim[];
  /** What is claimed of other runs. */
  readonly runs: RunsClaim | null;
  readonly triples: readonly Triple[];
};

/** The files of a proof, by name: one script for each triple, one Coq file, the manifest. */
export function exportProof(proof: ProofExport): ReadonlyMap<string, string> {
  const { trace, target, triples } = proof;
  const { settings } = trace;
  const files = new Map(filesForOthers(triples));
  const manifest: ProofManifest = {
    schema: 3,
    tool: { name: "tracefold", version: proof.version },
    program: {
      ...proof.program,
      read: trace.program.files.map(({ path, sha256 }) => ({
        // `<library>/…` is in no folder.
        path: path.startsWith("<") ? path : proof.fromFolder(path),
        sha256,
      })),
    },
    run: {
      inputs: trace.inputs.map(({ value }) => (Object.is(value, -0) ? "-0.0" : `${value}`)),
      arguments: settings.args,
      programName: settings.programName,
      stdinBase64: Buffer.from(settings.stdin).toString("base64"),
      undefinedBehaviour: settings.undefinedBehaviour,
      steps: trace.steps,
    },
    target: { formula: target.text, file: target.range.file, line: target.range.line },
    claims: proof.claims,
    runs: proof.runs,
    triples: listTriples(triples),
  };
  files.set(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

/** The scripts and the Coq file: the same triples for whoever does not want to rely on our checker. */
export function filesForOthers(triples: readonly Triple[]): ReadonlyMap<string, string> {
  const names = scriptNames(triples);
  return new Map([
    ...triples.map((triple, i) => [names[i]!, printSmtLibScript(triple)] as const),
    [coqName, printCoq(triples)],
  ]);
}

export function listTriples(triples: readonly Triple[]): readonly ExportedTriple[] {
  const names = scriptNames(triples);
  return triples.map((triple, i) => ({
    name: triple.name,
    text: triple.text,
    script: names[i]!,
    coq: whyNotInCoq(triple) ?? true,
  }));
}

/** `03-loop1-body-2.smt2`: in the order of the proof. */
function scriptNames(triples: readonly Triple[]): readonly string[] {
  const digits = `${triples.length}`.length;
  return triples.map(({ name }, i) => `${`${i + 1}`.padStart(digits, "0")}-${name}.smt2`);
}
