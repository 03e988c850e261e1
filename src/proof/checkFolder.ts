import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Cancellation, neverCancelled, throwIfCancelled } from "../base/cancellation.ts";
import { Defect, TracefoldError } from "../base/errors.ts";
import { isSystemError, readIfPresent } from "../base/files.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { readSource } from "../frontEnd/project.ts";
import { parseInputs } from "../interpreter/inputs.ts";
import { recordTrace, type Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { loadProject } from "../languages/loadProject.ts";
import { createTerms } from "../logic/terms.ts";
import { describeOpenKey } from "../recordedRun/generalized/runObligation.ts";
import type { Run } from "../recordedRun/run.ts";
import { runOf, symbolsOfRun } from "../recordedRun/runOf.ts";
import { type Target, targetOf } from "../recordedRun/target.ts";
import type { BackendChoice } from "../solver/backend/backends.ts";
import type { Assumption } from "./assumptions.ts";
import { checkCertificate } from "./checkCertificate.ts";
import { type ProofCheck, type ProofOptions, proofNotChecked, startCheckers } from "./checkObligations.ts";
import { type FoldClaim, parseFormula } from "./claim.ts";
import { foldObligations, printFormulas } from "./foldObligations.ts";
import {
  manifestName,
  type ProgramProof,
  type ProofManifest,
  type ProvedProgram,
  parseManifest,
  type RunProof,
  type WrittenCertificate,
} from "./manifest.ts";
import { filesForOthers, hashOf, listObligations, movedSettings } from "./proofFolder.ts";
import { proveExported } from "./proveRun.ts";

/** A file that is not what the proof says it is; `added`: the program reads it now and did not then. */
export type FileProblem = {
  readonly path: string;
  readonly of: "program" | "proof";
  readonly problem: "edited" | "missing" | "added";
};

/** Every run whose inputs satisfy the condition fails in the same way, if the assumptions in `open` hold. */
export type OtherRuns = { readonly condition: string; readonly open: readonly string[] };

/** A proof folder, checked: what is claimed of which program, and whether it is so. */
export type CheckedFolder = {
  readonly path: string;
  readonly manifest: ProofManifest;
  /** The manifest's program, with paths that can be opened from here. */
  readonly proved: ProvedProgram;
  /** Null if its files are not those that the proof is about: then nothing was checked. */
  readonly program: Program | null;
  readonly problems: readonly FileProblem[];
  /** Files in the folder that are no part of the proof: nobody has looked at them. */
  readonly notChecked: readonly string[];
  readonly proof: ProofCheck;
  /** The place where the recorded run fails; null for a proof about all runs. */
  readonly target: { readonly text: string; readonly range: SourceRange } | null;
  /** The claim about other runs, if a proof of a run makes one. */
  readonly otherRuns: OtherRuns | null;
  /** The proof holds for runs without this. */
  readonly assumptions: readonly Assumption[];
  /** Why a proof about all runs is not accepted; `isWrong`: it is not just undecided. */
  readonly refusal: { readonly reason: string; readonly isWrong: boolean } | null;
};

export type CheckFolderOptions = {
  /** Which solvers to ask; see `startCheckers`. */
  readonly checkers?: readonly BackendChoice[];
  readonly cancellation?: Cancellation;
  progress?(what: "loading" | "running" | "checking"): void;
};

/**
 * Checks a proof in a folder or beside a manifest: loads the program, rebuilds every obligation from it and from the
 * claims, and asks solvers about each. The rest of the manifest is compared, not trusted.
 */
export async function checkFolder(path: string, options: CheckFolderOptions = {}): Promise<CheckedFolder> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const manifestPath = isFolder ? join(path, manifestName) : path;
  const folder = dirname(manifestPath);
  const manifest = parseManifest(readManifest(manifestPath), manifestPath);
  options.progress?.("loading");
  const proved = fromHere(manifest.program, folder);
  const loaded = await loadProved(proved, manifest.claim.kind);
  const about = { path: manifestPath, manifest, proved, program: loaded.program };
  const attached = manifest.attached.flatMap(({ path: name, sha256 }) =>
    problemOf(join(folder, name), sha256, "proof"),
  );
  if (loaded.program === null) {
    const nothing = { proof: proofNotChecked, target: null, otherRuns: null, assumptions: [], refusal: null };
    return { ...about, ...nothing, problems: [...loaded.problems, ...attached], notChecked: [] };
  }
  const { claim } = manifest;
  const result =
    claim.kind === "run" ? checkRun(claim, loaded.program, options) : checkProgram(claim, loaded.program, options);
  const { problems, notChecked } = result.isBuilt
    ? compareFiles(folder, manifest, result.proof.obligations)
    : { problems: [], notChecked: [] };
  return { ...about, ...result, problems: [...problems, ...attached], notChecked };
}

