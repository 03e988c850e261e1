import type { Cancellation } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { Defect, TracefoldError } from "../base/errors.ts";
import { contentOf, type FileSource, OutputExhausted } from "../c/library/files.ts";
import type { Stream } from "../c/library/stdio/streams.ts";
import type { FunctionId, Program } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { type CompiledProgram, compileProgram, type RunningProgram } from "./compile/compileProgram.ts";
import type { CompileMode } from "./compile/context.ts";
import { InputMissing, LimitReached, RunEnded } from "./control.ts";
import { createMachine, entryArguments, withPlainMachine } from "./createMachine.ts";
import { describeProblem } from "./describeProblem.ts";
import { type Expected, isSameNumber, outputDiffers, unmetAtEnd, WrongOutput } from "./expected.ts";
import type { InputSource, InputValue } from "./inputs.ts";
import { countedSteps, type Machine, type RecordedInput, type WriteVisitor } from "./machine.ts";
import { MemoryExhausted } from "./memory/memory.ts";
import { UnrepresentablePointer, unsupportedPointer } from "./memory/pointerArithmetic.ts";
import { lockConstants } from "./memory/staticLayout.ts";
import type { EndPlace, Limit, Outcome } from "./outcome.ts";
import { UndefinedRun } from "./problem.ts";
import type { Captures } from "./rerun/checkpoints.ts";
import type { Variation } from "./rerun/variation.ts";
import type { DependenceTracker } from "./track/tracker.ts";

export type RunResult = {
  readonly outcome: Outcome;
  /** Completed edges, without the edge that failed with undefined behaviour. */
  readonly steps: number;
  readonly inputs: readonly RecordedInput[];
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The contents of the files that the program opened, by path; null if removed. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  readonly outsidePaths: readonly string[];
  /** The tests of a unit-test framework that the program has, in order. */
  readonly tests: readonly string[];
};

export function runProgram(program: Program, options: RunOptions = {}): RunResult {
  return execute(program, options, { ...plainMode, undefinedBehaviour: options.undefinedBehaviour ?? "stop" }).result;
}

export const plainMode: CompileMode = { undefinedBehaviour: "stop", record: false, writes: false, hooks: null };

/** Thrown by an observer to end the replay. */
export class StopReplay extends Error {}

export type Execution = {
  readonly result: RunResult;
  readonly compiled: CompiledProgram;
  /** Numbers of the paths taken (see `paths.ts`); the last one or two may extend past the end of the run. */
  readonly paths: readonly Int32Array[];
};

export function execute(
  program: Program,
  options: RunOptions,
  mode: CompileMode,
  watching: ReplayHooks = {},
): Execution {
  const compiled = compileProgram(program, mode);
  const run = (machine: Machine, running: RunningProgram): Execution => {
    watching.begin?.(machine, running);
    const { outcome, steps } = runToEnd(machine, running, options);
    const result: RunResult = { outcome, steps, inputs: [...machine.inputs], ...leftBehind(machine) };
    return { result, compiled, paths: mode.record ? collectLog(machine) : [] };
  };
  if (Object.keys(watching).length === 0) return withPlainMachine(program, options, compiled, run);
  const machine = createMachine(program, options, compiled, watching);
  return run(machine, compiled.start(machine));
}

function leftBehind({ library }: Machine): Omit<RunResult, "outcome" | "steps" | "inputs"> {
  const { streams, files, tests } = library.state;
  // `freopen` may have replaced it by a file.
  const standard = ({ content, mode }: Stream) => (mode.seeks ? new Uint8Array(0) : contentOf(content));
  return {
    stdout: standard(streams.stdout),
    stderr: standard(streams.stderr),
    files: new Map([...files.changed].map(([path, content]) => [path, content && contentOf(content)])),
    outsidePaths: [...files.outside],
    tests: [...new Set(tests)],
  };
}

/** Runs the program's initialiser. */
export function initialise({ program, memory }: Machine, running: RunningProgram): void {
  running.functions[program.initializer]!();
  lockConstants(program, memory);
}

export function runToEnd(
  machine: Machine,
  running: RunningProgram,
  options: RunOptions,
): { outcome: Outcome; steps: number } {
  const { program } = machine;
  try {
    initialise(machine, running);
    const code = running.functions[program.entry]!(...entryArguments(machine, options));
    return { outcome: exitOutcome(machine, exitCode(code), null), steps: countedSteps(machine) };
  } catch (error) {
    return endOfRun(machine, error);
  }
}

