import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { enumeratePaths, type Path } from "../../cutpoints/block.ts";
import type { Patience } from "../../cutpoints/generalize.ts";
import type { Annotation } from "../../cutpoints/houdini.ts";
import type { Edge } from "../../ir/program.ts";
import { type Assignment, evaluate } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import type { Activation, Run } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import type { Prover } from "../../solver/solver.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import type { Approximation } from "../../symbolic/stepEnvironment.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { type CompressContext, type Fold, needOf, needOfTarget, type UnmetNeed, unmetNeed } from "./fold.ts";
import { type Attempt, alternatives, foldLoop, type LoopInvariant } from "./foldLoop.ts";
import { jumpedIntoActivations, jumpedIntoLoops } from "./jumpedInto.ts";
import { countedSite, type LoopSite, loopSite, type PointObligation, startSite } from "./loopSite.ts";

export type FoldFailure = {
  readonly activation: Pick<Activation, "function" | "loop" | "visits">;
  readonly depth: number;
  readonly reason: string;
  /** The requirement that no invariant met; null if that is not the reason. */
  readonly need: UnmetNeed | null;
  /** The visits from which folding was tried, with the number of candidates. */
  readonly tried: readonly Pick<Attempt, "from" | "candidates">[];
  /** The strongest invariant found; it did not suffice. */
  readonly best: LoopInvariant | null;
  /** A statement that invalidates a fact that would have sufficed. */
  readonly lost: Loss | null;
};

export type CompressedTrace = {
  readonly folds: readonly Fold[];
  readonly failures: readonly FoldFailure[];
  readonly target: Target;
  readonly approximations: readonly Approximation[];
  /**
   * Why the program start is not shown to imply the first fold or the target; null if it is, or if nothing was asked.
   */
  readonly gap: string | null;
  readonly interrupted: boolean;
};

/** After this many failures in a row a loop is not tried again. */
const mostFailures = 3;

/** The experience with later activations of a loop. */
type LoopHistory = {
  failed: number;
  readonly patience: Patience;
  /** Searched once; undefined before. */
  loss: Loss | null | undefined;
};

type Work = { readonly activation: Activation; readonly depth: number; opened: boolean };
type Folded = { readonly fold: Fold; readonly site: LoopSite };

/**
 * COMPRESSTRACE (000 §V-A) with GENERALIZE built in. The paper goes forwards with the strongest invariants and weakens
 * them at the end. Here loops are folded from the last to the first, each against the known condition that the rest of
 * the folded run needs, so every attempt is one implication. If a loop cannot provide what the next fold needs, that
 * fold is repeated with what the loop can provide.
 */
export function compressTrace(context: CompressContext, target: Target): CompressedTrace {
  const { run, symbols } = context;
  const folded: Folded[] = [];
  const failures: FoldFailure[] = [];
  const known = new Map<string, LoopHistory>();
  const approximations = new Map<string, Approximation>();
  const note = (approximation: Approximation) => {
    const { file, line, column } = approximation.range;
    approximations.set(`${file}:${line}:${column}:${approximation.reason}`, approximation);
  };
  const currentObligation = (): PointObligation =>
    folded.length === 0 ? needOfTarget(context, target) : needOf(symbols, nth(folded, folded.length - 1).fold);
  // A stack with later activations on top. An activation is opened after its content behind its last visit was pushed.
  const work: Work[] = outermost(run, 0, target.step, [], 0);
  const hasLoops = work.length > 0;
  let interrupted = false;
  const isInterrupted = () => {
    interrupted ||= context.prover.cancellation.isCancelled();
    return interrupted;
  };
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { activation, depth } = item;
    const lastVisit = nth(activation.visits, activation.visits.length - 1);
    if (!item.opened) {
      item.opened = true;
      // The loops inside of the last, partial iteration.
      const end = Math.min(activation.end, currentObligation().step);
      work.push(item, ...outermost(run, lastVisit, end, [activation], depth + 1));
      continue;
    }
    if (isInterrupted()) {
      failures.push({ activation, depth, ...untried("the work was ended before") });
      continue;
    }
    const key = `${activation.function.id}:${activation.loop.header}`;
    const history = known.get(key) ?? { failed: 0, patience: { unanswered: 0 }, loss: undefined };
    known.set(key, history);
    const { failed } = history;
    const result =
      failed < mostFailures
        ? foldActivation(context, history, activation, currentObligation(), folded, note)
        : untried(`it was not tried: the same loop failed ${failed} times in a row further on`);
    if ("reason" in result && isInterrupted()) {
      failures.push({ activation, depth, ...untried("the work was ended meanwhile") });
      continue;
    }
    if ("reason" in result) {
      history.failed++;
      failures.push({ activation, depth, ...result });
      // Inner loops may still fold, iteration by iteration.
      work.push(...outermost(run, nth(activation.visits, 0), lastVisit, [activation], depth + 1));
      continue;
    }
    history.failed = 0;
    history.patience.unanswered = 0;
    folded.push({ fold: { ...result.invariant, activation, depth }, site: result.site });
    const begin = nth(activation.visits, result.invariant.from);
    work.push(...outermost(run, nth(activation.visits, 0), begin, [activation], depth + 1));
  }
  // Without loops nothing can be given up: the checker decides whether the run implies its target.
  const gap = hasLoops ? establish(context, currentObligation, folded, failures, note, isInterrupted) : null;
  const folds = folded.map(({ fold }) => fold).reverse();
  failures.push(...jumpedInto(run, target.step, folds));
  return {
    folds,
    failures: failures.sort((a, b) => nth(a.activation.visits, 0) - nth(b.activation.visits, 0)),
    target,
    approximations: [...approximations.values()],
    gap,
    interrupted,
  };
}

