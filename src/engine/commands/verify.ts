import type { EngineName } from "../../analyses/verify/engine.ts";
import type { SourceOutline } from "../../c/outline/sourceOutline.ts";
import type { Property } from "../../cutpoints/property.ts";
import type { Explanation } from "../../explain/explanation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import type { VerifyOptions } from "../../jobs/verify/verifyOptions.ts";
import type { VerifyReport } from "../../jobs/verify/verifyReport.ts";
import { type Command, type Given, type OutputFlags, reportAsJson, type Workplace } from "../command.ts";
import { exitCodes } from "../exitCodes.ts";
import {
  type ProgramFlags,
  type ProgramRequest,
  programArgument,
  programOptions,
  programRequest,
  runWords,
} from "../options/programOptions.ts";
import { solverOption } from "../options/solverOptions.ts";
import { usageError, wholeNumber } from "../options/values.ts";
import { shellWords } from "../shellWords.ts";
import { packageVersion } from "../version.ts";

type VerifyFlags = Omit<ProgramFlags, "uninitialized"> &
  OutputFlags & {
    readonly uninitialized?: string;
    readonly solver: string;
    readonly property: string;
    readonly engine: string;
    readonly plain?: boolean;
    readonly explain?: boolean;
    readonly proof?: string;
    readonly witness?: string;
    readonly interpolation: boolean;
    readonly explainVerdict?: boolean;
    readonly maxMegabytes?: string;
  };

type VerifyRequest = ProgramRequest & {
  readonly solver: "auto" | "wasm" | "z3" | "cvc5";
  readonly property: Property;
  readonly engines: readonly EngineName[] | null;
  readonly interpolation: boolean;
  readonly seed: number;
  readonly explain: boolean;
  /** Where the certificate is written. */
  readonly proof: string | null;
  /** A correctness witness that is to be checked. */
  readonly witness: string | null;
  readonly explainVerdict: boolean;
  readonly megabytes: number | null;
  readonly replay: { readonly before: readonly string[]; readonly after: readonly string[] };
};

type VerifyAnswer = {
  readonly report: VerifyReport;
  readonly sources: ReadonlyMap<string, string>;
  /** Why the failing run fails, where that was asked. */
  readonly explained: Explanation | null;
  /** Where statements and loops are, for witnesses. */
  readonly outlines: ReadonlyMap<string, SourceOutline>;
};

/** Without `--timeout` this is how long engines try, in seconds. */
const defaultSeconds = 60;

const engineChoices = [
  "portfolio",
  "runs",
  "unrolling",
  "houdini",
  "k-induction",
  "spacer",
  "cells",
  "guarded",
  "minimax",
];

/** What nothing was written to may hold anything, unless reading it is an error: no assumption is made that need not be. */
const uninitializedOption = {
  flags: "--uninitialized <mode>",
  help: "what memory and variables that nothing was written to hold; error with --property uninitialised and all, else input",
  choices: ["error", "input"],
} as const;

function withUninitialized(given: Given<VerifyFlags>): Given<VerifyFlags & { readonly uninitialized: string }> {
  const { uninitialized, property } = given.flags;
  if (property === "uninitialised" && uninitialized === "input") {
    throw usageError("with --uninitialized input nothing is read before it is written; leave it out");
  }
  const isError = property === "uninitialised" || property === "all";
  return { ...given, flags: { ...given.flags, uninitialized: uninitialized ?? (isError ? "error" : "input") } };
}

