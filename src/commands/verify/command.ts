import type { EngineName } from "../../analyses/verify/engine.ts";
import type { SourceOutline } from "../../c/outline.ts";
import type { ArithmeticMode } from "../../cutpoints/obligation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { type Command, reportAsJson, type Workplace } from "../command.ts";
import type { Explanation } from "../explain/result.ts";
import {
  choice,
  flag,
  type Options,
  optionalChoice,
  optionalCount,
  text,
  usageError,
  type Values,
} from "../options/option.ts";
import {
  longRunSteps,
  openIfAsked,
  type PageRequest,
  type ProgramRequest,
  pageLine,
  pageOptions,
  pageRequest,
  programArgument,
  programOptions,
  programRequest,
  runWords,
  stepWords,
} from "../options/programOptions.ts";
import { solverOption } from "../options/solverOptions.ts";
import { exitCodes, packageVersion, shellWords } from "../output.ts";
import type { VerifyReport } from "./result.ts";
import type { VerifyOptions } from "./verification.ts";

const defaultSeconds = 60;

const options = {
  ...programOptions,
  maxSteps: longRunSteps,
  // By default uninitialised memory may hold any value, unless reading it is an error: verify makes no extra
  // assumptions.
  uninitialized: optionalChoice(
    "--uninitialized <mode>",
    "the content of uninitialised memory; default: error with --property uninitialised and all, else input",
    ["error", "input"],
  ),
  property: choice(
    "--property <name>",
    "the property to prove of all runs",
    ["assert", "overflow", "bounds", "null", "div-by-zero", "uninitialised", "all"],
    "assert",
  ),
  integers: choice(
    "--integers <kind>",
    "machine: an overflow of signed arithmetic ends a run; unbounded: int and larger types hold every integer",
    ["machine", "unbounded"],
    "machine",
  ),
  engine: choice(
    "--engine <name>",
    "the engine to use; portfolio: all of them in turn",
    ["portfolio", "runs", "unrolling", "houdini", "k-induction", "spacer", "cells", "guarded", "minimax"],
    "portfolio",
  ),
  proof: text(
    "--proof <folder>",
    "write the certificate to a folder for tracefold check, with a script for each obligation",
  ),
  witness: text("--witness <path>", "check the invariants of an SV-COMP correctness witness (2.x) instead"),
  explain: flag("--explain", "explain the failing run, like tracefold explain"),
  plain: flag("--plain", "the paper's algorithm alone: minimax, without runs"),
  interpolation: flag("--no-interpolation", "minimax without interpolation, for comparison"),
  explainVerdict: flag("--explain-verdict", "print the work and time of each engine, and all invariants"),
  megabytes: optionalCount("--max-megabytes <count>", "memory limit of each solver"),
  solver: solverOption("who searches; certificates are checked by another one where there is one"),
  ...pageOptions,
} satisfies Options;

type VerifyValues = Values<typeof options>;

type VerifyRequest = ProgramRequest &
  PageRequest &
  Pick<
    VerifyValues,
    "solver" | "property" | "interpolation" | "explain" | "proof" | "witness" | "explainVerdict" | "megabytes"
  > & {
    readonly engines: readonly EngineName[] | null;
    readonly arithmetic: ArithmeticMode;
    readonly replay: { readonly before: readonly string[]; readonly after: readonly string[] };
  };

type VerifyAnswer = {
  readonly report: VerifyReport;
  readonly sources: ReadonlyMap<string, string>;
  /** The explanation of the failing run, if requested. */
  readonly explained: Explanation | null;
  readonly outlines: ReadonlyMap<string, SourceOutline>;
};

function uninitializedMode({ uninitialized, property }: VerifyValues): "error" | "input" {
  if (property === "uninitialised" && uninitialized === "input") {
    throw usageError("with --uninitialized input nothing is read before it is written; leave it out");
  }
  return uninitialized ?? (property === "uninitialised" || property === "all" ? "error" : "input");
}

function arithmeticMode({ integers, undefinedBehaviour, property }: VerifyValues): ArithmeticMode {
  const isOverflow = property === "overflow" || property === "all";
  const given = integers === "unbounded" ? "--integers unbounded" : undefinedBehaviour === "wrap" ? "--ub wrap" : null;
  if (given !== null && isOverflow) throw usageError(`with ${given} no arithmetic overflows; leave it out`);
  if (integers === "machine") return undefinedBehaviour === "wrap" ? "wrap" : "stop";
  if (undefinedBehaviour === "wrap") throw usageError("unbounded integers do not wrap: leave out --integers or --ub");
  return "unbounded";
}

