import { relative, resolve } from "node:path";
import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { createTerms } from "../logic/terms.ts";
import type { RunProof } from "../proof/manifest.ts";
import { type ProofExport, proofFiles, runProof, writeProofFolder } from "../proof/proofFolder.ts";
import { exportedObligations } from "../proof/proveRun.ts";
import { runOf, symbolsOfRun } from "../recordedRun/runOf.ts";
import { targetOf } from "../recordedRun/target.ts";
import { type CTest, toCTest } from "../render/cTest.ts";
import type { Reproducer } from "./explain/result.ts";
import type { ProgramRequest } from "./options/programOptions.ts";
import { packageVersion } from "./output.ts";
import { describeInput, describeOutcome } from "./run/describeRun.ts";

/** Writes a C program with the same failure: with the smallest known inputs, otherwise with the run's own. */
export function writeCTest(path: string, request: ProgramRequest, trace: Trace, smallest: Reproducer | null): void {
  const text = toCTest(testOf(path, request, trace, smallest));
  try {
    writeWhole(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--write-test: cannot write ${path} (${code})` });
  }
}

function testOf(path: string, request: ProgramRequest, trace: Trace, smallest: Reproducer | null): CTest {
  const { program, settings, outcome } = trace;
  const inputs = trace.inputs.map((input) => describeInput(program, input));
  const other = inputs.find(({ source }) => !source.startsWith("__VERIFIER_nondet_"));
  if (other !== undefined) {
    throw new TracefoldError({
      code: "TF139",
      message: `no C test can give ${other.source} its value`,
      range: other.location,
      help: "Let the program read its inputs with __VERIFIER_nondet_int() and the like, from standard input or from its arguments.",
    });
  }
  const values = smallest === null || smallest.inputs.length === 0 ? inputs.map(({ value }) => value) : smallest.inputs;
  const entry = nth(program.functions, program.entry);
  const described = describeOutcome(program, outcome);
  const at = described.location === null ? "" : ` (${described.location.file}:${described.location.line})`;
  const stdin = smallest?.stdinBase64 ?? null;
  return {
    path,
    files: filesFrom(program, entry.range.file),
    entry: entry.name,
    takesArguments: entry.parameters.length > 0,
    programName: settings.programName ?? "program",
    args: smallest?.stdin === undefined ? settings.args : (smallest.arguments ?? []),
    stdin:
      stdin !== null
        ? Buffer.from(stdin, "base64")
        : smallest?.stdin === undefined
          ? settings.stdin
          : Buffer.from(smallest.stdin),
    inputs: values.map((value, i) => ({ ...nth(inputs, Math.min(i, inputs.length - 1)), value: `${value}` })),
    expected: settings.expected ?? {},
    failure: `${described.message}${at}`,
    flags: [
      ...request.includeFolders.map((folder) => `-I${folder}`),
      ...request.defines.map((macro) => `-D${macro}`),
      ...(request.dataModel === "ILP32" ? ["-m32"] : []),
    ],
  };
}

function filesFrom({ files }: Program, first: string): readonly string[] {
  const own = files.map(({ path }) => path).filter((path) => /\.[ci]$/.test(path) && !path.startsWith("<"));
  return [first, ...own.filter((path) => path !== first)];
}

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

/** Writes the proof of a folded run and of the claim about other runs. Returns its obligations. */
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
