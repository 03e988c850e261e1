import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { InferReport } from "../../jobs/infer/inferReport.ts";
import { type Command, type CommonRequest, type OutputFlags, reportAsJson, type Workplace } from "../command.ts";
import { exitCodes } from "../exitCodes.ts";
import {
  type SolverFlags,
  type SolverRequest,
  solverChoice,
  solverOption,
  solverRequest,
} from "../options/solverOptions.ts";
import { seconds, usageError, wholeNumber } from "../options/values.ts";
import { packageVersion } from "../version.ts";

type InferFlags = OutputFlags &
  SolverFlags & {
    readonly only: readonly string[];
    readonly keep: string;
    readonly maxMegabytes: string;
    readonly recording?: string;
    readonly diff?: string;
    readonly tsdoc?: boolean;
    readonly properties?: string;
    readonly timeout?: string;
  };

type InferRequest = CommonRequest &
  SolverRequest & {
    readonly words: readonly string[];
    readonly folder: string;
    readonly only: readonly string[];
    readonly quota: number;
    readonly maxMegabytes: number;
    readonly output: 1 | 2;
    readonly recording: string | null;
    readonly diff: string | null;
    readonly properties: string | null;
  };

/** `tracefold infer -- npx vitest run`: 0 contracts are printed, 3 only some of them. Whether the tests pass is theirs to say. */
export const infer: Command<InferFlags, InferRequest, { readonly report: InferReport }> = {
  name: "infer",
  summary: "contracts of JavaScript and TypeScript code from its own tests",
  usage: "[options] -- <test command>",
  argument: { words: "[nothing...]", help: "what runs the tests follows --, for instance npx vitest run" },
  options: [
    { flags: "--only <glob>", help: "contracts of files that match, for instance 'src/**'", repeated: true },
    { flags: "--keep <count>", help: "calls of each path that are kept; 0 keeps all", default: "6" },
    { flags: "--max-megabytes <count>", help: "how much a process may record", default: "256" },
    { flags: "--recording <folder>", help: "infer from a recording that tracefold/vitest or tracefold/register made" },
    {
      flags: "--diff <old.json>",
      help: "say what an earlier --format json says that no longer holds, and what is new",
    },
    { flags: "--tsdoc", help: "print a patch that documents functions with @requires, @ensures, @throws" },
    { flags: "--properties <file>", help: "write a vitest file with fast-check properties" },
    solverOption("who simplifies conditions"),
    { flags: "--timeout <seconds>", help: "give up after so many seconds" },
  ],
  request({ words, programArguments, flags }) {
    if (words.length > 0) throw usageError(`${words.join(" ")}: what runs the tests follows --`);
    if (programArguments.length === 0 && flags.recording === undefined)
      throw usageError("infer needs the command that runs the tests: tracefold infer -- npx vitest run");
    return {
      ...solverRequest(flags),
      words: programArguments,
      folder: process.cwd(),
      only: flags.only,
      quota: wholeNumber("--keep", flags.keep),
      maxMegabytes: wholeNumber("--max-megabytes", flags.maxMegabytes),
      // What is piped on is ours alone: the tests' output goes beside it.
      output: flags.format === "text" && flags.out === undefined && !flags.tsdoc ? 1 : 2,
      recording: flags.recording ?? null,
      diff: flags.diff ?? null,
      properties: flags.properties ?? null,
      timeoutSeconds: flags.timeout === undefined ? null : seconds("--timeout", flags.timeout),
    };
  },
  work,
  formats: {
    async text({ report }, { paint, flags, request }) {
      if (report.diff !== null) {
        const { inferDiffText } = await import("../../report/inferDiffText.ts");
        return inferDiffText(report.diff, paint);
      }
      if (flags.tsdoc) {
        const { tsdocPatch } = await import("../../report/tsdocPatch.ts");
        return tsdocPatch(report, (file) => readText(join(request.folder, file)));
      }
      const { inferText } = await import("../../report/inferText.ts");
      return inferText(report, paint);
    },
    json: reportAsJson,
  },
  isGood: ({ report }) => report.status === "ok" && report.diff === null,
  exitCode({ report }) {
    if (report.diff !== null && report.diff.gone.length > 0) return exitCodes.programIsWrong;
    return report.status === "ok" ? exitCodes.fine : exitCodes.unknown;
  },
};

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

async function work(request: InferRequest, { cancellation, report: progress }: Workplace) {
  const { inferTests } = await import("../../jobs/infer/inferTests.ts");
  const { readContracts } = await import("../../jobs/infer/diffContracts.ts");
  const before = request.diff === null ? null : readContracts(request.diff);
  const solver = solverChoice(request);
  const report = await inferTests({ ...request, before, solver, version: packageVersion(), cancellation, progress });
  if (request.properties !== null) {
    const { propertiesFile } = await import("../../report/propertiesFile.ts");
    writeFileSync(request.properties, propertiesFile(report, request.folder, dirname(resolve(request.properties))));
  }
  return { report };
}