/** `tracefold verify`: 0 safe, 1 unsafe, 3 unknown. */
export const verify: Command<VerifyFlags, VerifyRequest, VerifyAnswer> = {
  name: "verify",
  summary: "safe, unsafe, or why that is not known: for all runs of a program, with a certificate or failing inputs",
  ...programArgument,
  options: [
    ...programOptions.map((option) => (option.flags.startsWith("--uninitialized") ? uninitializedOption : option)),
    {
      flags: "--property <name>",
      help: "what is to hold of all runs",
      choices: ["assert", "overflow", "bounds", "null", "div-by-zero", "uninitialised", "all"],
      default: "assert",
    },
    {
      flags: "--engine <name>",
      help: "who decides; portfolio: all of them in turn",
      choices: engineChoices,
      default: "portfolio",
    },
    {
      flags: "--proof <folder>",
      help: "write the certificate there, with a script for each obligation: check reads it",
    },
    { flags: "--witness <path>", help: "check the invariants of an SV-COMP correctness witness (2.x) instead" },
    { flags: "--explain", help: "where a run fails, say why, as tracefold explain does" },
    { flags: "--plain", help: "the paper's algorithm alone: minimax, without runs" },
    { flags: "--no-interpolation", help: "minimax without forgetting, to see what that is worth" },
    { flags: "--explain-verdict", help: "which engine did what, how long it took, and all invariants" },
    { flags: "--max-megabytes <count>", help: "memory that each solver may take" },
    solverOption("who searches; certificates are checked by another one where there is one"),
  ],
  request(asked) {
    const given = withUninitialized(asked);
    const { flags, programArguments } = given;
    return {
      ...programRequest(given),
      solver: flags.solver as VerifyRequest["solver"],
      property: flags.property as Property,
      engines: flags.plain ? ["minimax"] : flags.engine === "portfolio" ? null : [flags.engine as EngineName],
      interpolation: flags.interpolation,
      seed: wholeNumber("--seed", flags.seed),
      proof: flags.proof ?? null,
      witness: flags.witness ?? null,
      explain: flags.explain ?? (flags.format === "sarif" || flags.format === "witness"),
      explainVerdict: flags.explainVerdict ?? false,
      megabytes: flags.maxMegabytes === undefined ? null : wholeNumber("--max-megabytes", flags.maxMegabytes),
      replay: {
        before: [
          ...runWords({
            ...given,
            flags: { ...flags, ub: flags.property === "overflow" || flags.property === "all" ? "error" : "wrap" },
          }),
        ],
        after: programArguments.length === 0 ? [] : ["--", ...programArguments],
      },
    };
  },
  work,
  formats: {
    async text({ report, sources, explained }, { paint, request }) {
      const { verifyText } = await import("../../report/verifyText.ts");
      const source = (path: string) => sources.get(path) ?? null;
      const verdict = verifyText(report, { paint, source, explainVerdict: request.explainVerdict });
      if (explained === null) return verdict;
      const { explanationText } = await import("../../report/explanationText.ts");
      const why = explanationText(explained, { paint, source, headed: false, verbose: false });
      return `${verdict}\n${why}`;
    },
    json: reportAsJson,
    async sarif({ explained }) {
      if (explained === null) return { nothing: "no run was found that fails" };
      const { toSarif } = await import("../../formats/sarif.ts");
      return `${JSON.stringify(toSarif(explained), null, 2)}\n`;
    },
    async witness({ report, explained, outlines }) {
      const none = { nothing: "nothing is known that a witness could say" };
      const outline = (path: string) => outlines.get(path) ?? null;
      if (explained === null) {
        const { toCorrectnessWitness } = await import("../../formats/witness/correctnessWitness.ts");
        return toCorrectnessWitness(report, { outline }) ?? none;
      }
      const { toViolationWitness } = await import("../../formats/witness/violationWitness.ts");
      return toViolationWitness(explained, { outline }) ?? none;
    },
  },
  isGood: ({ report }) => report.verdict === "safe" && report.assumptions.length === 0,
  exitCode({ report }) {
    if (report.witness?.invariants.some(({ verdict }) => verdict === "violated")) return exitCodes.programIsWrong;
    if (report.verdict === "safe") return exitCodes.fine;
    return report.verdict === "unsafe" ? exitCodes.programIsWrong : exitCodes.unknown;
  },
};

