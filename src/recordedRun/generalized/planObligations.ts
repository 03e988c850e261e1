import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { carried } from "../../cutpoints/houdini.ts";
import type { Obligation } from "../../cutpoints/obligation.ts";
import { decreases, type RankComponent, waysOf } from "../../cutpoints/ranking.ts";
import { conjuncts, isTrue, type Term } from "../../logic/term.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { EncodedRuns, LoopPiece, SteppedPiece } from "./encodeRuns.ts";
import { detourPoint, endlessPoint, openPoint } from "./runObligation.ts";

/** A claim about every run like a recorded one: with it all obligations follow, but those that are left open. */
export type RunsPlan = {
  /** The plan is about runs that go round as often as the recorded one, step by step: no piece is a loop. */
  readonly roundByRound: boolean;
  /** Over the inputs. */
  readonly condition: readonly Term[];
  /** For the loops among the pieces, by their index. */
  readonly loops: ReadonlyMap<number, LoopPlan>;
  /** Keys of what is left open. */
  readonly open: ReadonlySet<string>;
};

/** Formulas and numbers over places and inputs, by cut point. */
export type LoopPlan = {
  readonly annotation: ReadonlyMap<string, readonly Term[]>;
  readonly ranks: readonly RankComponent[];
};

/**
 * All that has to be shown for the plan's claim: each run whose inputs satisfy the condition takes the steps, comes to each folded loop
 * with its invariant, keeps it, does nothing undefined, makes the loop's rank smaller, leaves it as the recorded run did, and
 * fails. What is left open is assumed.
 */
export function planObligations(symbols: Symbols, { pieces }: EncodedRuns, plan: RunsPlan): readonly Obligation[] {
  const obligations: Obligation[] = [];
  let known: readonly Term[] = plan.condition;
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind === "steps") {
      const { hypotheses, conclusion, range } = stepsObligation(symbols, piece, plan.open, i);
      known = [...known, ...hypotheses];
      const isLast = i === pieces.length - 1;
      const text = isLast ? "every such run fails like this" : "every such run takes these steps";
      if (range !== null) {
        const kind = isLast ? "target" : "keeps";
        const name = `runs${i + 1}-steps`;
        obligations.push({ kind, name, text, range, hypotheses: known, conclusion, witnessed: name });
      }
      known = [...known, ...conjuncts(conclusion)];
      continue;
    }
    const own = loopPlan(symbols, piece, present(plan.loops.get(i)));
    obligations.push({
      kind: "entry",
      name: `runs${i + 1}-entry`,
      text: "every such run comes to the loop with its invariant",
      range: piece.range,
      hypotheses: known,
      conclusion: entryOf(symbols, piece, present(plan.loops.get(i)).annotation),
      witnessed: `runs${i + 1}-entry`,
    });
    const before = known.map(piece.earlier);
    obligations.push(...loopObligations(symbols, piece, i, own, before, plan.open));
    known = [...before, ...behindLoop(symbols, piece, own)];
  }
  return obligations;
}

/** That the annotation at the loop's head holds where the loop is entered. */
export function entryOf(symbols: Symbols, piece: LoopPiece, annotation: LoopPlan["annotation"]): Term {
  const formulas = annotation.get(rootOf(piece)) ?? [];
  return symbols.terms.all(formulas.map((formula) => inState(symbols, piece.entry, formula)));
}

export function rootOf(piece: LoopPiece): string {
  return nth([...piece.system.blocks.keys()], 0);
}

/** A plan over what is known in the loop: of the places only those that it writes are left. */
export function loopPlan(symbols: Symbols, { state }: LoopPiece, { annotation, ranks }: LoopPlan): LoopPlan {
  const here = (formula: Term) => inState(symbols, state, formula);
  return {
    annotation: new Map([...annotation].map(([key, formulas]) => [key, formulas.map(here)])),
    ranks: ranks.map((rank) => new Map([...rank].map(([key, term]) => [key, here(term)]))),
  };
}

