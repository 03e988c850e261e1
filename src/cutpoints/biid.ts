import type { Term } from "../logic/term.ts";
import type { ProofSession, Prover } from "../solver/solver.ts";
import { nodeKey } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { keepImplied } from "./keepImplied.ts";
import { afterBlock, type LoopSystem } from "./loopSystem.ts";
import { walkLoop } from "./walkLoop.ts";

/** A conjunction at each cut point, by the cut point's key. */
export type Annotation = ReadonlyMap<string, readonly Term[]>;

/**
 * LOOPINV_BIID (000 §V-A): the greatest subset of the candidates that is inductive. The paper deletes what some path
 * refutes; here each question is about all paths of a block at once, and a model deletes every candidate it refutes
 * (Houdini). Deleting is always sound, so an `unknown` deletes what was asked about. The work ends early, with candidates
 * that need not be inductive, once `isEnough` says that those left are of no use.
 */
export function biid(
  symbols: Symbols,
  prover: Prover,
  system: LoopSystem,
  candidates: Annotation,
  isEnough: (alive: ReadonlyMap<string, ReadonlySet<Term>>) => boolean = () => true,
): Annotation {
  const alive = new Map([...candidates].map(([key, formulas]) => [key, new Set(formulas)]));
  const sessions = new Map<string, ProofSession>();
  for (const [key, block] of system.blocks) sessions.set(key, prover.open(block.background));
  try {
    // A cut point is looked at again when what is assumed there has become weaker.
    const dirty = new Set(system.blocks.keys());
    while (dirty.size > 0 && isEnough(alive)) {
      const [key] = dirty;
      dirty.delete(key!);
      for (const weakened of removeNonInvariant(symbols, system, alive, key!, sessions.get(key!)!, isEnough))
        dirty.add(weakened);
    }
  } finally {
    for (const session of sessions.values()) session.close();
  }
  return new Map([...alive].map(([key, formulas]) => [key, [...formulas]]));
}

type Question = { readonly cutPoint: string; readonly candidate: Term };

/** REMOVE_NONINV for all ways of one block; returns the cut points that lost a candidate. */
function removeNonInvariant(
  symbols: Symbols,
  system: LoopSystem,
  alive: ReadonlyMap<string, Set<Term>>,
  from: string,
  session: ProofSession,
  isEnough: (alive: ReadonlyMap<string, ReadonlySet<Term>>) => boolean,
): Set<string> {
  const { terms } = symbols;
  const weakened = new Set<string>();
  const assumed = alive.get(from)!;
  const questions: Question[] = [];
  const goals: Term[] = [];
  const block = system.blocks.get(from)!;
  for (const end of block.ends) {
    const cutPoint = nodeKey(end.node);
    for (const candidate of alive.get(cutPoint)!) {
      questions.push({ cutPoint, candidate });
      goals.push(terms.implies(end.guard, afterBlock(symbols, block, end, candidate)));
    }
  }
  const refute = (cutPoint: string, candidate: Term) => {
    alive.get(cutPoint)!.delete(candidate);
    weakened.add(cutPoint);
  };
  keepImplied(
    terms,
    session,
    () => [...assumed],
    goals,
    (index) => refute(questions[index]!.cutPoint, questions[index]!.candidate),
    (model) => {
      walkLoop(symbols, system, alive, from, model, refute);
      return questions.flatMap(({ cutPoint, candidate }, i) => (alive.get(cutPoint)!.has(candidate) ? [] : [i]));
    },
    () => isEnough(alive),
  );
  return weakened;
}
