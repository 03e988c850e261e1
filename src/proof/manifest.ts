import { TracefoldError } from "../base/errors.ts";
import type { ReadingSettings } from "../frontend/project.ts";
import type { DataModelName } from "../ir/type.ts";
import type { FoldClaim } from "./claim.ts";
import type { RunsClaim } from "./runsClaim.ts";

/** The name of the manifest in a proof's folder. */
export const manifestName = "proof.json";
/** The name of the Coq file there. */
export const coqName = "proof.v";

/**
 * All that it takes to check a proof again: which program, which run of it, and what is claimed about the run
 * (`schema/proof.schema.json`). The scripts beside it are for others; the checker rebuilds them and compares.
 */
export type ProofManifest = {
  readonly schema: 3;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly program: ProvedProgram;
  readonly run: ProvedRun;
  readonly target: { readonly formula: string; readonly file: string; readonly line: number };
  readonly claims: readonly FoldClaim[];
  /** What is claimed of other runs; null where nothing is. */
  readonly runs: RunsClaim | null;
  readonly triples: readonly ExportedTriple[];
};

/** Paths are relative to the manifest's folder. */
export type ProvedProgram = {
  /** The program's files, and how each was read. */
  readonly files: readonly ProvedFile[];
  /** Every file that was read, in order; headers included. */
  readonly read: readonly { readonly path: string; readonly sha256: string }[];
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

export type ExportedTriple = {
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
    help: "tracefold compress FILE --proof DIR writes one.",
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
/** These fields and no others: what nobody reads nobody checks. */
const isRecord =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name])) &&
    Object.keys(value).every((name) => Object.hasOwn(fields, name));

const sections: Readonly<Record<string, Check>> = {
  schema: isOneOf(3),
  tool: isRecord({ name: isOneOf("tracefold"), version: isString }),
  program: isRecord({
    files: isList(
      isRecord({
        path: isString,
        includeFolders: isList(isString),
        quoteFolders: isList(isString),
        defines: isList(isString),
        undefines: isList(isString),
        headers: isList(isString),
        standard: (value) => value === null || isString(value),
        common: isOneOf(true, false),
      }),
    ),
    read: isList(isRecord({ path: isString, sha256: isString })),
    entry: isString,
    dataModel: isOneOf("LP64", "ILP32"),
    uninitialized: isOneOf("undefined", "input"),
    undefined: isOneOf("error", "input"),
    subobjectBounds: isOneOf(true, false),
    errorFlag: isOneOf(true, false),
    preprocess: isOneOf("auto", "builtin", "gcc"),
  }),
  run: isRecord({
    inputs: isList(isString),
    arguments: isList(isString),
    programName: (value) => value === null || isString(value),
    stdinBase64: isString,
    undefinedBehaviour: isOneOf("stop", "wrap"),
    steps: isCount,
  }),
  target: isRecord({ formula: isString, file: isString, line: isCount }),
  claims: isList(
    isRecord({
      begin: isCount,
      end: isCount,
      invariants: isList(isRecord({ at: isString, formulas: isList(isString) })),
      left: (value) => value === undefined || isRecord({ step: isCount, formulas: isList(isString) })(value),
      sorts: isSorts,
    }),
  ),
  runs: (value) =>
    value === null ||
    isRecord({
      roundByRound: isOneOf(true, false),
      condition: isList(isString),
      loops: isList(
        isRecord({
          piece: isCount,
          invariants: isList(isRecord({ at: isString, formulas: isList(isString) })),
          ranks: isList(isList(isRecord({ at: isString, term: isString }))),
        }),
      ),
      open: isList(isString),
      sorts: isSorts,
    })(value),
  triples: isList(
    isRecord({ name: isString, text: isString, script: isString, coq: (value) => value === true || isString(value) }),
  ),
};

function isSorts(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isSort);
}

function isSort(value: unknown): boolean {
  return value === "Int" || value === "Bool" || value === "Array";
}

function problemOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return "it is not an object";
  const wrong = Object.entries(sections).find(([name, check]) => !check((value as Record<string, unknown>)[name]));
  if (wrong !== undefined) return `its "${wrong[0]}" is missing or malformed`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(sections, name));
  return unknown === undefined ? null : `a proof has no "${unknown}"`;
}
