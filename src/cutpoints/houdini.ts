import { nth, present } from "../base/checked.ts";
import { type Assignment, evaluateAll } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { ProofSession, Prover } from "../solver/solver.ts";

export type Annotation = ReadonlyMap<string, readonly Term[]>;

/** The code from one cut point, or from the start of the program (null), to the next ones: what a loop and a program are made of. */
export type BlockTransition = {
  readonly from: string | null;
  /** Every question about it assumes this. */
  readonly background: readonly Term[];
  readonly ends: readonly TransitionEnd[];
};

export type TransitionEnd = {
  readonly to: string;
  readonly guard: Term;
  /** A formula over the places of the cut point, said of the state in which it is reached. */
  after(formula: Term): Term;
};

/** That a formula holds at a cut point whenever it is reached on this way. */
export function carried(terms: Terms, { guard, after }: TransitionEnd, formula: Term): Term {
  return terms.implies(guard, after(formula));
}

/** The instances of a formula that holds before a transition: itself, or the same for several indices. */
export type Instances<From extends BlockTransition = BlockTransition> = (from: From, formula: Term) => readonly Term[];

export type HoudiniOptions<From extends BlockTransition> = {
  /** Formulas that are known to hold at a cut point. */
  known?(cutPoint: string): readonly Term[];
  readonly instances?: Instances<From>;
  /** Asked after each loss: are the candidates that are left of any use? If not, the work ends, and they need not be inductive. */
  isEnough?(alive: ReadonlyMap<string, ReadonlySet<Term>>): boolean;
  /** Goes on from a model that refutes a candidate: what else is refuted? */
  explore?(
    from: From,
    model: Assignment,
    alive: ReadonlyMap<string, ReadonlySet<Term>>,
    refute: (cutPoint: string, candidate: Term) => void,
  ): void;
};

/**
 * Houdini (Flanagan, Leino 2001), which is LOOPINV_BIID of 000 §V-A on all cut points at once: the greatest subset of
 * the candidates that every transition preserves. Each query covers all ways of a transition, and a model deletes every
 * candidate that it refutes. Deleting is always sound, so unanswered candidates are deleted, too.
 */
export function houdini<From extends BlockTransition>(
  terms: Terms,
  prover: Prover,
  transitions: readonly From[],
  candidates: Annotation,
  options: HoudiniOptions<From> = {},
): Map<string, readonly Term[]> {
  const { known = () => [], instances = (_, formula) => [formula], isEnough = () => true } = options;
  const alive = new Map([...candidates].map(([key, formulas]) => [key, new Set(formulas)]));
  const sessions = new Map(transitions.map((from) => [from, prover.open(from.background)]));
  // A transition is looked at again when what is assumed in front of it has become weaker.
  const work = new Set(transitions);
  try {
    for (const from of work) {
      if (!isEnough(alive)) break;
      work.delete(from);
      if (prover.cancellation.isCancelled()) return new Map([...alive.keys()].map((key) => [key, []]));
      for (const weakened of removeNonInvariant(from)) {
        for (const next of transitions) if (next.from === weakened) work.add(next);
      }
    }
  } finally {
    for (const session of sessions.values()) session.close();
  }
  return new Map([...alive].map(([key, formulas]) => [key, [...formulas]]));

  /** REMOVE_NONINV for all ways of one transition; returns the cut points that lost a candidate. */
  function removeNonInvariant(from: From): ReadonlySet<string> {
    const weakened = new Set<string>();
    const questions = from.ends.flatMap((end) =>
      [...(alive.get(end.to) ?? [])].map((candidate) => ({ end, candidate, goal: carried(terms, end, candidate) })),
    );
    const refute = (cutPoint: string, candidate: Term) => {
      present(alive.get(cutPoint)).delete(candidate);
      weakened.add(cutPoint);
    };
    keepImplied(
      terms,
      present(sessions.get(from)),
      () =>
        from.from === null
          ? []
          : [...known(from.from), ...(alive.get(from.from) ?? [])].flatMap((formula) => instances(from, formula)),
      questions.map(({ goal }) => goal),
      (index) => refute(nth(questions, index).end.to, nth(questions, index).candidate),
      (model) => {
        options.explore?.(from, model, alive, refute);
        return questions.flatMap(({ end, candidate }, i) => (present(alive.get(end.to)).has(candidate) ? [] : [i]));
      },
      () => isEnough(alive),
    );
    return weakened;
  }
}

/** After so many questions without an answer, what is still open is given up. */
const patience = 12;

/**
 * Which of the goals follow, asked about all at once: a model in which some goal is false refutes every goal that is
 * false in it. `assumed` may shrink as goals are lost (`lose`), so it is asked for anew each time. What has no answer
 * does not count as following.
 */
export function keepImplied(
  terms: Terms,
  session: ProofSession,
  assumed: () => readonly Term[],
  goals: readonly Term[],
  lose: (index: number) => void = () => {},
  /** Called with each model that refutes something: which other goals are lost with it? */
  explore: (model: Assignment) => Iterable<number> = () => [],
  /** Asked after each refutation: is it worth to go on? If not, what is open stays. */
  goesOn: () => boolean = () => true,
): ReadonlySet<number> {
  const kept = new Set(goals.keys());
  let unanswered = 0;
  const drop = (index: number) => {
    kept.delete(index);
    lose(index);
  };
  const settle = (asked: readonly number[]): void => {
    let open = asked;
    while (open.length > 0) {
      const answer = session.implies(assumed(), terms.all(open.map((i) => nth(goals, i))));
      if (answer.kind === "proved") return;
      if (answer.kind === "refuted") {
        const refuted = falseIn(answer.model, goals, open);
        if (refuted.length > 0) {
          refuted.forEach(drop);
          for (const i of explore(answer.model)) if (kept.has(i)) drop(i);
          open = goesOn() ? open.filter((i) => kept.has(i)) : [];
          continue;
        }
      }
      // Together they have no answer; parts of them may have one.
      if (open.length === 1 || ++unanswered > patience) return open.forEach(drop);
      const half = open.length >> 1;
      settle(open.slice(0, half));
      open = open.slice(half);
    }
  };
  settle(goals.flatMap((goal, i) => (goal.kind === "bool" && goal.value ? [] : [i])));
  return kept;
}

function falseIn(model: Assignment, goals: readonly Term[], asked: readonly number[]): readonly number[] {
  const values = evaluateAll(
    asked.map((i) => nth(goals, i)),
    model,
  );
  return asked.filter((_, k) => values[k] === false);
}