function stepsObligation(symbols: Symbols, { steps }: SteppedPiece, open: ReadonlySet<string>, index: number) {
  const hypotheses: Term[] = [];
  const goals: Term[] = [];
  let range: SourceRange | null = null;
  for (const { facts, obligations } of steps) {
    hypotheses.push(...facts);
    for (const obligation of obligations) {
      if (open.has(openPoint(index, obligation).key)) {
        if (obligation.formula !== null) hypotheses.push(obligation.formula);
        continue;
      }
      range ??= obligation.range;
      goals.push(obligation.formula ?? symbols.terms.bool(false));
    }
  }
  return { hypotheses, conclusion: symbols.terms.all(goals), range };
}

/** Each block keeps the annotation, does nothing undefined, leaves as it should, and makes the rank smaller. */
function loopObligations(
  symbols: Symbols,
  piece: LoopPiece,
  index: number,
  { annotation, ranks }: LoopPlan,
  before: readonly Term[],
  open: ReadonlySet<string>,
): readonly Obligation[] {
  const { terms } = symbols;
  const obligations: Obligation[] = [];
  const isEndless = open.has(endlessPoint(index, piece.range).key);
  for (const [b, [key, block]] of [...piece.system.blocks].entries()) {
    const { assumed, goals, detours } = blockGoals(symbols, piece, index, key, open);
    const hypotheses = [...before, ...block.background, ...(annotation.get(key) ?? []), ...assumed];
    const add = (what: string, kind: Obligation["kind"], text: string, conclusions: readonly Term[]) => {
      const conclusion = terms.all(conclusions);
      if (isTrue(conclusion)) return;
      const name = `runs${index + 1}-${b + 1}-${what}`;
      obligations.push({ kind, name, text, range: piece.range, hypotheses, conclusion });
    };
    add("defined", "defined", "nothing undefined is done on the way round", goals);
    add("leaves", "defined", "the loop is left as on the recorded run only", detours);
    const ways = waysOf(symbols, piece.system).filter(({ from }) => from === key);
    const kept = ways.flatMap((way) => (annotation.get(way.to) ?? []).map((formula) => carried(terms, way, formula)));
    add("keeps", "keeps", "the way round keeps the invariant", kept);
    if (!isEndless)
      add(
        "ends",
        "ends",
        "the way round makes the rank smaller",
        ways.map((way) => decreases(terms, way, ranks)),
      );
  }
  return obligations;
}

/** The requirements of a block's operations and exits; those that are left open are assumed. */
export function blockGoals(
  symbols: Symbols,
  { blocks, range }: LoopPiece,
  index: number,
  key: string,
  open: ReadonlySet<string>,
): { readonly assumed: readonly Term[]; readonly goals: readonly Term[]; readonly detours: readonly Term[] } {
  const { terms } = symbols;
  const block = present(blocks.get(key));
  const assumed: Term[] = [];
  const goals: Term[] = [];
  for (const obligation of block.obligations) {
    const formula = terms.implies(obligation.guard, obligation.formula ?? terms.bool(false));
    if (!open.has(openPoint(index, obligation).key)) goals.push(formula);
    else if (obligation.formula !== null) assumed.push(formula);
  }
  const never = block.detours.map(({ guard }) => terms.not(guard));
  const isOpen = open.has(detourPoint(index, range).key);
  return { assumed: isOpen ? [...assumed, ...never] : assumed, goals, detours: isOpen ? [] : never };
}

/** Facts behind the loop: the annotation where it was last passed, and the way out. */
export function behindLoop(symbols: Symbols, piece: LoopPiece, { annotation }: LoopPlan): readonly Term[] {
  const { terms } = symbols;
  const ways = piece.exits.map(({ cutPoint, guard }) => terms.all([...(annotation.get(cutPoint) ?? []), guard]));
  const definitions = [...new Set(piece.exits.map(({ cutPoint }) => cutPoint))].flatMap(
    (key) => present(piece.system.blocks.get(key)).background,
  );
  return [...definitions, terms.any(ways)];
}
