import { present } from "../../base/checked.ts";
import { candidates } from "../../cutpoints/candidates.ts";
import { type Patience, patientProver } from "../../cutpoints/generalize.ts";
import { type Annotation, keepImplied } from "../../cutpoints/houdini.ts";
import { loopInvariant } from "../../cutpoints/loopInvariant.ts";
import { formulasOf, type LoopSystem, writtenBy } from "../../cutpoints/loopSystem.ts";
import { rankLoop } from "../../cutpoints/ranking.ts";
import { isTrue, type Term } from "../../logic/term.ts";
import { freeVariablesOf, postOrder } from "../../logic/traverse.ts";
import { encodeAt } from "../../recordedRun/executeTrace.ts";
import type { LoopPiece } from "../../recordedRun/generalized/encodeRuns.ts";
import { type LoopPlan, rootOf } from "../../recordedRun/generalized/planObligations.ts";
import { detourPoint, endlessPoint, type OpenPoint, openPoint } from "../../recordedRun/generalized/runObligation.ts";
import { sampleLoop, samplesFrom } from "../../recordedRun/sampleLoop.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { ask, fixFor, follows, isAboutInputs, type KnownHere, type Search, strengthenFor } from "./search.ts";

/** More candidates at a cut point are dropped. */
const mostCandidates = 250;

/**
 * The claim about a folded loop: its invariant, strengthened so that nothing in it is undefined, and a ranking
 * function, so that it ends. Facts that do not follow for all runs may become conditions; otherwise they stay open.
 * Null if the runs need not even reach the loop with its invariant.
 */
export function planLoop(
  search: Search,
  found: Symbols,
  piece: LoopPiece,
  index: number,
  known: readonly Term[],
): LoopPlan | null {
  const base = foundAnnotation(search, found, piece);
  if (!establish(search, piece, base, known)) return null;
  const patience: Patience = { unanswered: 0 };
  const prover = patientProver(search.prover, patience);
  const before = known.map(piece.earlier);
  const annotation = strengthened(search, found, piece, base, known, patience);
  if (annotation === null) return null;
  const here = inLoop(search, piece, annotation);
  for (const [key, block] of piece.system.blocks) {
    const session = prover.open([...before, ...block.background]);
    meetNeeds(search, { session, assumed: present(here.get(key)) }, piece, index, key);
    session.close();
  }
  const system = withBackground(piece.system, [...before, ...search.condition]);
  const ranks = rankCandidates(found, piece.fold.system);
  const ranking = rankLoop(search.symbols, prover, system, here, [...inLoopTerms(search, piece, ranks).keys()]);
  if (ranking === null) {
    const point = endlessPoint(index, piece.range);
    search.open.set(point.key, point);
  }
  const original = inLoopTerms(search, piece, ranks);
  const named = (term: Term) => original.get(term) ?? term;
  return {
    annotation,
    ranks: (ranking ?? []).map((rank) => new Map([...rank].map(([key, term]) => [key, named(term)]))),
  };
}

/** Terms inside of the loop, with their originals. */
function inLoopTerms({ symbols }: Search, { state }: LoopPiece, terms: readonly Term[]): ReadonlyMap<Term, Term> {
  return new Map(terms.map((term) => [inState(symbols, state, term), term]));
}

function inLoop({ symbols }: Search, { state }: LoopPiece, annotation: Annotation): Annotation {
  return new Map(
    [...annotation].map(([key, formulas]) => [key, formulas.map((each) => inState(symbols, state, each))]),
  );
}

/** The invariant of the fold; its cut points have other keys there. */
function foundAnnotation(search: Search, found: Symbols, { fold, system, state }: LoopPiece): Annotation {
  const { symbols, asFolded } = search;
  const isOfLoop = (formula: Term) => asFolded || !isAboutInputs(search, inState(symbols, state, formula));
  const byLabel = new Map(
    [...fold.annotation].map(([key, formulas]) => [
      labelOf(found, present(fold.system.blocks.get(key)).start),
      formulas,
    ]),
  );
  return new Map(
    [...system.blocks].map(([key, { start }]) => [key, (byLabel.get(labelOf(symbols, start)) ?? []).filter(isOfLoop)]),
  );
}

function labelOf(symbols: Symbols, { frame, location }: InlinedNode): string {
  return `${symbols.frameLabel(frame)}:${location}`;
}

/** Ensures that the invariant holds at the loop's entry, adding conditions on the inputs if necessary. */
function establish(search: Search, piece: LoopPiece, base: Annotation, known: readonly Term[]): boolean {
  const session = search.prover.open(known);
  try {
    const goals: Term[] = [];
    for (const formula of base.get(rootOf(piece)) ?? []) {
      const goal = inState(search.symbols, piece.entry, formula);
      if (!isAboutInputs(search, goal)) goals.push(goal);
      else if (!ask(search, goal)) return false;
    }
    return goals.every((goal) => {
      const place = { session, assumed: [] };
      return follows(search, place, goal) || strengthenFor(search, place, goal) || fixFor(search, place, goal);
    });
  } finally {
    session.close();
  }
}

