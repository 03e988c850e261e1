import { basename } from "node:path";
import { assertWanted } from "../base/assertWanted.ts";
import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { Defect, TracefoldError } from "../base/errors.ts";
import { loadProject } from "../frontend/loadProject.ts";
import type { Program } from "../ir/program.ts";
import { createTerms } from "../logic/terms.ts";
import { type Target, targetOf } from "../model/target.ts";
import type { Run } from "../run/run.ts";
import { runOf } from "../run/runOf.ts";
import { symbolsOfRun } from "../run/symbolsOfRun.ts";
import type { BackendChoice } from "../solver/findBackends.ts";
import { parseInputs } from "../trace/inputs.ts";
import { recordTrace, type Trace } from "../trace/trace.ts";
import { buildTriples } from "./buildTriples.ts";
import { startCheckers } from "./checkers.ts";
import type { FoldClaim } from "./claim.ts";
import { filesForOthers, listTriples } from "./exportProof.ts";
import { manifestName, type ProofManifest } from "./manifest.ts";
import { provedProject } from "./provedFiles.ts";
import { proveExported } from "./proveExported.ts";
import type { CheckOptions, ProofCheck } from "./proveRun.ts";

export type CheckedProof = ProofCheck & {
  readonly program: Program;
  readonly trace: Trace;
  readonly target: { readonly text: string; readonly range: ReturnType<typeof targetOf>["range"] };
  /** Files beside the manifest, or its own list of triples, that are not what the program, the run and the claims give. */
  readonly scripts: readonly { readonly name: string; readonly problem: "differs" | "missing" }[];
  /** Files beside the manifest that are no part of the proof: nobody has looked at them. */
  readonly others: readonly string[];
};

export type CheckProofOptions = {
  /** Which solvers to ask; see `startCheckers`. */
  readonly checkers?: readonly BackendChoice[];
  readonly cancellation?: Cancellation;
  /** Turns a path of the manifest, which is relative to its folder, into one that can be opened. */
  fromManifest(path: string): string;
  /** The text of a file beside the manifest, or null. */
  readScript(name: string): string | null;
  /** The names of all files beside the manifest. */
  readonly listed?: readonly string[];
  progress?(what: "loading" | "running" | "checking"): void;
};

/**
 * Checks a proof that someone hands over: loads the program, runs it with the recorded inputs, rebuilds every triple
 * from the two and the claims, and asks solvers about each. Nothing of what the manifest says is believed.
 */
export async function checkProof(manifest: ProofManifest, options: CheckProofOptions): Promise<CheckedProof> {
  const { cancellation = neverCancelled } = options;
  const checkers = startCheckers(options.checkers, { cancellation });
  try {
    return await checkWith({ checkers, cancellation }, manifest, options);
  } finally {
    checkers.dispose();
  }
}

async function checkWith(
  by: Required<CheckOptions>,
  manifest: ProofManifest,
  options: CheckProofOptions,
): Promise<CheckedProof> {
  options.progress?.("loading");
  const program = await loadProved(manifest, options);
  options.progress?.("running");
  const trace = recordProved(manifest, program, by.cancellation);
  const run = runOf(trace);
  const target = targetOf(run);
  assertTarget(manifest, target);
  options.progress?.("checking");
  const check = proveClaimed(run, manifest, by);
  const scripts: { name: string; problem: "differs" | "missing" }[] = [];
  if (JSON.stringify(manifest.triples) !== JSON.stringify(listTriples(check.triples))) {
    scripts.push({ name: manifestName, problem: "differs" });
  }
  for (const [name, expected] of filesForOthers(check.triples)) {
    const text = options.readScript(name);
    if (text !== expected) scripts.push({ name, problem: text === null ? "missing" : "differs" });
  }
  const known = new Set([manifestName, ...filesForOthers(check.triples).keys()]);
  const others = (options.listed ?? []).filter((name) => !known.has(name)).sort();
  return { ...check, program, trace, target: { text: target.text, range: target.range }, scripts, others };
}

async function loadProved(manifest: ProofManifest, options: CheckProofOptions): Promise<Program> {
  const { uninitialized, undefined: missing, subobjectBounds, errorFlag, preprocess, read } = manifest.program;
  const project = await provedProject(manifest.program, options.fromManifest);
  // The run that was proved does not come to what is not supported, or there would be no proof.
  const unsupported = "whenReached";
  const meaning = { uninitialized, undefined: missing, unsupported, subobjectBounds, errorFlag, preprocess } as const;
  const program = await loadProject(project, meaning);
  const changed = program.files.find((file, i) => file.sha256 !== read[i]?.sha256);
  if (changed !== undefined || program.files.length !== read.length) {
    const path = changed?.path ?? project.files[0]?.path;
    throw otherProgram(`${path} is not what the proof is about: it was changed`);
  }
  return program;
}

function recordProved(manifest: ProofManifest, program: Program, cancellation: Cancellation): Trace {
  const { inputs, arguments: args, programName, stdinBase64, undefinedBehaviour, steps } = manifest.run;
  const trace = recordTrace(program, {
    inputs: parseInputs(inputs.join(",")),
    args,
    ...(programName === null ? {} : { programName }),
    stdin: Buffer.from(stdinBase64, "base64"),
    undefinedBehaviour,
    // Enough to see that a run is longer than the proof says.
    maxSteps: steps + 100_000,
    cancellation,
  });
  assertWanted(cancellation, "running the program");
  if (trace.steps !== steps) throw otherProgram(`the run has ${trace.steps} steps, not ${steps} as the proof says`);
  return trace;
}

/** The target's file is named as whoever made the proof found it: from another folder its path is another one. */
function assertTarget({ target: claimed }: ProofManifest, { text, range }: Target): void {
  const is = (formula: string, file: string, line: number) => `${formula} at ${basename(file)}:${line}`;
  const [own, said] = [is(text, range.file, range.line), is(claimed.formula, claimed.file, claimed.line)];
  if (own !== said) throw otherProgram(`the run's target is ${own}, not ${said} as the proof says`);
}

/**
 * Claims may give a place a sort that it does not have, and no order of building finds that out first. Where the run
 * itself can be proved, what fails inside of us is theirs.
 */
function proveClaimed(run: Run, { claims, runs }: ProofManifest, options: CheckOptions): ProofCheck {
  try {
    return proveExported(run, claims, runs, options);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    buildTriples(symbolsOfRun(run, createTerms()), run, targetOf(run), claims.map(withoutFormulas));
    throw new TracefoldError({
      code: "TF148",
      message: `the proof's formulas do not fit the program: ${error.message}`,
    });
  }
}

function withoutFormulas(claim: FoldClaim): FoldClaim {
  return { ...claim, invariants: [], ...(claim.left === undefined ? {} : { left: { ...claim.left, formulas: [] } }) };
}

function otherProgram(message: string): TracefoldError {
  return new TracefoldError({
    code: "TF147",
    message,
    help: "Make the proof again: tracefold compress FILE --proof DIR.",
  });
}
