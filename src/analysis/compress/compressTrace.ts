import { TracefoldError } from "../../base/errors.ts";
import type { Term } from "../../logic/term.ts";
import { executeTrace, type TracePosition } from "../../symbolic/executeTrace.ts";
import { nodeKey } from "../../symbolic/inlinedNode.ts";
import { inState } from "../../symbolic/inState.ts";
import { pointerHints } from "../../symbolic/pointerHints.ts";
import type { Prover } from "../../symbolic/prover.ts";
import { type Activation, findActivations, stepsBetween } from "../../symbolic/recordedRun.ts";
import { startOfProgram } from "../../symbolic/startOfProgram.ts";
import { originState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import {
  type Approximation,
  bodySurroundings,
  type RunFacts,
  traceSurroundings,
} from "../../symbolic/traceSurroundings.ts";
import type { Trace } from "../../trace/trace.ts";
import { type Fold, type FoldFailure, type FoldOptions, foldLoop, headNode } from "./foldLoop.ts";
import type { Obligation } from "./generalize.ts";
import { buildLoopSystem, type LoopSystem } from "./loopSystem.ts";
import type { Target } from "./target.ts";

/** A recorded run whose loops are folded as far as they could be, in the order of the run. */
export type CompressedTrace = {
  readonly folds: readonly Fold[];
  readonly failures: readonly FoldFailure[];
  readonly target: Target;
  readonly approximations: readonly Approximation[];
};

export type CompressContext = {
  readonly symbols: Symbols;
  readonly prover: Prover;
  readonly run: Trace;
  readonly facts: RunFacts;
  readonly options: FoldOptions;
  /** Called when a loop is looked at. */
  progress?(activation: Activation): void;
};

/** What must hold at a point of the run: the target, or the invariant of the next fold. */
type Need = {
  readonly step: number;
  /** In the state that a stretch of the run leads to. */
  conclusion(position: TracePosition): Term;
};

/**
 * COMPRESSTRACE (000 §V-A) with GENERALIZE built in. The paper goes forwards with the strongest invariants and weakens
 * them at the end; here the loops are folded from the last to the first, each against the condition that the rest of
 * the folded run needs, which is known by then. So every attempt is one implication, and no loop is looked at twice.
 */
export function compressTrace(context: CompressContext, target: Target): CompressedTrace {
  const { run } = context;
  const folds: Fold[] = [];
  const failures: FoldFailure[] = [];
  const approximations = new Map<string, Approximation>();
  const note = (approximation: Approximation) => {
    const { file, line, column } = approximation.range;
    approximations.set(`${file}:${line}:${column}:${approximation.reason}`, approximation);
  };
  let need: Need = {
    step: target.step,
    conclusion: (position) => {
      const surroundings = traceSurroundings(context.symbols, context.facts, { pointsTo: () => [], note });
      return target.formula(context.symbols, position, surroundings(target.step));
    },
  };
  // Later activations are further up; an activation is opened once what it contains after its last visit is on the stack.
  const work: { activation: Activation; opened: boolean }[] = outermost(run, 0, target.step, []);
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { activation } = item;
    const lastVisit = activation.visits[activation.visits.length - 1]!;
    if (!item.opened) {
      work.push({ activation, opened: true }, ...outermost(run, lastVisit, need.step, [activation]));
      continue;
    }
    context.progress?.(activation);
    const result = attempt(context, activation, need, note);
    if (result.kind === "failed") {
      failures.push(result);
      // What is inside may still fold, iteration by iteration.
      work.push(...outermost(run, activation.visits[0]!, lastVisit, [activation]));
      continue;
    }
    const { fold } = result;
    folds.push(fold);
    const begin = activation.visits[fold.from]!;
    work.push(...outermost(run, activation.visits[0]!, begin, [activation]));
    const invariant = context.symbols.terms.all(fold.annotation.get(nodeKey(fold.system.root))!);
    need = { step: begin, conclusion: (position) => inState(context.symbols, position.state, invariant) };
  }
  establish(context, need, note);
  return {
    folds: folds.reverse(),
    failures: failures.reverse(),
    target,
    approximations: [...approximations.values()],
  };
}

/** Loop activations in a stretch, looking through those given. */
function outermost(run: Trace, from: number, to: number, through: readonly Activation[]) {
  const activations = findActivations(run, {
    from,
    to,
    isTransparent: (frame, loop) => through.some((outer) => outer.frame === frame && outer.loop === loop),
  });
  return activations.filter(({ visits }) => visits.length > 1).map((activation) => ({ activation, opened: false }));
}

function attempt(
  context: CompressContext,
  activation: Activation,
  need: Need,
  note: (approximation: Approximation) => void,
): ReturnType<typeof foldLoop> {
  const { symbols, prover, run, facts, options } = context;
  const lastVisit = activation.visits[activation.visits.length - 1]!;
  const { stack, loop } = activation;
  const hints = pointerHints(symbols, run, { step: lastVisit, location: loop.header, stack });
  try {
    const { steps } = stepsBetween(run, lastVisit, need.step);
    const rest = hints.until((pointsTo) =>
      executeTrace(
        symbols,
        steps,
        { state: originState, stack },
        traceSurroundings(symbols, facts, { pointsTo, note }),
      ),
    );
    const obligation: Obligation = {
      hypotheses: rest.assumptions.map(({ formula }) => formula),
      conclusion: need.conclusion(rest),
    };
    const system: LoopSystem = hints.until((pointsTo) =>
      buildLoopSystem(symbols, headNode(activation), bodySurroundings(symbols, { pointsTo, note })),
    );
    return foldLoop(symbols, prover, run, activation, system, obligation, options);
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { kind: "failed", activation, reason: error.message, tried: [], best: [] };
  }
}

/** The start of the program leads to what is needed first. It did on the run, so a refutation is a defect of ours. */
function establish(context: CompressContext, need: Need, note: (approximation: Approximation) => void): void {
  const { symbols, prover, run, facts } = context;
  const { steps, stack } = stepsBetween(run, 0, need.step);
  const start = { state: startOfProgram(symbols), stack };
  const prefix = executeTrace(symbols, steps, start, traceSurroundings(symbols, facts, { pointsTo: () => [], note }));
  const session = prover.open(prefix.assumptions.map(({ formula }) => formula));
  const answer = session.implies([], need.conclusion(prefix));
  session.close();
  if (answer.kind === "proved") return;
  throw new TracefoldError({
    code: "TF311",
    message:
      answer.kind === "unknown"
        ? `the solver cannot decide that the run reaches its target: ${answer.reason}`
        : "the model of the run is not exact enough to show that it reaches its target",
    range: context.run.program.functions[context.run.program.entry]!.range,
    help: "What was approximated is listed with its place.",
  });
}
