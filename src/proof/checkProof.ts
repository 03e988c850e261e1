import { targetOf } from "../analysis/compress/target.ts";
import { TracefoldError } from "../base/errors.ts";
import { loadC } from "../frontend/c/loadC.ts";
import type { Program } from "../ir/program.ts";
import { parseInputs } from "../trace/inputs.ts";
import { recordTrace, type Trace } from "../trace/trace.ts";
import { scriptNames } from "./exportProof.ts";
import type { ProofManifest } from "./manifest.ts";
import { printSmtLibScript } from "./printSmtLibScript.ts";
import { type CheckOptions, type ProofCheck, proveRun } from "./proveRun.ts";

export type CheckedProof = ProofCheck & {
  readonly program: Program;
  readonly trace: Trace;
  readonly target: { readonly text: string; readonly range: ReturnType<typeof targetOf>["range"] };
  /** Scripts beside the manifest that are not what the program, the run and the claims give. */
  readonly scripts: readonly { readonly name: string; readonly problem: "differs" | "missing" }[];
};

export type CheckProofOptions = CheckOptions & {
  /** The program's file; the manifest's path from its own folder by default is for the caller to resolve. */
  readonly programPath: string;
  readonly includeFolders: readonly string[];
  /** The text of a script beside the manifest, or null. */
  readScript(name: string): string | null;
  progress?(what: "loading" | "running" | "checking"): void;
};

/**
 * Checks a proof that someone hands over: loads the program, runs it with the recorded inputs, rebuilds every triple
 * from the two and the claims, and asks solvers about each. Nothing of what the manifest says is believed.
 */
export async function checkProof(manifest: ProofManifest, options: CheckProofOptions): Promise<CheckedProof> {
  options.progress?.("loading");
  const program = await loadProved(manifest, options);
  options.progress?.("running");
  const trace = recordProved(manifest, program);
  const target = targetOf(trace);
  options.progress?.("checking");
  const check = proveRun(trace, manifest.claims, options);
  const names = scriptNames(check.triples);
  const scripts = check.triples.flatMap((triple, i): CheckedProof["scripts"] => {
    const text = options.readScript(names[i]!);
    if (text === null) return [{ name: names[i]!, problem: "missing" }];
    return text === printSmtLibScript(triple) ? [] : [{ name: names[i]!, problem: "differs" }];
  });
  return { ...check, program, trace, target: { text: target.text, range: target.range }, scripts };
}

async function loadProved(manifest: ProofManifest, options: CheckProofOptions): Promise<Program> {
  const { entry, dataModel, uninitialized, errorFlag, preprocess, defines, sha256 } = manifest.program;
  const program = await loadC(options.programPath, {
    entry,
    dataModel,
    uninitialized,
    errorFlag,
    preprocess,
    includeFolders: options.includeFolders,
    defines,
  });
  const changed = program.files.find((file, i) => file.sha256 !== sha256[i]);
  if (changed !== undefined || program.files.length !== sha256.length) {
    throw otherProgram(`${changed?.path ?? options.programPath} is not what the proof is about: it was changed`);
  }
  return program;
}

function recordProved(manifest: ProofManifest, program: Program): Trace {
  const { inputs, arguments: args, programName, stdinBase64, undefinedBehaviour, steps } = manifest.run;
  const trace = recordTrace(program, {
    inputs: parseInputs(inputs.join(",")),
    args,
    ...(programName === null ? {} : { programName }),
    stdin: Buffer.from(stdinBase64, "base64"),
    undefinedBehaviour,
    // Enough to see that a run is longer than the proof says.
    maxSteps: steps + 100_000,
  });
  if (trace.steps !== steps) throw otherProgram(`the run has ${trace.steps} steps, not ${steps} as the proof says`);
  return trace;
}

function otherProgram(message: string): TracefoldError {
  return new TracefoldError({
    code: "TF147",
    message,
    help: "Make the proof again: tracefold compress FILE --proof DIR.",
  });
}
