import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { writeAllWhole } from "../base/files.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import type { Obligation, Question } from "../cutpoints/obligation.ts";
import type { Project, ReadingSettings } from "../frontEnd/project.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { floatLemmas } from "../logic/floatLemmas.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { type VectorScript, vectorScript } from "../logic/vectors/vectorScript.ts";
import type { Target } from "../recordedRun/target.ts";
import {
  coqName,
  type ExportedObligation,
  manifestName,
  type ProgramProof,
  type ProofManifest,
  type ProvedProgram,
  type RunProof,
} from "./manifest.ts";
import { printCoq, whyNotInCoq } from "./printCoq.ts";

export type ProofExport = {
  readonly version: string;
  readonly program: Program;
  readonly project: Project;
  /** How the program was loaded. */
  readonly settings: Omit<ProvedProgram, "files" | "read">;
  /** A path as it looks from the manifest's folder. */
  fromFolder(path: string): string;
  readonly claim: RunProof | ProgramProof;
  readonly obligations: readonly Obligation[];
  /** Files that are put beside it and are no part of it, by name. */
  readonly attached?: ReadonlyMap<string, string>;
};

/** The files of a proof, by name: one script for each obligation, one Coq file, the manifest. */
export function proofFiles(proof: ProofExport): ReadonlyMap<string, string> {
  const { program, project, settings, fromFolder, claim, obligations, attached = new Map() } = proof;
  const manifest: ProofManifest = {
    schema: 5,
    tool: { name: "tracefold", version: proof.version },
    program: {
      files: project.files.map((file) => ({ path: fromFolder(file.path), ...movedSettings(file, fromFolder) })),
      // `<library>/…` is in no folder.
      read: program.files.map(({ path, sha256 }) => ({ path: path.startsWith("<") ? path : fromFolder(path), sha256 })),
      ...settings,
    },
    claim,
    obligations: listObligations(obligations),
    attached: [...attached].map(([path, text]) => ({ path, sha256: hashOf(text) })),
  };
  return new Map([
    ...filesForOthers(obligations),
    ...attached,
    [manifestName, `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
}

/** The claim about a recorded run, as the manifest has it. */
export function runProof(trace: Trace, target: Target, claimed: Pick<RunProof, "folds" | "runs">): RunProof {
  const { args, programName, stdin, undefinedBehaviour } = trace.settings;
  return {
    kind: "run",
    run: {
      inputs: trace.inputs.map(({ value }) => (Object.is(value, -0) ? "-0.0" : `${value}`)),
      arguments: args,
      programName,
      stdinBase64: Buffer.from(stdin).toString("base64"),
      undefinedBehaviour,
      steps: trace.steps,
    },
    target: { formula: target.text, file: target.range.file, line: target.range.line },
    folds: claimed.folds,
    runs: claimed.runs,
  };
}

/** The claim about all runs, as the manifest has it. */
export function programProof({ property, arithmetic = "stop" }: Question, certificate: Certificate): ProgramProof {
  const { kind, depth, invariants, sorts } = certificate;
  const written = { kind, depth, invariants: Object.fromEntries(invariants), sorts: Object.fromEntries(sorts) };
  return { kind: "program", property, arithmetic, certificate: written };
}

export function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

export function movedSettings(settings: ReadingSettings, move: (path: string) => string): ReadingSettings {
  const { includeFolders, quoteFolders, defines, undefines, headers, standard, common } = settings;
  return {
    includeFolders: includeFolders.map(move),
    quoteFolders: quoteFolders.map(move),
    defines,
    undefines,
    headers: headers.map(move),
    standard,
    common,
  };
}

/** The scripts and the Coq file: the same obligations for whoever does not want to rely on our checker. */
export function filesForOthers(obligations: readonly Obligation[]): ReadonlyMap<string, string> {
  const names = scriptNames(obligations);
  return new Map([
    ...obligations.map((obligation, i) => [nth(names, i), printSmtLibScript(obligation)] as const),
    [coqName, printCoq(obligations)],
  ]);
}

export function listObligations(obligations: readonly Obligation[]): readonly ExportedObligation[] {
  const names = scriptNames(obligations);
  return obligations.map((obligation, i) => ({
    name: obligation.name,
    text: obligation.text,
    script: nth(names, i),
    coq: whyNotInCoq(obligation) ?? true,
  }));
}

/** `03-loop1-body-2.smt2`: in the order of the proof. */
function scriptNames(obligations: readonly Obligation[]): readonly string[] {
  const digits = `${obligations.length}`.length;
  return obligations.map(({ name }, i) => `${`${i + 1}`.padStart(digits, "0")}-${name}.smt2`);
}

/** Throws if the folder cannot be written to: the work that the proof takes may be minutes. */
export function assertWritable(folder: string): void {
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

export function writeProofFolder(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true });
    const written = [...files].map(([name, text]) => [join(folder, name), text] as const);
    // Scripts of an earlier, longer proof would look like part of this one.
    writeAllWhole(written, () => {
      for (const name of readdirSync(folder)) {
        if (/^\d+-[\w-]+\.smt2$/.test(name) && !files.has(name)) rmSync(join(folder, name));
      }
    });
  } catch (error) {
    throw cannotWrite(folder, (error as NodeJS.ErrnoException).code);
  }
}

/** A self-contained SMT-LIB 2 script that answers `unsat` exactly if the obligation holds. */
export function printSmtLibScript(obligation: Obligation): string {
  const formulas = [...obligation.hypotheses, obligation.conclusion];
  const vectors = postOrder(formulas).some(({ kind }) => kind === "bits")
    ? vectorScript(formulas, obligation.hypotheses)
    : null;
  if (vectors !== null) return printVectors(obligation, vectors);
  let count = 0;
  const floats = floatLemmas(formulas);
  const printed = printShared([...formulas, ...(floats?.terms ?? [])], undefined, () => `tf!${++count}`);
  const { definitions } = printed;
  const texts = printed.texts.slice(0, formulas.length);
  const lines = [
    ...heading(obligation),
    "(set-logic ALL)",
    ...(floats?.declarations ?? []),
    ...functionSymbolsOf(formulas).map(printFunctionSymbol),
    ...freeVariablesOf(formulas).map(printDeclaration),
    ...definitions.map(({ term, name, text }) => `(define-fun ${name} () ${printSort(term.sort)} ${text})`),
    ...(floats?.lemmas(printed.texts.slice(formulas.length)) ?? []).map((lemma) => `(assert ${lemma})`),
    ...texts.slice(0, -1).map((text) => `(assert ${text})`),
    `(assert (not ${texts[texts.length - 1]}))`,
    "(check-sat)",
  ];
  return `${lines.join("\n")}\n`;
}

/** Operations on bits, where all numbers have bounds: few solvers find an answer about integers. */
function printVectors(obligation: Obligation, { commands, texts }: VectorScript): string {
  const lines = [
    ...heading(obligation),
    "; Numbers are vectors with as many bits as their ranges need, in two's complement.",
    "(set-logic QF_BV)",
    ...commands,
    ...texts.slice(0, -1).map((text) => `(assert ${text})`),
    `(assert (not ${texts.at(-1)}))`,
    "(check-sat)",
  ];
  return `${lines.join("\n")}\n`;
}

function heading({ text }: Obligation): readonly string[] {
  return [...text.split("\n").map((line) => `; ${line}`), "; The obligation holds if and only if the answer is unsat."];
}
