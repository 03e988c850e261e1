import { boundedUnrolling } from "../../analyses/verify/boundedUnrolling.ts";
import {
  type Background,
  type EngineName,
  emptyKnowledge,
  type Finding,
  type Knowledge,
  type Task,
  type VerifyEngine,
} from "../../analyses/verify/engine.ts";
import { excludeUndefined } from "../../analyses/verify/excludeUndefined.ts";
import { cellsEngine, guardedEngine, houdiniEngine } from "../../analyses/verify/invariantEngine.ts";
import { kInduction } from "../../analyses/verify/kInduction.ts";
import { minimax } from "../../analyses/verify/minimax/engine.ts";
import type { Tree } from "../../analyses/verify/minimax/tree.ts";
import { type Racer, spacer } from "../../analyses/verify/spacer.ts";
import {
  type Cancellation,
  type CancelReason,
  cancelledAfter,
  cancelledAfterTurn,
  divided,
  neverCancelled,
  orWhen,
  type WorkClock,
  workClock,
} from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { GuardedObligation } from "../../cutpoints/block.ts";
import { type Certificate, certificateOf } from "../../cutpoints/certificate.ts";
import { buildModel, type ProgramModel } from "../../cutpoints/programModel.ts";
import type { UnwrittenMemory } from "../../cutpoints/unroll.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { RecordedInput } from "../../interpreter/machine.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { isFalse } from "../../logic/term.ts";
import { type CertificateCheck, checkCertificate } from "../../proof/checkCertificate.ts";
import { otherCheckers, startCheckers } from "../../proof/checkObligations.ts";
import { type BackendChoice, findBackends } from "../../solver/backend/backends.ts";
import type { Solver } from "../../solver/solver.ts";
import { createSolver, type SolverChain } from "../../solver/solverChain.ts";
import type { Approximation } from "../../symbolic/stepEnvironment.ts";
import { assertAgreesWithRuns, confirmRun, violates } from "./confirmRun.ts";
import type { EngineReport } from "./result.ts";
import { deepRunsEngine, isArithmetic, onlyRunFinding, tryRuns, undefinedRuns } from "./tryRuns.ts";
import type { Verdict, VerdictReason, Verification, VerifyOptions } from "./verification.ts";

/** The clock measures turns, so that they do not depend on the load of the machine; work of other processes is `beside`. */
type Running = VerifyOptions & {
  readonly cancellation: Cancellation;
  readonly beside: Cancellation;
  readonly clock: WorkClock;
};

/** Decides a program: engines run in order and share their findings; every finding is checked. */
export function verifyProgram(program: Program, given: VerifyOptions): Verification {
  const end = performance.now() + given.milliseconds;
  const { own, beside } = divided(given.cancellation ?? neverCancelled);
  const isProcess = findBackends(given.solver)[0]?.name !== "wasm";
  const options: Running = { ...given, cancellation: own, beside, clock: workClock(isProcess ? own.processes : null) };
  const log: EngineReport[] = [];
  let tree: Verification["tree"] = null;
  const counted = (counts: Tree["counts"]) => {
    tree = counts;
  };
  const built = modelOf(program, options);
  const { cancellation } = options;
  const chain = startSearch(options);
  try {
    const judge = createFindingChecker(program, options, log, end);
    const knowledge = built.model === null ? null : emptyKnowledge(built.model);
    const verdict =
      judge.byOnlyRun() ??
      (built.model === null || knowledge === null
        ? judge.unsafeByRuns(null)
        : decideModel(built.model, knowledge, options, judge, { solver: chain.solver, end, counted }));
    const solver = { queries: chain.statistics.queries, ms: Math.round(chain.statistics.milliseconds) };
    const interruption = cancellation.isCancelled() ? cancellation.reason : performance.now() > end ? "timeout" : null;
    const reasons = built.reason === null ? missing(built.model, log, interruption) : [built.reason];
    const known = knowledge?.invariants ?? new Map();
    return {
      verdict: unlessInvented(program, verdict) ?? { kind: "unknown", reasons },
      log,
      model: built.model,
      known,
      solver,
      tree,
    };
  } finally {
    chain.solver.dispose();
  }
}

/** A failing run shows nothing if it needs results that unsupported library functions may never give. */
function unlessInvented(program: Program, verdict: Verdict | null): Verdict | null {
  if (verdict?.kind !== "unsafe") return verdict;
  const edgeOf = (input: RecordedInput) => nth(nth(program.functions, input.function).edges, input.edge);
  const invented = verdict.trace.inputs.find((input) => {
    const { operation } = edgeOf(input);
    return operation.kind === "input" && operation.isInvented === true;
  });
  if (invented === undefined) return verdict;
  const reason = `a run fails, but it uses a result of ${invented.source} that was made up`;
  const help = `The library function ${invented.source} is not supported: define it in the program.`;
  return { kind: "unknown", reasons: [{ reason, where: edgeOf(invented).range, help }] };
}

