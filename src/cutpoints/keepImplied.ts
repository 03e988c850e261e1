import { type Assignment, evaluateAll } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { ProofSession } from "../solver/solver.ts";

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
      const answer = session.implies(assumed(), terms.all(open.map((i) => goals[i]!)));
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
    asked.map((i) => goals[i]!),
    model,
  );
  return asked.filter((_, k) => values[k] === false);
}
