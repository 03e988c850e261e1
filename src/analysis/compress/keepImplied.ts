import { evaluate } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { ProofSession } from "../../symbolic/prover.ts";

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
): ReadonlySet<number> {
  const kept = new Set(goals.keys());
  let open = goals.flatMap((goal, i) => (goal.kind === "bool" && goal.value ? [] : [i]));
  const drop = (index: number) => {
    kept.delete(index);
    lose(index);
  };
  while (open.length > 0) {
    const answer = session.implies(assumed(), terms.all(open.map((i) => goals[i]!)));
    if (answer.kind === "proved") break;
    const refuted = answer.kind === "refuted" ? open.filter((i) => evaluate(goals[i]!, answer.model) === false) : [];
    if (refuted.length === 0) {
      // When the questions together have no answer, each may have one.
      for (const i of open) if (session.implies(assumed(), goals[i]!).kind !== "proved") drop(i);
      break;
    }
    refuted.forEach(drop);
    open = open.filter((i) => kept.has(i));
  }
  return kept;
}
