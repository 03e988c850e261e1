import { throwIfCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import type { BlockOptions } from "../../cutpoints/block.ts";
import type { ExitObligation } from "../../cutpoints/generalize.ts";
import { keepImplied } from "../../cutpoints/houdini.ts";
import { buildLoopSystem, countRounds, insideOf, type LoopSystem } from "../../cutpoints/loopSystem.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import {
  assumedOnWay,
  type Encoder,
  type ExecutedTrace,
  encodeAt,
  type RunEncoding,
  type TracePosition,
} from "../../recordedRun/executeTrace.ts";
import { executeStretch, stretchOf } from "../../recordedRun/foldedRun.ts";
import type { Activation } from "../../recordedRun/run.ts";
import type { ProofSession } from "../../solver/solver.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import { type Approximation, bodyEnvironment } from "../../symbolic/stepEnvironment.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";
import type { CompressContext } from "./fold.ts";

/** An obligation at a point of the run: the target, or the invariant of the next fold. */
export type PointObligation = {
  readonly step: number;
  /** The obligation in the state after a stretch of the run. */
  conclusion(position: TracePosition, encoding: RunEncoding): Term;
};

/** A loop of the run with its body as formulas, and the obligation after it. */
export type LoopSite = {
  readonly activation: Activation;
  readonly system: LoopSystem;
  readonly obligation: ExitObligation;
  /** The round counter, if `system` has one. */
  readonly rounds: Variable | null;
  /** Approximations between the loop and its obligation. */
  readonly unexpressed: readonly Approximation[];
  /** Encodes parts of the body. */
  inBody<Result>(work: (options: BlockOptions) => Result): Result;
  /** The objects that pointers pointed into when the loop was left. */
  pointsTo(places: readonly Variable[]): readonly (readonly SymbolicObject[])[];
  /** The formulas that hold at a later step whenever the invariant holds at the loop's exit. */
  establishes(step: number, invariant: readonly Term[], formulas: readonly Term[]): readonly Term[];
};

export function loopSite(
  context: CompressContext,
  activation: Activation,
  need: PointObligation,
  note: (approximation: Approximation) => void,
): LoopSite {
  const { symbols, prover, run } = context;
  const { stack, loop, visits } = activation;
  const lastVisit = { step: nth(visits, visits.length - 1), location: loop.header, stack };
  const wanted = () => throwIfCancelled(prover.cancellation, "folding a loop");
  const anyway = encodeAt(symbols, run, lastVisit);
  const encoder: Encoder = (work) => anyway((encoding) => work({ ...encoding, wanted }));
  const encodeWithNotes: Encoder = (work) => {
    const encoded = encoder(work);
    encoded.notes.forEach(note);
    return encoded;
  };
  const encode = <Result>(work: (encoding: RunEncoding) => Result): Result => encodeWithNotes(work).result;
  const executeTo = (step: number, encoding: RunEncoding): ExecutedTrace =>
    executeStretch(symbols, run, stretchOf(run, lastVisit, step), encoding);
  const { result: needed, notes: unexpressed } = encodeWithNotes((encoding) => {
    const executed = executeTo(need.step, encoding);
    return { executed, conclusion: need.conclusion(executed, encoding) };
  });
  const rest = needed.executed;
  const root = headNode(activation);
  const bodyOf = (encoding: RunEncoding) => bodyEnvironment(symbols, run, encoding);
  return {
    activation,
    obligation: { hypotheses: assumptionsOf(rest), conclusion: needed.conclusion },
    unexpressed,
    rounds: null,
    system: encode((encoding) => buildLoopSystem(symbols, root, bodyOf(encoding))),
    inBody: (work) => encode((encoding) => work({ isInside: insideOf(root), environment: bodyOf(encoding) })),
    pointsTo: (places) => encoder(({ pointsTo }) => places.map(pointsTo)).result,
    establishes(step, invariant, formulas) {
      const executed = step === need.step ? rest : encode((encoding) => executeTo(step, encoding));
      const session = prover.open(assumptionsOf(executed));
      try {
        return holding(symbols, session, executed, invariant, formulas);
      } finally {
        session.close();
      }
    },
  };
}

/** The same loop with a round counter, which starts at the visit `from`. */
export function countedSite(symbols: Symbols, site: LoopSite, from: number): LoopSite {
  const { terms } = symbols;
  const rounds = symbols.rounds(site.system.root);
  const count = site.activation.visits.length - 1 - from;
  const { hypotheses, conclusion } = site.obligation;
  return {
    ...site,
    rounds,
    system: countRounds(symbols, site.system, count),
    obligation: { hypotheses: [...hypotheses, terms.eq(rounds, terms.int(count))], conclusion },
  };
}

/** The run from the start of the program to a step. */
export type StartSite = {
  /** null if the run implies the need, otherwise the reason why that is not shown. */
  proves(need: PointObligation): string | null;
  establishes(formulas: readonly Term[]): readonly Term[];
};

export function startSite(
  context: CompressContext,
  step: number,
  note: (approximation: Approximation) => void,
): StartSite {
  const { symbols, prover, run } = context;
  const encoding: RunEncoding = { pointsTo: () => [], note };
  const executed = executeStretch(symbols, run, stretchOf(run, null, step), encoding);
  const within = <Result>(use: (session: ProofSession) => Result): Result => {
    const session = prover.open(assumptionsOf(executed));
    try {
      return use(session);
    } finally {
      session.close();
    }
  };
  return {
    proves: (need) =>
      within((session) => {
        const answer = session.implies([], need.conclusion(executed, encoding));
        if (answer.kind === "proved") return null;
        return answer.kind === "unknown"
          ? `the solver cannot decide it (${answer.reason})`
          : "the model of the run is not exact enough";
      }),
    establishes: (formulas) => within((session) => holding(symbols, session, executed, [], formulas)),
  };
}

function holding(
  symbols: Symbols,
  session: ProofSession,
  executed: ExecutedTrace,
  assumed: readonly Term[],
  formulas: readonly Term[],
): readonly Term[] {
  const goals = formulas.map((formula) => inState(symbols, executed.state, formula));
  const kept = keepImplied(symbols.terms, session, () => assumed, goals);
  return formulas.filter((_, i) => kept.has(i));
}

function assumptionsOf(executed: ExecutedTrace): readonly Term[] {
  return assumedOnWay(executed).flatMap(conjuncts);
}

/** The node of a loop's head in the activation's own frame. */
function headNode(activation: Activation): InlinedNode {
  return {
    function: activation.function,
    location: activation.loop.header,
    frame: activation.frame,
    context: null,
  };
}