function exitCode(value: ScalarValue | undefined): number {
  return value === undefined ? 0 : Number(BigInt.asUintN(8, BigInt(Math.trunc(Number(value)))));
}

/** An exit is a failure if something else was expected. */
function exitOutcome({ library }: Machine, code: number, at: EndPlace | null): Outcome {
  const unmet = unmetAtEnd(library.expected, library.state, code);
  return unmet === null ? { kind: "exit", code, at } : { ...unmet, at };
}

function endOfRun(machine: Machine, error: unknown): { outcome: Outcome; steps: number } {
  const steps = countedSteps(machine);
  if (error instanceof RunEnded) return { outcome: failOutcome(machine, error), steps };
  if (error instanceof UndefinedRun) {
    const site = machine.sites[error.site];
    if (site === undefined) throw new Defect(`undefined behaviour (${error.problem.kind}) at no site`);
    const { program, sites, memory } = machine;
    const at = placeOf(machine, error.site);
    const edge = nth(nth(program.functions, at.function).edges, at.edge);
    const description = describeProblem({ program, sites, memory, site, edge }, error.problem);
    return { outcome: { kind: "undefined-behaviour", ...description, at }, steps: steps - site.remaining };
  }
  if (error instanceof WrongOutput) {
    const at = placeOf(machine, error.site);
    const { expected, state } = machine.library;
    const outcome: Outcome = { ...outputDiffers(expected!, state, error), at };
    return { outcome, steps: steps - nth(machine.sites, error.site).remaining };
  }
  if (error instanceof InputMissing) {
    const at = placeOf(machine, error.site);
    const { source, type } = error.request;
    const given = machine.inputs.length;
    const { remaining } = nth(machine.sites, error.site);
    return { outcome: { kind: "needs-input", given, source, type, at }, steps: steps - remaining };
  }
  if (error instanceof LimitReached) return { outcome: limitOutcome(error.limit, machine), steps };
  if (error instanceof OutputExhausted) return { outcome: limitOutcome("output", machine), steps };
  if (error instanceof MemoryExhausted) return { outcome: limitOutcome("memory", machine), steps };
  if (error instanceof StopReplay) return { outcome: limitOutcome("steps", machine), steps };
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return { outcome: limitOutcome("recursion", machine), steps };
  }
  if (error instanceof RangeError && /allocation failed/.test(error.message)) {
    return { outcome: limitOutcome("memory", machine), steps };
  }
  if (error instanceof UnrepresentablePointer) throw unsupportedPointer(error, placeOf(machine, error.site).range);
  if (error instanceof TracefoldError || error instanceof Defect) throw error;
  throw new Defect("the interpreter failed", { cause: error });
}

function placeOf(machine: Machine, site: number): EndPlace {
  const { function: fn, edge } = nth(machine.sites, site);
  return { function: fn, edge, range: nth(nth(machine.program.functions, fn).edges, edge).range };
}

function failOutcome(machine: Machine, error: RunEnded): Outcome {
  const at = placeOf(machine, error.site);
  const { operation } = nth(nth(machine.program.functions, at.function).edges, at.edge);
  if (operation.kind !== "fail") throw new Defect("a run ended at an edge that does not end it");
  switch (operation.reason) {
    case "exit":
      return exitOutcome(machine, error.code, at);
    case "assumption":
      return { kind: "assumption-violated", text: operation.text, at };
    case "unsupported":
      throw new TracefoldError({ code: "TF243", ...operation.refusal, message: operation.text, range: at.range });
    case "assertion": {
      const { text, check } = operation;
      return { kind: "assertion", text, at, ...(check === undefined ? {} : { check }) };
    }
    default:
      return { kind: operation.reason, text: operation.text, at };
  }
}

function limitOutcome(limit: Limit, machine: Machine): Outcome {
  const { code, message, help } = limitTexts[limit];
  const steps = `after ${countedSteps(machine)} steps`;
  return { kind: "limit", limit, code, message: `${message} ${steps}`, help };
}