async function work(request: VerifyRequest, at: Workplace): Promise<VerifyAnswer> {
  const start = performance.now();
  const { loadRequested, requestedProject, requestedRun } = await import("../requestedProgram.ts");
  const { verifyProgram } = await import("../../jobs/verify/verifyProgram.ts");
  const { describeVerification } = await import("../../jobs/verify/describeVerification.ts");
  const { assertWritable } = await import("../../proof/proofFolder.ts");
  if (request.proof !== null) assertWritable(request.proof);
  at.report("loading");
  const project = await requestedProject(request);
  const given = request.witness === null ? null : await givenInvariants(request.witness);
  const program = await loadRequested(project, request, at, given === null ? {} : { stated: given.stated });
  given?.check(program);
  const { inputs: _, undefinedBehaviour: __, ...run } = requestedRun(request, at);
  const options: VerifyOptions = {
    property: request.property,
    engines: request.engines,
    solver: request.solver,
    seed: request.seed,
    interpolation: request.interpolation,
    ...(request.megabytes === null ? {} : { megabytes: request.megabytes }),
    milliseconds: 1000 * (request.timeoutSeconds ?? defaultSeconds),
    run,
    cancellation: at.cancellation,
    progress: at.report,
  };
  const { verification, witness } =
    given === null
      ? { verification: verifyProgram(program, options), witness: null }
      : (await import("../../jobs/verify/validateWitness.ts")).validateWitness(program, given.conditions, options);
  at.report("printing");
  const about = {
    version: packageVersion(),
    ms: Math.round(performance.now() - start),
    replay: (inputs: readonly string[]) => replayCommand(request, inputs),
  };
  const report = describeVerification(program, verification, request, about, witness);
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  const { outlineC } = await import("../../c/cFrontEnd.ts");
  const outlines = await outlineC(project, request);
  if (request.proof !== null && given === null && verification.verdict.kind === "safe") {
    const { toCorrectnessWitness } = await import("../../formats/witness/correctnessWitness.ts");
    const written = toCorrectnessWitness(report, { outline: (path) => outlines.get(path) ?? null })!;
    const { writeProof } = await import("../writeProof.ts");
    const { programProof } = await import("../../proof/proofFolder.ts");
    const { certificate, obligations } = verification.verdict;
    writeProof(request.proof, request, project, program, {
      claim: programProof(request.property, certificate),
      obligations,
      attached: new Map([["witness.yml", written]]),
    });
  }
  if (!request.explain || verification.verdict.kind !== "unsafe") return { report, sources, outlines, explained: null };
  const { explainFound } = await import("../../explain/explainFound.ts");
  const explained = await explainFound(
    { trace: withoutWrapping(verification.verdict.trace, await import("../../interpreter/trace.ts")), notes: [] },
    {
      solver: { backend: request.solver },
      cancellation: at.cancellation,
      progress: at.report,
      failed: () => {},
      about: () => ({ version: packageVersion(), ms: Math.round(performance.now() - start) }),
      replay: (inputs) => replayCommand(request, inputs),
    },
  );
  return { report, sources, outlines, explained };
}

/** The conditions of a correctness witness, as the front end takes them. */
async function givenInvariants(path: string) {
  const { readInvariants } = await import("../../interop/witness/readInvariants.ts");
  const { checkWitnessFiles } = await import("../../interop/witness/readInvariants.ts");
  const { readGiven } = await import("../../base/files.ts");
  const witness = readInvariants(readGiven("--witness", path), path);
  const stated = witness.invariants.map(({ kind, location: { file, line, column }, value, at }) => ({
    kind,
    file,
    line,
    column,
    condition: value,
    at,
  }));
  return {
    stated,
    conditions: witness.invariants.map(({ location: { file, line, column }, value, at }) => ({
      text: value,
      location: { file, line, column: column ?? 1, endLine: line, endColumn: column ?? 1 },
      at,
    })),
    check: (program: Program) => checkWitnessFiles(witness, program, path),
  };
}

/** The same failing run, where nothing in it overflows: then more can be said of it. */
function withoutWrapping(trace: Trace, { recordTrace }: typeof import("../../interpreter/trace.ts")): Trace {
  if (trace.settings.undefinedBehaviour === "stop") return trace;
  const { args, stdin, programName } = trace.settings;
  const again = recordTrace(trace.program, {
    inputs: trace.inputs.map(({ value }) => value),
    args,
    stdin,
    ...(programName === null ? {} : { programName }),
    maxSteps: trace.steps + 1,
  });
  return again.outcome.kind === trace.outcome.kind && again.steps === trace.steps ? again : trace;
}

function replayCommand({ replay }: VerifyRequest, inputs: readonly string[]): string {
  const given = inputs.length === 0 ? [] : [`--inputs=${inputs.join(",")}`];
  return shellWords([...replay.before, ...given, ...replay.after]);
}