function readManifest(path: string): string {
  const text = readIfPresent(path);
  if (text !== null) return text;
  throw new TracefoldError({
    code: "TF101",
    message: `${path}: there is no such file`,
    help: "tracefold compress, explain and verify write a proof with --proof DIR.",
  });
}

/** With paths that can be opened; `<library>/…` is in no folder. */
function fromHere(program: ProvedProgram, folder: string): ProvedProgram {
  const move = (path: string) => (isBuiltIn(path) ? path : relative("", resolve(folder, path)) || ".");
  return {
    ...program,
    files: program.files.map((file) => ({ path: move(file.path), ...movedSettings(file, move) })),
    read: program.read.map(({ path, sha256 }) => ({ path: move(path), sha256 })),
  };
}

function isBuiltIn(path: string): boolean {
  return path.startsWith("<");
}

/** The program, if its files are what the proof says; else which of them are not. */
async function loadProved(
  proved: ProvedProgram,
  kind: ProofManifest["claim"]["kind"],
): Promise<{ readonly program: Program | null; readonly problems: readonly FileProblem[] }> {
  const { uninitialized, undefined: missing, subobjectBounds, errorFlag, preprocess, read, dataModel, entry } = proved;
  const problems = read
    .filter(({ path }) => !isBuiltIn(path))
    .flatMap(({ path, sha256 }) => problemOf(path, sha256, "program"));
  if (problems.length > 0) return { program: null, problems };
  const files = proved.files.map(async (file) => ({ ...file, text: await readSource(file.path) }));
  const meaning = { uninitialized, undefined: missing, subobjectBounds, preprocess } as const;
  const program = await loadProject(
    { files: await Promise.all(files), dataModel, entry },
    // A run that was proved does not come to what is not supported, or there would be no proof.
    kind === "run" ? { ...meaning, unsupported: "whenReached", errorFlag } : meaning,
  );
  const then = new Map(read.map(({ path, sha256 }) => [path, sha256]));
  const now = new Map(program.files.map(({ path, sha256 }) => [path, sha256]));
  const differing = [...new Set([...then.keys(), ...now.keys()])].flatMap((path): FileProblem[] => {
    if (then.get(path) === now.get(path)) return [];
    const problem = !then.has(path) ? "added" : now.has(path) ? "edited" : "missing";
    return [{ path, of: "program", problem }];
  });
  return { program: differing.length === 0 ? program : null, problems: differing };
}

function problemOf(path: string, sha256: string, of: FileProblem["of"]): FileProblem[] {
  try {
    return hashOf(readFileSync(path)) === sha256 ? [] : [{ path, of, problem: "edited" }];
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return [{ path, of, problem: "missing" }];
  }
}

/** Which files of the folder are not what the program and the claims give. */
function compareFiles(
  folder: string,
  manifest: ProofManifest,
  obligations: readonly Obligation[],
): Pick<CheckedFolder, "problems" | "notChecked"> {
  const problems: FileProblem[] = [];
  const add = (name: string, problem: FileProblem["problem"]) =>
    problems.push({ path: join(folder, name), of: "proof", problem });
  if (JSON.stringify(manifest.obligations) !== JSON.stringify(listObligations(obligations)))
    add(manifestName, "edited");
  const expected = filesForOthers(obligations);
  for (const [name, text] of expected) {
    const found = readIfPresent(join(folder, name));
    if (found !== text) add(name, found === null ? "missing" : "edited");
  }
  const known = new Set([manifestName, ...expected.keys(), ...manifest.attached.map(({ path }) => path)]);
  const others = readdirSync(folder).filter((name) => !known.has(name));
  return { problems, notChecked: [...others, ...manifest.attached.map(({ path }) => path)].sort() };
}