/** The invariant with all facts that the samples suggest, the entry implies and the rounds preserve. */
function strengthened(
  search: Search,
  found: Symbols,
  piece: LoopPiece,
  base: Annotation,
  known: readonly Term[],
  patience: Patience,
): Annotation | null {
  const { symbols } = search;
  const prover = patientProver(search.prover, patience);
  const proposals = sampledCandidates(search, found, piece);
  const originals = new Map<Term, Term>();
  const proposed = new Map<string, Term[]>();
  for (const key of piece.system.blocks.keys()) {
    const own = new Set<Term>();
    for (const formula of [...present(base.get(key)), ...(proposals.get(key) ?? [])]) {
      const here = inState(symbols, piece.state, formula);
      if (isTrue(here) || own.has(here)) continue;
      own.add(here);
      originals.set(here, formula);
    }
    proposed.set(key, [...own]);
  }
  const root = rootOf(piece);
  const entering = present(proposed.get(root));
  const session = prover.open([...known, ...search.condition]);
  const goals = entering.map((formula) => inState(symbols, piece.entry, present(originals.get(formula))));
  const holding = keepImplied(symbols.terms, session, () => [], goals);
  session.close();
  proposed.set(
    root,
    entering.filter((_, i) => holding.has(i)),
  );
  const system = withBackground(piece.system, [...known.map(piece.earlier), ...search.condition]);
  const inductive = loopInvariant(symbols, prover, system, proposed);
  const kept = new Map(
    [...inductive].map(([key, formulas]) => [key, formulas.map((each) => present(originals.get(each)))]),
  );
  const isKept = [...base].every(([key, formulas]) =>
    formulas.every((formula) => {
      const here = inState(symbols, piece.state, formula);
      return isTrue(here) || present(inductive.get(key)).includes(here);
    }),
  );
  return isKept ? kept : null;
}

function withBackground({ root, blocks }: LoopSystem, more: readonly Term[]): LoopSystem {
  return {
    root,
    blocks: new Map([...blocks].map(([key, block]) => [key, { ...block, background: [...more, ...block.background] }])),
  };
}

/** The common facts of the recorded arrivals at the loop's cut points. */
function sampledCandidates(
  { symbols, run }: Search,
  found: Symbols,
  { fold, system }: LoopPiece,
): ReadonlyMap<string, readonly Term[]> {
  const { activation } = fold;
  const at = { step: fold.end, location: activation.loop.header, stack: activation.stack };
  const needed = [...fold.system.blocks.values()].flatMap(({ obligations }) =>
    obligations.map(({ formula }) => formula),
  );
  const observations = sampleLoop(found, run, {
    activation,
    system: fold.system,
    rounds: null,
    obligation: { hypotheses: [], conclusion: found.terms.all(needed) },
    pointsTo: (places) => encodeAt(found, run, at)(({ pointsTo }) => places.map(pointsTo)).result,
  });
  const byLabel = new Map(
    [...observations].map(([key, seen]) => [labelOf(found, present(fold.system.blocks.get(key)).start), seen]),
  );
  return new Map(
    [...system.blocks].map(([key, { start }]) => {
      const seen = byLabel.get(labelOf(symbols, start));
      if (seen === undefined) return [key, []];
      const { samples, hints } = samplesFrom(seen, fold.begin, Infinity, { rounds: null, from: 0 });
      const options = { families: "extended", hints, counter: null } as const;
      return [key, candidates(found.terms, samples, options).slice(0, mostCandidates)];
    }),
  );
}

/** Shows the requirements of a block's operations, and that it leaves the loop correctly; the rest stays open. */
function meetNeeds(search: Search, place: KnownHere, piece: LoopPiece, index: number, key: string): void {
  const { terms } = search.symbols;
  const block = present(piece.blocks.get(key));
  const goals: { point: OpenPoint; goal: Term }[] = block.obligations.map((obligation) => ({
    point: openPoint(index, obligation),
    goal: terms.implies(obligation.guard, obligation.formula ?? terms.bool(false)),
  }));
  for (const { guard } of block.detours) goals.push({ point: detourPoint(index, piece.range), goal: terms.not(guard) });
  const wanted = goals.filter(({ point, goal }) => !search.open.has(point.key) && !isTrue(goal));
  const kept = keepImplied(
    terms,
    place.session,
    () => [...search.condition, ...place.assumed],
    wanted.map(({ goal }) => goal),
  );
  for (const [i, { point, goal }] of wanted.entries()) {
    if (kept.has(i) || search.open.has(point.key)) continue;
    if (!strengthenFor(search, place, goal)) search.open.set(point.key, point);
  }
}

const most = 40;

/**
 * Terms that may decrease with each round: distances of the body's comparisons (`bound - counter`), and the places that
 * the loop writes.
 */
export function rankCandidates(symbols: Symbols, system: LoopSystem): readonly Term[] {
  const { terms } = symbols;
  const written = new Set(writtenBy(system).places);
  const found = new Set<Term>();
  const propose = (term: Term) => {
    const places = freeVariablesOf([term]);
    if (!places.some((place) => written.has(place))) return;
    if (places.every((place) => symbols.cellOf(place) !== null && place.sort === "Int")) found.add(term);
  };
  const formulas = [...system.blocks.values()].flatMap((block) => [
    ...formulasOf(block),
    ...block.leaves.map(({ guard }) => guard),
  ]);
  for (const atom of postOrder(formulas)) {
    if (atom.kind !== "le" && atom.kind !== "eq") continue;
    const bound = terms.int(atom.bound);
    propose(terms.sub(bound, atom.sum));
    propose(terms.sub(atom.sum, bound));
  }
  for (const place of written) {
    if (place.sort !== "Int") continue;
    propose(place);
    propose(terms.neg(place));
  }
  return [...found].slice(0, most);
}
