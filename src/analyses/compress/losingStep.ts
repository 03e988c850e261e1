import { nth, present } from "../../base/checked.ts";
import { enumeratePaths, type Path } from "../../cutpoints/block.ts";
import type { Annotation } from "../../cutpoints/houdini.ts";
import type { Edge } from "../../ir/program.ts";
import { type Assignment, evaluate } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import type { Prover } from "../../solver/solver.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LoopSite } from "./loopSite.ts";

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