/** The outermost loop activations in a stretch, descending into the given ones. */
function outermost(run: Run, from: number, to: number, through: readonly Activation[], depth: number): Work[] {
  const activations = run.activations({
    from,
    to,
    isTransparent: (frame, loop) => through.some((outer) => outer.frame === frame && outer.loop === loop),
  });
  return activations
    .filter(({ visits }) => visits.length > 1)
    .map((activation) => ({ activation, depth, opened: false }));
}

/** The reason why a loop is not folded: an inner loop, perhaps in another function, is jumped into. */
function jumpInside({ function: fn, loop }: Activation, error: TracefoldError): string {
  const inner = jumpedIntoLoops(fn).find((each) => loop.body.has(each.loop.header));
  if (inner === undefined) return `${error.message} (TF210)`;
  return `control jumps into a loop inside of it at line ${linesOf(inner.jumps)}, which has no invariant (TF210)`;
}

function linesOf(edges: readonly Edge[]): string {
  return [...new Set(edges.map(({ range }) => range.line))].join(", ");
}

/** Unfolded loops without a single head, with the places where control jumps into them. */
function jumpedInto(run: Run, end: number, folds: readonly Fold[]): FoldFailure[] {
  const isFolded = (step: number) =>
    folds.some(
      ({ activation: { visits }, from }) => nth(visits, from) <= step && step < nth(visits, visits.length - 1),
    );
  return jumpedIntoActivations(run)
    .filter(({ visits: [first] }) => first! < end && !isFolded(first!))
    .map(({ jumps, depth, ...activation }) => {
      const only = "only a loop that is entered at its head has an invariant (TF210)";
      const reason = `control jumps into it at line ${linesOf(jumps)}: ${only}`;
      return { activation, depth, ...untried(reason) };
    });
}

type Failed = Pick<FoldFailure, "reason" | "need" | "tried" | "best" | "lost">;

function untried(reason: string): Failed {
  return { reason, need: null, tried: [], best: null, lost: null };
}

/** Folds one activation; repeats the fold after it if necessary. */
function foldActivation(
  context: CompressContext,
  history: LoopHistory,
  activation: Activation,
  need: PointObligation,
  folded: Folded[],
  note: (approximation: Approximation) => void,
): { readonly invariant: LoopInvariant; readonly site: LoopSite } | Failed {
  try {
    const site = loopSite(context, activation, need, note);
    const result = foldLoop({ ...context, patience: history.patience }, site);
    if (result.kind === "folded") return { invariant: result.invariant, site };
    const again = refoldNext(context, site, result.attempts, folded, note);
    if (again !== null) return again;
    const counted = result.isUnmet ? foldCounted(context, history, site) : null;
    if (counted !== null) return counted;
    const { attempts } = result;
    const unmet = result.isUnmet ? unmetNeed(context.symbols, site) : null;
    if (history.loss === undefined) history.loss = lossIn(context, site, attempts);
    const tried = attempts.map(({ from, candidates }) => ({ from, candidates }));
    return { reason: result.reason, need: unmet, tried, best: result.best(), lost: history.loss };
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return untried(error.code === "TF210" ? jumpInside(activation, error) : `${error.message} (${error.code})`);
  }
}

/**
 * The count may begin after this many rounds, and it needs a minimum of rounds: fewer are easier to read than a count.
 */
const countedFrom = [0, 1] as const;
const leastCounted = 4;

/**
 * Tries an invariant that counts rounds, if none over the program's own variables suffices. It is the last choice,
 * because it only covers runs with the same number of rounds.
 */
function foldCounted(
  context: CompressContext,
  history: LoopHistory,
  site: LoopSite,
): { readonly invariant: LoopInvariant; readonly site: LoopSite } | null {
  if (context.options.families !== "extended") return null;
  for (const from of countedFrom) {
    const isShort = site.activation.visits.length - 1 - from < leastCounted;
    if (isShort || context.prover.cancellation.isCancelled()) break;
    const counted = countedSite(context.symbols, site, from);
    const result = foldLoop({ ...context, patience: history.patience }, counted, undefined, from);
    if (result.kind === "folded") return { invariant: result.invariant, site: counted };
  }
  return null;
}