/** Starts the solver of the engines. */
export function startSearch({ solver, megabytes, cancellation = neverCancelled }: VerifyOptions): SolverChain {
  return createSolver({
    backend: solver,
    cache: false,
    vectors: true,
    limits: { resources: 0, milliseconds: 20_000 },
    cancellation,
    ...(megabytes === undefined ? {} : { megabytes }),
  });
}

type Built =
  | { readonly model: ProgramModel; readonly reason: null }
  | { readonly model: null; readonly reason: VerdictReason };

function modelOf(program: Program, { property, arithmetic }: VerifyOptions): Built {
  try {
    return { model: buildModel(program, { property, arithmetic }), reason: null };
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { model: null, reason: { reason: error.message, where: error.range ?? null, help: error.help ?? "" } };
  }
}

function decideModel(
  model: ProgramModel,
  knowledge: Knowledge,
  options: Running,
  checker: FindingChecker,
  around: {
    readonly solver: Task["solver"];
    readonly end: number;
    readonly counted: (counts: Tree["counts"]) => void;
  },
): Verdict | null {
  const outer = options.cancellation;
  const task: Task = { model, knowledge, solver: around.solver, cancellation: outer, confirm: checker.confirm };
  const isWhole = model.holes.length === 0;
  const isPlain = options.engines?.length === 1 && options.engines[0] === "minimax";
  if (isWhole && !isPlain && isTriviallySafe(model)) {
    const finding: Finding = { kind: "safe", certificate: certificateOf(model, knowledge.invariants) };
    const verdict = checker.judge("unrolling", finding, performance.now(), task);
    if (verdict !== null) return verdict;
  }
  const wanted = (name: EngineName) => options.engines === null || options.engines.includes(name);
  const failing = isPlain ? null : checker.unsafeByRuns(task);
  if (failing !== null) return failing;
  const engines = (options.plan ?? enginePlan(options, around.counted, options.clock)).filter(
    // If some code is not encoded, only errors can be found.
    ({ engine }) =>
      wanted(engine.name) && (isWhole || (["unrolling", "runs"].includes(engine.name) && !isTriviallySafe(model))),
  );
  return runEngines(task, engines, options, checker, around.end, isWhole);
}

/** Runs the engines in order; work in other processes continues in the background. */
function runEngines(
  task: Task,
  engines: ReturnType<typeof enginePlan>,
  options: Running,
  checker: FindingChecker,
  end: number,
  isWhole: boolean,
): Verdict | null {
  const { clock, cancellation: outer } = options;
  const beside: Beside[] = [];
  // Another engine's answer ends the current work.
  const hasOther = () => beside.some(({ work }) => work.hasAnswer());
  const judged = (name: EngineName, finding: Finding, start: number): Verdict | null => {
    if (finding.kind === "safe" && !isWhole && finding.certificate.kind !== "run") return null;
    const verdict = checker.judge(name, finding, start, task, hasOther);
    if (verdict?.kind === "safe") assertAgreesWithRuns(task.model, verdict.certificate, task.knowledge);
    return verdict;
  };
  const collect = (isWanted: (one: Beside) => boolean): Verdict | null => {
    for (let one = beside.find(isWanted); one !== undefined; one = beside.find(isWanted)) {
      beside.splice(beside.indexOf(one), 1);
      const verdict = judged(one.name, one.work.finding(), one.start);
      if (verdict !== null) return verdict;
    }
    return null;
  };
  const run = ({ engine, share }: (typeof engines)[number], left: number): Verdict | null => {
    const start = performance.now();
    if (engine.begin !== undefined && engines.length > 1) {
      const begun = engine.begin({ ...task, cancellation: cancelledAfter(left, options.beside) });
      if ("kind" in begun) return judged(engine.name, begun, start);
      beside.push({ name: engine.name, work: begun, start });
      return null;
    }
    const mine = engines.length === 1 ? left : Math.max(1000, share * options.milliseconds);
    const turn = startTurn(clock, mine, left);
    const cancellation = orWhen(hasOther, cancelledAfterTurn(mine, clock, cancelledAfter(left, outer)));
    const solver = cappedSolver(task.solver, () => (hasOther() ? 0 : turn.wallLeft()));
    return judged(engine.name, engine.decide({ ...task, solver, cancellation }), start);
  };
  try {
    for (const planned of engines) {
      const left = end - performance.now();
      if (left <= 0 || outer.isCancelled()) break;
      options.progress?.(planned.engine.name);
      const verdict = run(planned, left) ?? collect(({ work }) => work.hasAnswer());
      if (verdict !== null) return verdict;
    }
    if (beside.length > 0 && !outer.isCancelled()) options.progress?.("spacer");
    while (beside.length > 0 && !outer.isCancelled()) {
      const verdict = collect(({ work }) => work.isOver());
      if (verdict !== null) return verdict;
      waitAWhile();
    }
    return null;
  } finally {
    for (const { work } of beside) work.stop();
  }
}

