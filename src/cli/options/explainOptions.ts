import { TracefoldError } from "../../base/errors.ts";
import type { RunSource } from "../../explain/findRun.ts";
import type { BackendChoice } from "../../solver/findBackends.ts";
import { dumpFolder } from "./compressOptions.ts";
import {
  type OutputFlags,
  type ProgramFlags,
  type ProgramRequest,
  programRequest,
  usageError,
  wholeNumber,
} from "./programOptions.ts";

/** What the engine is asked to do by `tracefold explain`. */
export type ExplainRequest = ProgramRequest & {
  readonly command: "explain";
  readonly source: RunSource;
  /** For the search and for random inputs. */
  readonly seed: number;
  readonly target: RequestedTarget | null;
  readonly flowSensitive: boolean;
  /** Not only what fits on a screen. */
  readonly all: boolean;
  readonly shrink: boolean;
  readonly candidates: "canonical" | "extended";
  readonly solver: BackendChoice;
  readonly validate: boolean;
  readonly dumpSmt: string | null;
  /** `tracefold run FILE …` without inputs, and what comes behind them. */
  readonly replay: { readonly before: readonly string[]; readonly after: readonly string[] };
};

/** `--target 'x >= 0 @ file.c:12'`. */
export type RequestedTarget = { readonly condition: string; readonly file: string; readonly line: number };

export type ExplainFlags = ProgramFlags &
  OutputFlags & {
    readonly witness?: string;
    readonly cbmcTrace?: string;
    readonly property?: string;
    readonly target?: string;
    readonly flowSensitive?: boolean;
    readonly all?: boolean;
    readonly verbose?: boolean;
    readonly shrink: boolean;
    readonly candidates: string;
    readonly solver: string;
    readonly check?: boolean;
    readonly dump?: readonly string[];
  };

export function explainRequest(
  files: readonly string[],
  programArguments: readonly string[],
  flags: ExplainFlags,
): ExplainRequest {
  return {
    command: "explain",
    ...programRequest(files, programArguments, flags),
    source: runSource(flags),
    seed: wholeNumber("--seed", flags.seed),
    target: flags.target === undefined ? null : requestedTarget(flags.target, files),
    flowSensitive: flags.flowSensitive ?? false,
    all: flags.all ?? false,
    shrink: flags.shrink,
    candidates: flags.candidates as ExplainRequest["candidates"],
    solver: flags.solver as BackendChoice,
    validate: flags.check ?? false,
    dumpSmt: dumpFolder(flags.dump),
    replay: replayWords(files, programArguments, flags),
  };
}

function runSource(flags: ExplainFlags): RunSource {
  const hasInputs = flags.inputs !== undefined || flags.inputsFile !== undefined || flags.randomInputs === true;
  const given = [flags.witness !== undefined, flags.cbmcTrace !== undefined, hasInputs].filter(Boolean);
  if (given.length > 1)
    throw usageError("a run comes from inputs, from --witness or from --cbmc-trace: give one of them");
  if (flags.property !== undefined && flags.cbmcTrace === undefined) {
    throw usageError("--property chooses among the properties of --cbmc-trace");
  }
  if (flags.witness !== undefined) return { kind: "witness", path: flags.witness };
  if (flags.cbmcTrace !== undefined) return { kind: "cbmc", path: flags.cbmcTrace, property: flags.property ?? null };
  return { kind: hasInputs ? "inputs" : "search" };
}

/** The condition may itself have an `@` only inside of a literal, so the last one counts. */
function requestedTarget(text: string, files: readonly string[]): RequestedTarget {
  const match = /^(.*\S)\s*@\s*(?:(.+):)?(\d+)\s*$/s.exec(text);
  if (match === null || Number(match[3]) === 0) {
    const column = text.lastIndexOf("@") + 2;
    throw new TracefoldError({
      code: "TF136",
      message: text.includes("@")
        ? "expected a file and line behind the @"
        : "expected @ and a line behind the condition",
      range: {
        file: "--target",
        line: 1,
        column: text.includes("@") ? column : text.length + 1,
        endLine: 1,
        endColumn: text.length + 1,
      },
      help: "For example: --target 'x >= 0 @ file.c:12'",
    });
  }
  const file = match[2]?.trim() ?? (files.length === 1 ? files[0] : undefined);
  if (file === undefined)
    throw usageError("--target: the program has several files: name one, as in 'x >= 0 @ file.c:12'");
  return { condition: match[1]!, file, line: Number(match[3]) };
}

/** The options that decide which run it is, without its inputs. */
function replayWords(
  files: readonly string[],
  programArguments: readonly string[],
  flags: ExplainFlags,
): ExplainRequest["replay"] {
  const before = ["tracefold", "run", ...files];
  if (flags.project !== undefined) before.push("--project", flags.project);
  if (flags.entry !== "main") before.push("--entry", flags.entry);
  if (flags.dataModel !== "LP64") before.push("--data-model", flags.dataModel);
  if (flags.ub !== "error") before.push("--ub", flags.ub);
  if (flags.uninitialized !== "error") before.push("--uninitialized", flags.uninitialized);
  if (flags.undefined !== "error") before.push("--undefined", flags.undefined);
  if (flags.subobjectBounds !== "on") before.push("--subobject-bounds", flags.subobjectBounds);
  if (flags.preprocess !== "auto") before.push("--preprocess", flags.preprocess);
  for (const folder of flags.include) before.push("-I", folder);
  for (const macro of flags.define) before.push("-D", macro);
  if (flags.stdin !== undefined) before.push("--stdin", flags.stdin);
  return { before, after: programArguments.length === 0 ? [] : ["--", ...programArguments] };
}