const limitTexts: Record<Limit, { code: `TF3${number}`; message: string; help: string }> = {
  steps: { code: "TF341", message: "the limit of steps was reached", help: "Allow more with --max-steps." },
  time: { code: "TF342", message: "the time limit was reached", help: "Allow more with --timeout." },
  memory: { code: "TF343", message: "the program needs more memory than the limit", help: "Give it smaller inputs." },
  recursion: {
    code: "TF344",
    message: "the recursion is too deep for the interpreter",
    help: "Give the program inputs with less recursion.",
  },
  interrupted: { code: "TF345", message: "the run was interrupted", help: "Run it again." },
  output: {
    code: "TF346",
    message: "the program printed more than the limit",
    help: "Give it inputs with less output.",
  },
};

export function collectLog(machine: Machine): Int32Array[] {
  const last = [...machine.log.subarray(0, machine.counters[2]!)];
  const underWay = machine.counters[3]!;
  return [...machine.chunks, Int32Array.from(underWay === 0 ? last : [...last, underWay])];
}

export type RunOptions = {
  /** Values for nondeterministic reads: a list, or a source such as `randomInputs(seed)`. Default: none. */
  readonly inputs?: readonly InputValue[] | InputSource;
  /** The program's own arguments, without its name. */
  readonly args?: readonly string[];
  /** `argv[0]`. */
  readonly programName?: string;
  readonly stdin?: Uint8Array;
  /** The effect of signed overflow; see `CompileMode`. */
  readonly undefinedBehaviour?: "stop" | "wrap";
  /** Default 50 million. */
  readonly maxSteps?: number;
  /** Bytes for the program's objects; default, and at most, 1 GiB. */
  readonly maxMemory?: number;
  readonly cancellation?: Cancellation;
  /** The files that the program finds. Default: none. */
  readonly files?: FileSource;
  /** The only test of a unit-test framework that is run. Default: all. */
  readonly test?: string;
  /** The expected output and exit. Default: anything. */
  readonly expected?: Expected;
  /** Receives standard output during the run; `RunResult.stdout` is then empty. */
  readonly onOutput?: (bytes: Uint8Array) => void;
};

/** Additions of a replay to a run. */
export type ReplayHooks = {
  /** The inputs of the run, read again unchecked. */
  readonly inputs?: readonly RecordedInput[];
  /** Called before the first step. */
  readonly begin?: (machine: Machine, running: RunningProgram) => void;
  readonly observer?: (hook: number, step: number) => void;
  readonly writer?: WriteVisitor;
  readonly tracker?: DependenceTracker;
  readonly variation?: Variation;
  readonly captures?: Captures;
};

/** A run, and in `run.expected` what it must print and return. Without an expectation, status 0 is right. */
export type Test = {
  readonly name: string;
  readonly run: RunOptions & {
    /** A function without parameters, if it is not the program's entry. */
    readonly entry?: FunctionId;
  };
};

export type TestSuite = readonly Test[];

export type FinishedTest = {
  readonly test: Test;
  readonly passes: boolean;
  readonly outcome: Outcome;
  readonly steps: number;
};

export function runTest(program: Program, test: Test): FinishedTest {
  const { entry = program.entry, ...options } = test.run;
  const { outcome, steps } = runProgram(entry === program.entry ? program : { ...program, entry }, options);
  const passes = outcome.kind === "exit" && (options.expected !== undefined || outcome.code === 0);
  return { test, passes, outcome, steps };
}

/** The tests of a unit-test framework: one run each. Empty if the program uses none. */
export function frameworkTests(program: Program, base: RunOptions): TestSuite {
  const asks = program.functions.some(({ edges }) =>
    edges.some(({ operation }) => operation.kind === "callLibrary" && operation.name === "__tf_test_selected"),
  );
  if (!asks) return [];
  const { tests } = runProgram(program, { ...base, test: "" });
  return tests.map((name) => ({ name, run: { ...base, test: name } }));
}

/**
 * The failing test with the fewest steps; null if all pass. A test that fails as it says, by its output or status, comes
 * first. Undefined behaviour may be another fault, and the form of a right number matters least.
 */
export function shortestFailing(results: readonly FinishedTest[]): FinishedTest | null {
  const order = ({ outcome }: FinishedTest): number => {
    if (outcome.kind === "undefined-behaviour") return 1;
    const words = outcome.kind === "wrong-output" ? outcome.difference.words : null;
    return words !== null && isSameNumber(words.expected, words.found) ? 2 : 0;
  };
  const failing = results.filter(({ passes }) => !passes);
  return failing.sort((a, b) => order(a) - order(b) || a.steps - b.steps)[0] ?? null;
}
