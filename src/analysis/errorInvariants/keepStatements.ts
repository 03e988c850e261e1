import type { Term } from "../../logic/term.ts";
import type { ProofSession, Prover } from "../../symbolic/prover.ts";
import { supportOf } from "./support.ts";
import type { TraceFormula, Transition } from "./traceFormula.ts";

export type KeptStatements =
  /** `minimal`: without any one of them the target does not follow. */
  | { readonly kind: "kept"; readonly transitions: readonly Transition[]; readonly minimal: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** Questions after which the search for a smaller set ends; what is left is still sufficient. */
const questionLimit = 600;

/**
 * The transitions that the target needs, as few as found: everything between two of them is irrelevant, because the
 * versions it writes occur in no fact (003 §4, Theorem 2). Begins with the definitions that the target depends on, adds
 * branches only where those do not suffice, and deletes what can be done without, branches and early statements first.
 */
export function keepStatements(prover: Prover, formula: TraceFormula): KeptStatements {
  const session = prover.open([]);
  try {
    const support = supportOf(formula);
    const end = formula.transitions.length;
    let answer = core(session, support.definitions([formula.target], end), formula.target);
    if (answer.kind !== "proved") {
      answer = core(session, support.everything([formula.target], end), formula.target);
    }
    if (answer.kind !== "proved") return { kind: "failed", reason: answer.reason };
    return smallest(session, answer.transitions, formula.target);
  } finally {
    session.close();
  }
}

type Core =
  | { readonly kind: "proved"; readonly transitions: readonly Transition[] }
  | { readonly kind: "open"; readonly reason: string };

function core(session: ProofSession, transitions: readonly Transition[], target: Term): Core {
  const answer = session.implies(
    transitions.map(({ formula }) => formula),
    target,
  );
  if (answer.kind === "unknown") return { kind: "open", reason: answer.reason };
  if (answer.kind === "refuted") return { kind: "open", reason: "the run as modelled does not imply its target" };
  const used = new Set(answer.used);
  const seen = new Set<Term>();
  // The same condition tested twice is one formula: keep its last occurrence.
  const kept = transitions.toReversed().filter(({ formula }) => {
    if (!used.has(formula) || seen.has(formula)) return false;
    seen.add(formula);
    return true;
  });
  return { kind: "proved", transitions: kept.reverse() };
}

/** Deletion in two orders; the smaller result. */
function smallest(session: ProofSession, transitions: readonly Transition[], target: Term): KeptStatements {
  const budget = { questions: questionLimit };
  const branchesFirst = transitions.toSorted((a, b) => branchRank(a) - branchRank(b) || a.index - b.index);
  const first = deleteInOrder(session, transitions, branchesFirst, target, budget);
  // Where nothing could be deleted, no other order finds anything.
  if (first.minimal && first.transitions.length === transitions.length) return { kind: "kept", ...first };
  const second = deleteInOrder(session, transitions, branchesFirst.toReversed(), target, budget);
  const best = second.transitions.length < first.transitions.length ? second : first;
  return { kind: "kept", ...best };
}

/** Branches are tried first: a statement says more than the way that the run took. */
function branchRank({ writes }: Transition): number {
  return writes.length === 0 ? 0 : 1;
}

function deleteInOrder(
  session: ProofSession,
  transitions: readonly Transition[],
  order: readonly Transition[],
  target: Term,
  budget: { questions: number },
): { transitions: readonly Transition[]; minimal: boolean } {
  let kept = transitions;
  for (const candidate of order) {
    if (!kept.includes(candidate)) continue;
    if (budget.questions-- <= 0) return { transitions: kept, minimal: false };
    const without = core(
      session,
      kept.filter((other) => other !== candidate),
      target,
    );
    if (without.kind === "proved") kept = without.transitions;
  }
  return { transitions: kept, minimal: true };
}