export const verify: Command<typeof options, VerifyRequest, VerifyAnswer> = {
  name: "verify",
  summary: "prove that no run fails, or find one that does",
  ...programArgument,
  options,
  request(given) {
    const { flags, programArguments } = given;
    const { solver, property, engine, plain, interpolation, proof, witness, explainVerdict, megabytes } = flags;
    const uninitialized = uninitializedMode(flags);
    const arithmetic = arithmeticMode(flags);
    return {
      ...programRequest(given, { ...flags, uninitialized, maxSteps: flags.maxSteps ?? Number.POSITIVE_INFINITY }),
      ...pageRequest(flags),
      ...{ solver, property, arithmetic, interpolation, proof, witness, explainVerdict, megabytes },
      engines: plain ? ["minimax"] : engine === "portfolio" ? null : [engine],
      explain: flags.explain || flags.format === "sarif" || flags.format === "witness",
      replay: {
        before: runWords(given, { uninitialized, undefinedBehaviour: flags.undefinedBehaviour }),
        after: programArguments.length === 0 ? [] : ["--", ...programArguments],
      },
    };
  },
  work,
  formats: {
    async text({ report, sources, explained }, { paint, request }) {
      const { verifyText } = await import("../../render/verifyText.ts");
      const source = (path: string) => sources.get(path) ?? null;
      const verdict = verifyText(report, { paint, source, explainVerdict: request.explainVerdict });
      const page = pageLine(request, paint);
      if (explained === null) return `${verdict}${page}`;
      const { explainText } = await import("../../render/explainText.ts");
      const why = explainText(explained, { paint, source, verbose: false });
      return `${verdict}\n${why}${page}`;
    },
    json: reportAsJson,
    async sarif({ explained }) {
      if (explained === null) return { nothing: "no run was found that fails" };
      const { toSarif } = await import("../../render/sarif.ts");
      return `${JSON.stringify(toSarif(explained), null, 2)}\n`;
    },
    async witness({ report, explained, outlines }) {
      const none = { nothing: "nothing is known that a witness could say" };
      const outline = (path: string) => outlines.get(path) ?? null;
      if (explained === null) {
        const { toCorrectnessWitness } = await import("../../render/witness/invariantWitness.ts");
        return toCorrectnessWitness(report, { outline }) ?? none;
      }
      const { toViolationWitness } = await import("../../render/witness/violationWitness.ts");
      return toViolationWitness(explained, { outline }) ?? none;
    },
  },
  exitCode({ report }) {
    if (report.witness?.invariants.some(({ verdict }) => verdict === "violated")) return exitCodes.programIsWrong;
    if (report.verdict === "safe") return exitCodes.fine;
    return report.verdict === "unsafe" ? exitCodes.programIsWrong : exitCodes.unknown;
  },
  async finish(_, { flags, request }, user) {
    await openIfAsked(request, flags, user);
    return exitCodes.fine;
  },
};

async function work(request: VerifyRequest, at: Workplace): Promise<VerifyAnswer> {
  const start = performance.now();
  const { loadRequested, requestedProject, requestedRun } = await import("../request.ts");
  const { verifyProgram } = await import("./pipeline.ts");
  const { describeVerification } = await import("./describeVerification.ts");
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
    arithmetic: request.arithmetic,
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
      : (await import("./validateWitness.ts")).validateWitness(program, given.conditions, options);
  at.report("printing");
  const about = {
    version: packageVersion(),
    ms: Math.round(performance.now() - start),
    replay: (inputs: readonly string[], steps: number) => replayCommand(request, inputs, steps),
  };
  const report = describeVerification(program, verification, request, about, witness);
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  const { outlineC } = await import("../../c/cFrontEnd.ts");
  const outlines = await outlineC(project, request);
  if (request.proof !== null && given === null && verification.verdict.kind === "safe") {
    const { toCorrectnessWitness } = await import("../../render/witness/invariantWitness.ts");
    const written = toCorrectnessWitness(report, { outline: (path) => outlines.get(path) ?? null })!;
    const { writeProof } = await import("../writeFiles.ts");
    const { programProof } = await import("../../proof/proofFolder.ts");
    const { certificate, obligations } = verification.verdict;
    writeProof(request.proof, request, project, program, {
      claim: programProof(request, certificate),
      obligations,
      attached: new Map([["witness.yml", written]]),
    });
  }
  const failing = verification.verdict.kind === "unsafe" ? verification.verdict.trace : null;
  const trace = failing === null ? null : withoutWrapping(failing, await import("../../interpreter/trace.ts"));
  const explained = !request.explain || trace === null ? null : await explainRun(trace, request, at, start);
  if (request.page !== null) {
    at.report("writing the page");
    const { writeRunPage } = await import("../writeRunPage.ts");
    await writeRunPage(request.page, { report, explanation: explained, sources }, trace);
  }
  return { report, sources, outlines, explained };
}

async function explainRun(trace: Trace, request: VerifyRequest, at: Workplace, start: number): Promise<Explanation> {
  const { explainFoundRun } = await import("../explain/pipeline.ts");
  return explainFoundRun(
    { trace, notes: [] },
    {
      solver: { backend: request.solver },
      cancellation: at.cancellation,
      progress: at.report,
      about: () => ({ version: packageVersion(), ms: Math.round(performance.now() - start) }),
      replay: (inputs) => replayCommand(request, inputs, trace.steps),
    },
  );
}

async function givenInvariants(path: string) {
  const { checkWitnessFiles, readInvariants } = await import("../../interop/witness/readInvariants.ts");
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

/** The same failing run without wrapping, if nothing in it overflows: more can be proved about it. */
function withoutWrapping(trace: Trace, { runTrace }: typeof import("../../interpreter/trace.ts")): Trace {
  if (trace.settings.undefinedBehaviour === "stop") return trace;
  const { args, stdin, programName } = trace.settings;
  const again = runTrace(trace.program, {
    inputs: trace.inputs.map(({ value }) => value),
    args,
    stdin,
    ...(programName === null ? {} : { programName }),
    maxSteps: trace.steps + 1,
  });
  return again.outcome.kind === trace.outcome.kind && again.steps === trace.steps ? again : trace;
}

function replayCommand({ replay }: VerifyRequest, inputs: readonly string[], steps: number): string {
  const given = inputs.length === 0 ? [] : [`--inputs=${inputs.join(",")}`];
  return shellWords([...replay.before, ...given, ...stepWords(steps), ...replay.after]);
}
