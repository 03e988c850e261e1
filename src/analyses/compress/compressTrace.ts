import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { Patience } from "../../cutpoints/generalize.ts";
import type { Edge } from "../../ir/program.ts";
import type { Term } from "../../logic/term.ts";
import type { Activation, Run } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import type { Approximation } from "../../symbolic/stepEnvironment.ts";
import { type CompressContext, type Fold, needOf, needOfTarget, type UnmetNeed, unmetNeed } from "./fold.ts";
import { type Attempt, alternatives, foldLoop, type LoopInvariant } from "./foldLoop.ts";
import { jumpedIntoActivations, jumpedIntoLoops } from "./jumpedInto.ts";
import { countedSite, type LoopSite, loopSite, type PointObligation, startSite } from "./loopSite.ts";
import { type Loss, losingStep } from "./losingStep.ts";

export type FoldFailure = {
  readonly activation: Pick<Activation, "function" | "loop" | "visits">;
  readonly depth: number;
  readonly reason: string;
  /** What no invariant gave; null where that is not the reason. */
  readonly need: UnmetNeed | null;
  /** Visits from which folding was tried, and with how many candidates. */
  readonly tried: readonly Pick<Attempt, "from" | "candidates">[];
  /** The strongest invariant found, which was not enough. */
  readonly best: LoopInvariant | null;
  /** A statement that loses a fact which would have been enough. */
  readonly lost: Loss | null;
};

/** A recorded run whose loops are folded as far as they could be, in the order of the run. */
export type CompressedTrace = {
  readonly folds: readonly Fold[];
  readonly failures: readonly FoldFailure[];
  readonly target: Target;
  readonly approximations: readonly Approximation[];
  /** Why the start of the program is not shown to lead to the first fold, or to the target; null if it is, or nobody asked. */
  readonly gap: string | null;
  readonly interrupted: boolean;
};

/** After so many failures in a row a loop is not tried again: it would not go better a thousand activations later. */
const mostFailures = 3;

/** What is known of a loop of the program from activations further on. */
type LoopHistory = {
  /** How often it was not folded, in a row. */
  failed: number;
  readonly patience: Patience;
  /** Looked for once; undefined before. */
  loss: Loss | null | undefined;
};

type Work = { readonly activation: Activation; readonly depth: number; opened: boolean };
type Folded = { readonly fold: Fold; readonly site: LoopSite };

/**
 * COMPRESSTRACE (000 §V-A) with GENERALIZE built in. The paper goes forwards with the strongest invariants and weakens
 * them at the end; here the loops are folded from the last to the first, each against the condition that the rest of
 * the folded run needs, which is known by then, so every attempt is one implication. A loop that cannot give what the
 * next fold needs makes that one be folded again, with what it can give.
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
  // Later activations are further up; an activation is opened once what it contains after its last visit is on the stack.
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
      // Loops inside of the last, partial iteration.
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
      // What is inside may still fold, iteration by iteration.
      work.push(...outermost(run, nth(activation.visits, 0), lastVisit, [activation], depth + 1));
      continue;
    }
    history.failed = 0;
    history.patience.unanswered = 0;
    folded.push({ fold: { ...result.invariant, activation, depth }, site: result.site });
    const begin = nth(activation.visits, result.invariant.from);
    work.push(...outermost(run, nth(activation.visits, 0), begin, [activation], depth + 1));
  }
  // Without loops there is nothing to give up: whether the run implies its target is for the checker to say.
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

/** Loop activations in a stretch, looking through those given. */
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

/** A loop that cannot be folded because of a loop inside of it, perhaps in another function, that is jumped into. */
function jumpInside({ function: fn, loop }: Activation, error: TracefoldError): string {
  const inner = jumpedIntoLoops(fn).find((each) => loop.body.has(each.loop.header));
  if (inner === undefined) return `${error.message} (TF210)`;
  return `control jumps into a loop inside of it at line ${linesOf(inner.jumps)}, which has no invariant (TF210)`;
}

function linesOf(edges: readonly Edge[]): string {
  return [...new Set(edges.map(({ range }) => range.line))].join(", ");
}

/** Loops without a head of their own have no invariant: of those that are left on the run, where they are jumped into. */
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

/** Folds one activation, with the fold after it folded again if need be. */
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

/** Rounds before which the count may begin, and how many there have to be: fewer are read faster than a count of them. */
const countedFrom = [0, 1] as const;
const leastCounted = 4;

/**
 * No invariant over the program's own variables is enough: perhaps one that counts the rounds is. It says something about
 * runs that go round as often as this one, so it comes last.
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

/** Where the first of the needed facts that an attempt has lost gets lost. */
function lossIn(context: CompressContext, site: LoopSite, attempts: readonly Attempt[]): Loss | null {
  const { prover, symbols } = context;
  const session = prover.open(site.obligation.hypotheses, "quick");
  // What contradicts the rest of the run implies everything, and nobody needs it.
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
 * The loop has invariants, but none gives what the next fold asks for. That one may do with less: fold it again with
 * only those candidates that some invariant of this loop establishes.
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
 * The start of the program leads to what is needed first; a fold for which it does not is given up. Interrupted, it gives
 * up nothing: the checker has not looked at it either.
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
