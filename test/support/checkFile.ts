import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { formatError, TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";
import { type InputSource, listedInputs, randomInputs } from "../../src/interpreter/inputs.ts";
import type { Program } from "../../src/ir/program.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import { compareRuns } from "./compareRuns.ts";
import { runWithGcc } from "./gccOracle.ts";
import { inputStubs, stubValue } from "./inputStubs.ts";
import { instrumentBranches } from "./instrumentBranches.ts";
import { type ObservedRun, observeRun } from "./observeRun.ts";

export type FileCheck =
  | { readonly kind: "same"; readonly end: string; readonly decisions: number; readonly run: ObservedRun }
  | { readonly kind: "different"; readonly message: string }
  | { readonly kind: "skipped"; readonly reason: string };

export type FileCheckOptions = {
  readonly dataModel: DataModelName;
  readonly inputs: readonly bigint[] | { readonly seed: number };
  readonly stdin?: string;
  readonly maxSteps: number;
};

/**
 * One C file in our interpreter and in a gcc build, with the same inputs. Both see the text that `gcc -E` makes of it, so
 * that a decision has the same place in both.
 */
export async function checkFile(path: string, options: FileCheckOptions): Promise<FileCheck> {
  const text = await preprocessed(path, options.dataModel);
  if (text === null) return { kind: "skipped", reason: "gcc does not preprocess it" };
  let program: Program;
  try {
    program = await loadCText("program.i", text, { dataModel: options.dataModel, undefined: "input" });
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { kind: "skipped", reason: `not lowered: ${formatError(error).split("\n")[0]}` };
  }
  if (hasVariableInputs(program)) return { kind: "skipped", reason: "undefined variables are inputs" };
  const given: { value: bigint }[] = [];
  const ours = runOurs(program, options, given);
  if ("kind" in ours) return ours;
  const unusable = whySkipped(ours);
  if (unusable !== null) return { kind: "skipped", reason: unusable };
  const instrumented = instrumentBranches(text, parseC(asGiven(text)));
  try {
    const [theirs] = await runWithGcc(
      [
        {
          text: instrumented.text,
          inputs: given.map(({ value }) => value),
          topLevel: null,
          ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
        },
      ],
      {
        dataModel: options.dataModel,
        sanitize: "undefined",
        cycleInputs: false,
        stubs: inputStubs(program),
        ignoreUndefined: true,
        seconds: 5,
      },
    );
    const message = compareRuns(program, instrumented, ours, theirs!);
    if (message !== null) return { kind: "different", message };
    return { kind: "same", end: ours.outcome.kind, decisions: ours.decisions.length, run: ours };
  } catch (error) {
    return { kind: "skipped", reason: `gcc: ${firstError(String((error as { stderr?: string }).stderr ?? error))}` };
  }
}

/** A variable that is only declared has no place where a gcc build could read it. */
function hasVariableInputs({ functions, variables }: Program): boolean {
  const names = new Set(variables.filter(({ kind }) => kind === "static").map(({ name }) => name));
  return functions.some(({ edges }) => edges.some(({ operation: o }) => o.kind === "input" && names.has(o.source)));
}

function runOurs(program: Program, options: FileCheckOptions, given: { value: bigint }[]): ObservedRun | FileCheck {
  const stdin = new TextEncoder().encode(options.stdin ?? "");
  const { inputs, maxSteps } = options;
  try {
    return observeRun(program, { inputs: logged(inputs, given), stdin, maxSteps, programName: "./batch" });
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { kind: "skipped", reason: `not run: ${formatError(error).split("\n")[0]}` };
  }
}

function asGiven(text: string) {
  return preprocess({ path: "program.i", text }, { dataModel: "LP64", readFile: () => null });
}

function logged(inputs: FileCheckOptions["inputs"], given: { value: bigint }[]): InputSource {
  const source = "seed" in inputs ? randomInputs(inputs.seed) : listedInputs(inputs);
  return (request) => {
    const value = source(request);
    if (value !== null) given.push({ value: stubValue(value, request.type) });
    return value;
  };
}

/** Runs that gcc's build cannot confirm: it sees only a part of what is undefined, and must end. */
function whySkipped({ outcome }: ObservedRun): string | null {
  switch (outcome.kind) {
    case "limit":
      return `our run does not end: ${outcome.limit}`;
    case "undefined-behaviour":
      return seenByGcc.has(outcome.problem) ? null : `undefined behaviour: ${outcome.problem}`;
    default:
      return null;
  }
}

const seenByGcc: ReadonlySet<string> = new Set([
  ...["signed-overflow", "division-by-zero", "bad-shift", "index-out-of-bounds"],
]);

async function preprocessed(path: string, dataModel: DataModelName): Promise<string | null> {
  const model = dataModel === "ILP32" ? ["-m32"] : [];
  try {
    const options = { maxBuffer: 1 << 28, timeout: 20_000 };
    return (await promisify(execFile)("gcc", ["-E", "-P", "-w", "-xc", ...model, path], options)).stdout;
  } catch (error) {
    // gcc's own verdict, or none: it has an exit code.
    if (!(error instanceof Error && "code" in error)) throw error;
    return null;
  }
}

function firstError(stderr: string): string {
  return (
    stderr.split("\n").find((line) => /error|undefined reference|multiple definition/.test(line)) ??
    stderr.slice(0, 200)
  );
}