/** The place where the first needed fact of an attempt is invalidated. */
function lossIn(context: CompressContext, site: LoopSite, attempts: readonly Attempt[]): Loss | null {
  const { prover, symbols } = context;
  const session = prover.open(site.obligation.hypotheses, "quick");
  // A fact that contradicts the rest of the run implies everything and is useless.
  const isSensible = (fact: Term) => session.implies([fact], symbols.terms.bool(false)).kind === "refuted";
  for (const { lost, annotation } of attempts.slice(0, alternatives)) {
    const fact = lost.find(isSensible);
    if (fact === undefined) continue;
    session.close();
    return losingStep(context, site, annotation("quick"), fact);
  }
  session.close();
  return null;
}

/**
 * The loop has invariants, but none implies what the next fold needs. Fold that one again with only those candidates
 * that an invariant of this loop establishes.
 */
function refoldNext(
  context: CompressContext,
  site: LoopSite,
  attempts: readonly Attempt[],
  folded: Folded[],
  note: (approximation: Approximation) => void,
): { readonly invariant: LoopInvariant; readonly site: LoopSite } | null {
  const next = folded[folded.length - 1];
  if (next === undefined) return null;
  for (const { from, annotation } of attempts.slice(0, alternatives)) {
    const root = present(annotation().get(nodeKey(site.system.root)));
    const result = foldLoop(
      context,
      next.site,
      (step, formulas) => site.establishes(step, root, formulas),
      next.fold.from,
    );
    if (result.kind !== "folded") continue;
    const refolded = { site: next.site, fold: { ...next.fold, ...result.invariant } };
    const again = loopSite(context, site.activation, needOf(context.symbols, refolded.fold), note);
    const own = foldLoop(context, again, undefined, from);
    if (own.kind !== "folded") continue;
    folded[folded.length - 1] = refolded;
    return { invariant: own.invariant, site: again };
  }
  return null;
}

/**
 * Checks that the program start implies the first requirement; gives up a fold for which it does not. After a
 * cancellation nothing is given up, because the checker does not run either.
 */
function establish(
  context: CompressContext,
  currentObligation: () => PointObligation,
  folded: Folded[],
  failures: FoldFailure[],
  note: (approximation: Approximation) => void,
  isInterrupted: () => boolean,
): string | null {
  const refolded = new Set<LoopSite>();
  while (!isInterrupted()) {
    const need = currentObligation();
    const start = startSite(context, need.step, note);
    const answer = start.proves(need);
    if (answer === null || isInterrupted()) return null;
    const first = folded.pop();
    if (first === undefined) return answer;
    const again = refolded.has(first.site)
      ? null
      : foldLoop(
          context,
          first.site,
          (step, formulas) => startSite(context, step, note).establishes(formulas),
          first.fold.from,
        );
    refolded.add(first.site);
    if (again?.kind === "folded") folded.push({ site: first.site, fold: { ...first.fold, ...again.invariant } });
    else {
      const { activation, depth } = first.fold;
      const reason = `what comes before the loop is not shown to lead to its invariant: ${answer}`;
      failures.push({ activation, depth, reason, need: null, tried: [], best: first.fold, lost: null });
    }
  }
  return null;
}

export type Loss = { readonly fact: Term; readonly edge: Edge };

/** Limits, because the result is only a message. */
const mostWays = 40;
const mostQuestions = 24;

/**
 * Finds a way through the body that starts with the annotation and the fact and ends without the fact, and the step on
 * it that invalidates it. Uses the first way found; null if there is none.
 */
export function losingStep(
  { symbols, prover }: { readonly symbols: Symbols; readonly prover: Prover },
  site: LoopSite,
  annotation: Annotation,
  fact: Term,
): Loss | null {
  const blocks = [...site.system.blocks];
  const ways = site.inBody((options) =>
    blocks.map(([, { start }]) => enumeratePaths(symbols, start, options, mostWays).paths),
  );
  let questions = 0;
  for (const [b, [key]] of blocks.entries()) {
    for (const way of nth(ways, b)) {
      const after = inState(symbols, way.state, fact);
      if (after === fact) continue;
      if (++questions > mostQuestions) return null;
      const session = prover.open(way.assumptions, "quick");
      const answer = session.implies([...present(annotation.get(key)), fact], after);
      session.close();
      if (answer.kind === "refuted") return { fact, edge: stepIn(symbols, way, fact, answer.model) };
    }
  }
  return null;
}

/** The step after which the fact is false for the rest of the way. */
function stepIn(symbols: Symbols, way: Path, fact: Term, model: Assignment): Edge {
  let losing = way;
  for (let { before } = way; before !== null; before = before.before) {
    const held = inState(symbols, before.state, fact);
    if (held !== inState(symbols, losing.state, fact) && evaluate(held, model) !== false) break;
    if (before.before !== null) losing = before;
  }
  return present(losing.edges.at(-1));
}
