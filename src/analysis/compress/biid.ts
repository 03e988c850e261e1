import { evaluate } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import { nodeKey } from "../../symbolic/inlinedNode.ts";
import type { ProofSession, Prover } from "../../symbolic/prover.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { afterBlock, type LoopSystem } from "./loopSystem.ts";

/** A conjunction at each cut point, by the cut point's key. */
export type Annotation = ReadonlyMap<string, readonly Term[]>;

/**
 * LOOPINV_BIID (000 §V-A): the greatest subset of the candidates that is inductive. The paper deletes what some path
 * refutes; here each question is about all paths of a block at once, and a model deletes every candidate it refutes
 * (Houdini). Deleting is always sound, so an `unknown` deletes what was asked about.
 */
export function biid(symbols: Symbols, prover: Prover, system: LoopSystem, candidates: Annotation): Annotation {
  const alive = new Map([...candidates].map(([key, formulas]) => [key, new Set(formulas)]));
  const sessions = new Map<string, ProofSession>();
  for (const [key, block] of system.blocks) sessions.set(key, prover.open(block.definitions));
  try {
    // A cut point is looked at again when what is assumed there has become weaker.
    const dirty = new Set(system.blocks.keys());
    while (dirty.size > 0) {
      const [key] = dirty;
      dirty.delete(key!);
      for (const weakened of removeNonInvariant(symbols, system, alive, key!, sessions.get(key!)!)) dirty.add(weakened);
    }
  } finally {
    for (const session of sessions.values()) session.close();
  }
  return new Map([...alive].map(([key, formulas]) => [key, [...formulas]]));
}

type Question = { readonly cutPoint: string; readonly candidate: Term; readonly goal: Term };

/** REMOVE_NONINV for all ways of one block; returns the cut points that lost a candidate. */
function removeNonInvariant(
  symbols: Symbols,
  system: LoopSystem,
  alive: ReadonlyMap<string, Set<Term>>,
  from: string,
  session: ProofSession,
): Set<string> {
  const { terms } = symbols;
  const weakened = new Set<string>();
  const assumed = alive.get(from)!;
  let open: Question[] = [];
  for (const end of system.blocks.get(from)!.ends) {
    const cutPoint = nodeKey(end.node);
    for (const candidate of alive.get(cutPoint)!) {
      const goal = terms.implies(end.guard, afterBlock(symbols, end, candidate));
      if (goal.kind !== "bool" || !goal.value) open.push({ cutPoint, candidate, goal });
    }
  }
  const remove = (question: Question) => {
    alive.get(question.cutPoint)!.delete(question.candidate);
    weakened.add(question.cutPoint);
  };
  while (open.length > 0) {
    const answer = session.implies([...assumed], terms.all(open.map(({ goal }) => goal)));
    if (answer.kind === "proved") break;
    const refuted = answer.kind === "refuted" ? open.filter(({ goal }) => evaluate(goal, answer.model) === false) : [];
    if (refuted.length > 0) {
      refuted.forEach(remove);
      open = open.filter(({ cutPoint, candidate }) => alive.get(cutPoint)!.has(candidate));
    } else {
      open = oneByOne(session, assumed, open, remove);
      break;
    }
  }
  return weakened;
}

/** When the questions together have no answer, each may have one. */
function oneByOne(
  session: ProofSession,
  assumed: ReadonlySet<Term>,
  open: readonly Question[],
  remove: (question: Question) => void,
): Question[] {
  return open.filter((question) => {
    if (session.implies([...assumed], question.goal).kind === "proved") return true;
    remove(question);
    return false;
  });
}