type Checked = Pick<CheckedFolder, "proof" | "target" | "otherRuns" | "assumptions" | "refusal"> & {
  /** All obligations were built, so that files can be compared with them. */
  readonly isBuilt: boolean;
};

function checkRun(claim: RunProof, program: Program, options: CheckFolderOptions): Checked {
  const { cancellation = neverCancelled } = options;
  const checkers = startCheckers(options.checkers, { cancellation });
  try {
    options.progress?.("running");
    const run = runOf(recordProved(claim, program, cancellation));
    const target = targetOf(run);
    assertTarget(claim, target);
    options.progress?.("checking");
    const proof = proveClaimed(run, claim, { checkers, cancellation });
    const { text, range } = target;
    const otherRuns = claim.runs === null ? null : aboutOthers(run, claim.runs);
    return {
      proof,
      target: { text, range },
      otherRuns,
      assumptions: [],
      refusal: null,
      isBuilt: proof !== proofNotChecked,
    };
  } finally {
    checkers.dispose();
  }
}

function checkProgram(
  { property, arithmetic, certificate }: ProgramProof,
  program: Program,
  options: CheckFolderOptions,
): Checked {
  options.progress?.("checking");
  const { cancellation = neverCancelled } = options;
  const check = checkCertificate(program, readCertificate(certificate), {
    property,
    arithmetic,
    checkers: () => startCheckers(options.checkers, { cancellation, vectors: true }),
    cancellation,
  });
  const about = { proof: check.proof, target: null, otherRuns: null };
  return check.kind === "proved"
    ? { ...about, assumptions: check.assumptions, refusal: null, isBuilt: true }
    : { ...about, assumptions: [], refusal: { reason: check.reason, isWrong: check.isWrong }, isBuilt: false };
}

function readCertificate({ kind, depth, invariants, sorts }: WrittenCertificate): Certificate {
  return { kind, depth, invariants: new Map(Object.entries(invariants)), sorts: new Map(Object.entries(sorts)) };
}

function recordProved(claim: RunProof, program: Program, cancellation: Cancellation): Trace {
  const { inputs, arguments: args, programName, stdinBase64, undefinedBehaviour, steps } = claim.run;
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
  throwIfCancelled(cancellation, "running the program");
  if (trace.steps !== steps) throw otherProof(`the run has ${trace.steps} steps, not ${steps} as the proof says`);
  return trace;
}

/** The target's file is named as whoever made the proof found it: from another folder its path is another one. */
function assertTarget({ target: claimed }: RunProof, { text, range }: Target): void {
  const is = (formula: string, file: string, line: number) => `${formula} at ${basename(file)}:${line}`;
  const [own, said] = [is(text, range.file, range.line), is(claimed.formula, claimed.file, claimed.line)];
  if (own !== said) throw otherProof(`the run's target is ${own}, not ${said} as the proof says`);
}

/**
 * Claims may give a place a sort that it does not have, and no order of building finds that out first. If the run itself can
 * be proved, the claims are to blame for a failure inside of us.
 */
function proveClaimed(run: Run, { folds, runs }: RunProof, options: ProofOptions): ProofCheck {
  try {
    return proveExported(run, folds, runs, options);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    foldObligations(symbolsOfRun(run, createTerms()), run, targetOf(run), folds.map(withoutFormulas));
    throw new TracefoldError({
      code: "TF148",
      message: `the proof's formulas do not fit the program: ${error.message}`,
    });
  }
}

function withoutFormulas(claim: FoldClaim): FoldClaim {
  return { ...claim, invariants: [], ...(claim.left === undefined ? {} : { left: { ...claim.left, formulas: [] } }) };
}

function aboutOthers(run: Run, claim: NonNullable<RunProof["runs"]>): OtherRuns {
  const symbols = symbolsOfRun(run, createTerms());
  const formulas = claim.condition.map((text) => parseFormula(symbols.terms, claim, text));
  return { condition: printFormulas(symbols, formulas), open: claim.open.map(describeOpenKey) };
}

function otherProof(message: string): TracefoldError {
  return new TracefoldError({ code: "TF147", message, help: "Make the proof again, with --proof DIR." });
}
