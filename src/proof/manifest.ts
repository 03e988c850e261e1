import { TracefoldError } from "../base/errors.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import { type ArithmeticMode, arithmeticModes, type Property, properties } from "../cutpoints/obligation.ts";
import type { ReadingSettings } from "../frontEnd/project.ts";
import type { DataModelName } from "../ir/type.ts";
import type { Sort } from "../logic/term.ts";
import type { FoldClaim } from "./claim.ts";
import type { RunsClaim } from "./runsObligations.ts";

export const manifestName = "proof.json";
export const coqName = "proof.v";

/**
 * All that it takes to check a proof again: which program, and what is claimed about it. The
 * other files are for other tools; the checker builds them again and compares.
 */
export type ProofManifest = {
  readonly schema: 5;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly program: ProvedProgram;
  readonly claim: RunProof | ProgramProof;
  readonly obligations: readonly ExportedObligation[];
  /** Files that are no part of the proof, such as a witness. */
  readonly attached: readonly FileHash[];
};

/** A recorded run comes to its target, for the reasons that the folds give (`compress`, `explain`). */
export type RunProof = {
  readonly kind: "run";
  readonly run: ProvedRun;
  readonly target: { readonly formula: string; readonly file: string; readonly line: number };
  readonly folds: readonly FoldClaim[];
  /** The claim about other runs; null if there is none. */
  readonly runs: RunsClaim | null;
};

/** No run of the program violates the property (`verify`). */
export type ProgramProof = {
  readonly kind: "program";
  readonly property: Property;
  readonly arithmetic: ArithmeticMode;
  readonly certificate: WrittenCertificate;
};

export type WrittenCertificate = {
  readonly kind: Certificate["kind"];
  readonly depth: number;
  readonly invariants: Readonly<Record<string, readonly string[]>>;
  readonly sorts: Readonly<Record<string, Sort>>;
};

export type FileHash = { readonly path: string; readonly sha256: string };

/** Paths are relative to the manifest's folder. */
export type ProvedProgram = {
  /** The program's files, and how each was read. */
  readonly files: readonly ProvedFile[];
  /** Every file that was read, in order; headers included. */
  readonly read: readonly FileHash[];
  readonly entry: string;
  readonly dataModel: DataModelName;
  readonly uninitialized: "undefined" | "input";
  readonly undefined: "error" | "input";
  readonly subobjectBounds: boolean;
  readonly errorFlag: boolean;
  readonly preprocess: "auto" | "builtin" | "gcc";
};

export type ProvedFile = ReadingSettings & { readonly path: string };

export type ProvedRun = {
  /** As `--inputs` takes them. */
  readonly inputs: readonly string[];
  readonly arguments: readonly string[];
  readonly programName: string | null;
  readonly stdinBase64: string;
  readonly undefinedBehaviour: "stop" | "wrap";
  readonly steps: number;
};

export type ExportedObligation = {
  readonly name: string;
  readonly text: string;
  /** The SMT-LIB script in the manifest's folder. */
  readonly script: string;
  /** Whether the Coq file has a theorem for it; else why not. */
  readonly coq: true | string;
};

export function parseManifest(text: string, path: string): ProofManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw noManifest(path, "it is not JSON");
  }
  const problem = problemOf(value);
  if (problem !== null) throw noManifest(path, problem);
  return value as ProofManifest;
}

function noManifest(path: string, reason: string): TracefoldError {
  return new TracefoldError({
    code: "TF149",
    message: `${path} is no proof: ${reason}`,
    help: "tracefold compress, explain and verify write one with --proof DIR.",
  });
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const isList =
  (element: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(element);
const isFilledList =
  (element: Check): Check =>
  (value) =>
    isList(element)(value) && (value as readonly unknown[]).length > 0;
/** These fields and no others: what nobody reads nobody checks. */
const isRecord =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name])) &&
    Object.keys(value).every((name) => Object.hasOwn(fields, name));

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isTable =
  (entry: Check): Check =>
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(entry);
const isSorts = isTable(isOneOf("Int", "Bool", "Array"));
const isFlag = isOneOf(true, false);
const isFileHash = isRecord({ path: isString, sha256: isString });
const isAnnotation = isList(isRecord({ at: isString, formulas: isList(isString) }));

/** Longer unrollings are not checked. */
const mostDepth = 100_000;

const isRunProof = isRecord({
  kind: isOneOf("run"),
  run: isRecord({
    inputs: isList(isString),
    arguments: isList(isString),
    programName: orNull(isString),
    stdinBase64: isString,
    undefinedBehaviour: isOneOf("stop", "wrap"),
    steps: isCount,
  }),
  target: isRecord({ formula: isString, file: isString, line: isCount }),
  folds: isList(
    isRecord({
      begin: isCount,
      end: isCount,
      invariants: isAnnotation,
      left: (value) => value === undefined || isRecord({ step: isCount, formulas: isList(isString) })(value),
      sorts: isSorts,
    }),
  ),
  runs: orNull(
    isRecord({
      roundByRound: isFlag,
      condition: isList(isString),
      loops: isList(
        isRecord({
          piece: isCount,
          invariants: isAnnotation,
          ranks: isList(isList(isRecord({ at: isString, term: isString }))),
        }),
      ),
      open: isList(isString),
      sorts: isSorts,
    }),
  ),
});

const isCertificate: Check = (value) => {
  const isWritten = isRecord({
    kind: isOneOf("inductive", "bounded", "run"),
    depth: (depth) => isCount(depth) && (depth as number) >= 1,
    invariants: isTable(isList(isString)),
    sorts: isSorts,
  });
  if (!isWritten(value)) return false;
  const { kind, depth } = value as { readonly kind: string; readonly depth: number };
  // The steps of a run are made fast; regions are proved one by one.
  return kind === "run" || depth <= mostDepth;
};

const isProgramProof = isRecord({
  kind: isOneOf("program"),
  property: isOneOf(...properties),
  arithmetic: isOneOf(...arithmeticModes),
  certificate: isCertificate,
});

const sections: Readonly<Record<string, Check>> = {
  schema: isOneOf(5),
  tool: isRecord({ name: isOneOf("tracefold"), version: isString }),
  program: isRecord({
    files: isFilledList(
      isRecord({
        path: isString,
        includeFolders: isList(isString),
        quoteFolders: isList(isString),
        defines: isList(isString),
        undefines: isList(isString),
        headers: isList(isString),
        standard: orNull(isString),
        common: isFlag,
      }),
    ),
    read: isList(isFileHash),
    entry: isString,
    dataModel: isOneOf("LP64", "ILP32"),
    uninitialized: isOneOf("undefined", "input"),
    undefined: isOneOf("error", "input"),
    subobjectBounds: isFlag,
    errorFlag: isFlag,
    preprocess: isOneOf("auto", "builtin", "gcc"),
  }),
  claim: (value) => isRunProof(value) || isProgramProof(value),
  obligations: isList(
    isRecord({ name: isString, text: isString, script: isString, coq: (value) => value === true || isString(value) }),
  ),
  attached: isList(isFileHash),
};

function problemOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return "it is not an object";
  const wrong = Object.entries(sections).find(([name, check]) => !check((value as Record<string, unknown>)[name]));
  if (wrong !== undefined) return `its "${wrong[0]}" is missing or malformed`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(sections, name));
  return unknown === undefined ? null : `a proof has no "${unknown}"`;
}