/** How long, by the clock on the wall, the rest of a turn may take: longer if the machine does other work, too. */
function startTurn(clock: WorkClock, mine: number, left: number): { wallLeft(): number } {
  const [start, begun] = [performance.now(), clock.now()];
  return {
    wallLeft() {
      const [wall, work] = [performance.now() - start, clock.now() - begun];
      const slowness = Math.min(mostSlowness, Math.max(1, wall / Math.max(1, work)));
      return Math.min(left - wall, (mine - work) * slowness);
    },
  };
}

const mostSlowness = 8;

/** An engine that works in other processes. */
type Beside = { readonly name: EngineName; readonly work: Background; readonly start: number };

function waitAWhile(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);
}

/** Checks findings: a failing run is run again, a certificate is proved again. */
type FindingChecker = {
  confirm: Task["confirm"];
  /** `hasOther`: another answer is ready, so that slow checks are not worth it. */
  judge(
    engine: VerifyEngine["name"],
    finding: Finding,
    start: number,
    task?: Task,
    hasOther?: () => boolean,
  ): Verdict | null;
  /** Decides a program that has only one run, and no long one. */
  byOnlyRun(): Verdict | null;
  /** Tries concrete runs, if requested; the task learns their visits of heads. */
  unsafeByRuns(task: Task | null): Verdict | null;
};

function createFindingChecker(program: Program, options: Running, log: EngineReport[], end: number): FindingChecker {
  const { property, arithmetic } = options;
  const { clock, cancellation: outer } = options;
  const turnOf = (milliseconds: number) => {
    return cancelledAfterTurn(milliseconds, clock, cancelledAfter(end - performance.now(), outer));
  };
  let failure: Trace | null = null;
  const confirm = (inputs: readonly InputValue[], memory?: UnwrittenMemory) => {
    failure = confirmRun(program, inputs, {
      property,
      arithmetic,
      run: options.run,
      ...(memory === undefined ? {} : { memory }),
    });
    return failure !== null;
  };
  const judge: FindingChecker["judge"] = (engine, finding, start, task, hasOther) => {
    const ms = Math.round(performance.now() - start);
    const note = (result: EngineReport["result"], detail: string) => log.push({ engine, result, detail, ms });
    if (finding.kind === "unknown") note("unknown", finding.reason);
    if (finding.kind === "unsafe") {
      if (!confirm(finding.inputs, finding.memory)) {
        note("refused", "no run fails with the inputs that it gives");
        return null;
      }
      note("unsafe", "");
      return { kind: "unsafe", engine, trace: failure! };
    }
    if (finding.kind === "unknown") return null;
    options.progress?.("checking");
    const inTime = cancelledAfter(Math.max(5000, end - performance.now()), outer);
    const cancellation = orWhen(() => hasOther?.() === true, inTime);
    const checkStart = performance.now();
    const checked = checkAgain(program, finding.certificate, options, cancellation);
    note(checked.kind === "proved" ? "safe" : "refused", checked.kind === "proved" ? "" : checked.reason);
    if (checked.kind === "refused") return null;
    const found = { certificate: finding.certificate, checked };
    const runs =
      checked.assumptions.length === 0 ? [] : undefinedRuns(program, options, checked.assumptions, turnOf(3000));
    const refuted = refutedAssumption(options, runs);
    if (refuted !== null) return refuted;
    const { certificate, checked: last } = task === undefined ? found : fewerAssumptions(task, found, runs);
    const checkMs = Math.round(performance.now() - checkStart);
    const { by: checkedBy, asked: questions, assumptions } = last;
    const { obligations } = last.proof;
    const [exception = null] = runs;
    return { kind: "safe", engine, certificate, checkedBy, questions, obligations, assumptions, exception, checkMs };
  };
  /** Tries to exclude what the verdict would assume, and the runs do not do. */
  const fewerAssumptions = (task: Task, found: Checked, runs: readonly Trace[]): Checked => {
    const { certificate, checked } = found;
    if (certificate.kind === "run") return found;
    const placeOf = ({ file, line, column }: SourceRange, problem: string) => `${problem}:${file}:${line}:${column}`;
    const open = new Set<string>(checked.assumptions.map(({ behaviour, range }) => placeOf(range, behaviour)));
    for (const { outcome } of runs) {
      if (outcome.kind === "undefined-behaviour") open.delete(placeOf(outcome.at.range, outcome.problem));
    }
    const isOpen = ({ range, problem }: GuardedObligation) => open.has(placeOf(range, problem));
    if (!task.model.regions.some(({ assumed }) => assumed.some(isOpen))) return found;
    const milliseconds = Math.min(end - performance.now(), shareOfConditions * options.milliseconds);
    if (milliseconds <= 0) return found;
    const turn = startTurn(clock, milliseconds, end - performance.now());
    // Candidates come from runs.
    if (task.knowledge.runs.length === 0) {
      tryRuns(program, options, task, turnOf(milliseconds / 4));
    }
    const { solver: backend, megabytes } = options;
    const racers = racersOf(backend).slice(0, 1);
    const solver = cappedSolver(task.solver, turn.wallLeft);
    const stronger = excludeUndefined({ ...task, solver }, certificate, isOpen, clock, {
      milliseconds,
      racers,
      megabytes,
    });
    if (stronger === null) return found;
    const cancellation = cancelledAfter(Math.max(5000, end - performance.now()), options.cancellation);
    const again = checkAgain(program, stronger, options, cancellation);
    const isBetter = again.kind === "proved" && again.assumptions.length < checked.assumptions.length;
    return isBetter ? { certificate: stronger, checked: again } : found;
  };
  return {
    confirm,
    judge,
    byOnlyRun() {
      if (options.engines !== null && !options.engines.includes("runs")) return null;
      const start = performance.now();
      const cancellation = turnOf(Math.max(300, 0.02 * options.milliseconds));
      const finding = onlyRunFinding(program, options, cancellation);
      return finding === null ? null : judge("runs", finding, start);
    },
    unsafeByRuns(task) {
      if (options.engines !== null && !options.engines.includes("runs") && task === null) return null;
      const start = performance.now();
      options.progress?.("runs");
      const cancellation = turnOf(Math.max(1500, 0.08 * options.milliseconds));
      const { finding, trace } = tryRuns(program, options, task, cancellation);
      const isWanted = options.engines === null || options.engines.includes("runs");
      if (!isWanted) return null;
      const ms = Math.round(performance.now() - start);
      log.push({ engine: "runs", result: trace === null ? "unknown" : "unsafe", detail: finding, ms });
      return trace === null ? null : { kind: "unsafe", engine: "runs", trace };
    },
  };
}

/** The part of the time limit for excluding what a proof leaves as conditions. */
const shareOfConditions = 0.1;

type Checked = { readonly certificate: Certificate; readonly checked: CertificateCheck & { readonly kind: "proved" } };

/** Rejects an assumption that a run violates, unless it is about arithmetic. */
function refutedAssumption(options: VerifyOptions, [trace]: readonly Trace[]): Verdict | null {
  if (trace === undefined || trace.outcome.kind !== "undefined-behaviour") return null;
  if (violates(options.property, trace.outcome)) return { kind: "unsafe", engine: "runs", trace };
  if (isArithmetic(trace.outcome)) return null;
  const { message, at } = trace.outcome;
  const inputs = trace.inputs.slice(0, 20).map(({ value }) => value);
  const given = inputs.length === 0 ? "" : `with inputs ${inputs.join(",")}: `;
  const reason = `the property holds in runs without undefined behaviour, but ${given}${message}`;
  const help = "Undefined behaviour may do anything, so nothing can be said of the runs behind it; correct it first.";
  return { kind: "unknown", reasons: [{ reason, where: at.range, help }] };
}

function isTriviallySafe({ regions }: ProgramModel): boolean {
  return regions.every(({ errors }) => errors.every(({ guard }) => isFalse(guard)));
}

/** Proves a certificate again with solvers that did not find it. */
export function checkAgain(
  program: Program,
  certificate: Certificate,
  { property, arithmetic, solver, megabytes }: VerifyOptions,
  cancellation: Cancellation,
): CertificateCheck {
  const settings = {
    milliseconds: 20_000,
    cancellation,
    vectors: true,
    ...(megabytes === undefined ? {} : { megabytes }),
  };
  const checkers = () => startCheckers(otherCheckers(solver), settings);
  return checkCertificate(program, certificate, { property, arithmetic, checkers, cancellation });
}

function missing(
  model: ProgramModel | null,
  log: readonly EngineReport[],
  interruption: CancelReason | null,
): readonly VerdictReason[] {
  const holes = model?.holes ?? [];
  if (holes.length > 0) return holes.map(({ reason, range, help }) => ({ reason, where: range, help }));
  if (interruption === "timeout") {
    return [{ reason: "the time is up", where: null, help: "Give it more with --timeout." }];
  }
  if (interruption !== null) {
    const help = "What was proved until then is below; it holds, but does not suffice.";
    return [{ reason: "interrupted", where: null, help }];
  }
  const refused = log.find(({ result }) => result === "refused");
  if (refused !== undefined) {
    const reason = `${refused.engine} has an answer that could not be checked: ${refused.detail}`;
    return [{ reason, where: null, help: "Give it more time with --timeout, or another solver with --solver." }];
  }
  if (model !== null && model.approximations.length > 0) return model.approximations.slice(0, mostTold).map(openOf);
  const reason = "no engine finds invariants that are strong enough, or a run that fails";
  const help = "Assert inside of the loops what always holds there: engines try conditions that they see.";
  return [{ reason, where: null, help }];
}

const mostTold = 3;

/** An approximation that a proof may depend on. */
function openOf({ reason, range }: Approximation, i: number): VerdictReason {
  const help = "A proof has to hold whatever comes of it. Check its result where it is used, or ask tracefold explore.";
  return { reason: `the formulas leave open what comes of ${reason}`, where: range, help: i === 0 ? help : "" };
}

/** The order of the engines, and the share of the time for each. */
export function enginePlan(
  options: VerifyOptions,
  counted: (counts: Tree["counts"]) => void,
  clock: WorkClock = workClock(null),
): readonly { readonly engine: VerifyEngine; readonly share: number }[] {
  const { milliseconds, interpolation, solver, megabytes } = options;
  const [first, second] = racersOf(solver);
  const deep = 0.25;
  return [
    { engine: spacer({ racers: [first], milliseconds, megabytes }), share: 1 },
    { engine: boundedUnrolling({ mostDepth: 80, resources: 2_000_000 }), share: 0.08 },
    { engine: houdiniEngine, share: 0.1 },
    { engine: kInduction(4_000_000), share: 0.05 },
    { engine: spacer({ racers: [second], milliseconds, megabytes }), share: 1 },
    { engine: cellsEngine, share: 0.15 },
    { engine: guardedEngine, share: 0.15 },
    { engine: deepRunsEngine(options, deep * milliseconds, clock), share: deep },
    { engine: minimax({ interpolates: interpolation ?? true, counted }), share: 0.2 },
    { engine: boundedUnrolling({ mostDepth: 2000, resources: 60_000_000 }), share: 0.4 },
  ];
}

/**
 * Two racers: one starts without knowledge, one is told the findings of others. Neither is better on all programs.
 * Global guidance is only in the embedded version.
 */
export function racersOf(solver: BackendChoice): readonly [Racer, Racer] {
  const native: BackendChoice = solver === "cvc5" ? "auto" : solver;
  return [
    { backend: native, global: false, told: "nothing", linear: true },
    { backend: "wasm", global: true, told: "equations", linear: false },
  ];
}

/** The smallest time limit of a query, because starting takes time, too. */
const leastMilliseconds = 250;

/** A solver whose queries take no longer than the remaining time of an engine. */
export function cappedSolver(solver: Solver, left: () => number): Solver {
  // cvc5 must be restarted for each new limit.
  const limit = (asked: number | undefined): number => {
    const most = Math.min(
      asked ?? 20_000,
      solver.name.startsWith("cvc5") ? 20_000 : Math.max(leastMilliseconds, left()),
    );
    // Limits are powers of two, so that they rarely change.
    return 2 ** Math.ceil(Math.log2(most));
  };
  return {
    get name() {
      return solver.name;
    },
    push: () => solver.push(),
    pop: (levels) => solver.pop(levels),
    assert: (...formulas) => solver.assert(...formulas),
    check: (assumptions, options = {}) =>
      solver.check(assumptions, {
        ...options,
        limits: { ...options.limits, milliseconds: limit(options.limits?.milliseconds) },
      }),
    run: (script, limits) => solver.run(script, limits),
    reset: () => solver.reset(),
    prepare: () => solver.prepare(),
    dispose: () => solver.dispose(),
  };
}
