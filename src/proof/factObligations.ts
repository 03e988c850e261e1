import { nth, present } from "../base/checked.ts";
import { buildLoopSystem } from "../cutpoints/loopSystem.ts";
import { closeObligation, type Obligation } from "../cutpoints/obligation.ts";
import { loopsOf } from "../ir/loops.ts";
import { evaluate } from "../logic/evaluate.ts";
import { createKnownValues } from "../logic/knownValues.ts";
import { parseSmtLib } from "../logic/parseSmtLib.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { printSource } from "../logic/printSource.ts";
import { conjuncts, isTrue, type Sort, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import { encodeAt } from "../recordedRun/executeTrace.ts";
import { type FoldedLoop, foldedLoop, foldedRun } from "../recordedRun/foldedRun.ts";
import type { Run } from "../recordedRun/run.ts";
import type { Target } from "../recordedRun/target.ts";
import { type FormulaOptions, supportOf, type TraceFormula, traceFormula } from "../recordedRun/traceFormula.ts";
import { placeStyle } from "../symbolic/placeStyle.ts";
import { bodyEnvironment } from "../symbolic/stepEnvironment.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { claimedAt, cutPointLabel, type FoldClaim, headOf } from "./claim.ts";

/** A fact of an explanation: it holds before two transitions of the folded run, and from either the run fails. */
export type FactClaim = {
  readonly from: number;
  readonly to: number;
  /** SMT-LIB terms over the program's places. */
  readonly formulas: readonly string[];
  readonly sorts: Readonly<Record<string, Sort>>;
};

export function factClaim(claimed: {
  readonly from: number;
  readonly to: number;
  readonly fact: readonly Term[];
}): FactClaim {
  const { from, to, fact } = claimed;
  return {
    from,
    to,
    formulas: fact.map(printSmtLib),
    sorts: Object.fromEntries(freeVariablesOf(fact).map(({ name, sort }) => [name, sort])),
  };
}

/**
 * Each fact both ways (003, Definition 1), at both ends of its stretch: the run up to there implies it, and with the
 * statements that matter behind it the target follows. Where one fact leads to the next by the statements between them,
 * saying just that is enough: what implies the first implies the second, and the first suffices if the second does.
 * Made from the program, the run and the claims alone.
 * builds on.
 */
export function factObligations(
  symbols: Symbols,
  run: Run,
  target: Target,
  claims: readonly FoldClaim[],
  facts: readonly FactClaim[],
  relevant: readonly number[],
  options: FormulaOptions = {},
): readonly Obligation[] {
  const folds = claims.map((claim) => foldedLoopOf(symbols, run, claim));
  const formula = traceFormula(symbols, foldedRun(run, folds, target), options);
  const isInexact = formula.approximations.length > 0;
  const support = supportOf(formula);
  // Facts about another reading of the run cannot be proved.
  if (Math.max(...facts.map(({ to }) => to), ...relevant, 0) > formula.transitions.length) {
    const text = "the run has the statements that the facts stand between";
    const { terms } = symbols;
    return [
      { name: "positions", kind: "target", range: target.range, text, hypotheses: [], conclusion: terms.bool(false) },
    ];
  }
  const points = pointsOf(symbols, formula, target, facts);
  const matters = (from: number, to: number) =>
    relevant.filter((index) => index >= from && index < to).map((index) => nth(formula.transitions, index).formula);
  const end = formula.transitions.length;
  const obligations: Obligation[] = [];
  const asked = new Set<string>();
  const add = (name: string, kind: Obligation["kind"], text: string, hypotheses: readonly Term[], conclusion: Term) => {
    const key = [conclusion, ...hypotheses].map(({ id }) => id).join();
    if (isTrue(conclusion) || asked.has(key)) return;
    asked.add(key);
    const obligation = { kind, name, range: target.range, text, hypotheses, conclusion };
    obligations.push(closeObligation(symbols, isInexact ? { ...obligation, isInexact } : obligation));
  };
  /**
   * The definitions suffice for values, from a fact not far before; facts about folded loops may need the whole way that
   * the run took.
   */
  const addReached = ({ name, position, here, shown, isTarget }: Point, before: readonly Point[]) => {
    const defining = support.definitions([here], position);
    for (let back = 1; back <= before.length; back *= 2) {
      const start = nth(before, before.length - back);
      const since = defining.filter(({ index }) => index >= start.position).map((transition) => transition.formula);
      if (followingFrom(symbols, [start.here, ...since], here) !== here) continue;
      return add(
        `${name}-holds`,
        isTarget ? "target" : "keeps",
        `{ ${start.shown} } the run { ${shown} }`,
        [start.here, ...since],
        here,
      );
    }
    const whole = support.everything([here], position).map((transition) => transition.formula);
    add(`${name}-holds`, isTarget ? "target" : "entry", `{ true } the run { ${shown} }`, whole, here);
  };
  const [first] = points;
  if (first === undefined) return [];
  addReached(first, []);
  // The part of a fact that follows from the facts before it, and from which the proof goes on.
  let carried = first.here;
  for (const [i, point] of points.slice(0, -1).entries()) {
    const next = nth(points, i + 1);
    const between = [carried, ...matters(point.position, next.position)];
    const isLast = i === points.length - 2;
    const leadsTo = followingFrom(symbols, between, next.here);
    const goesOn = isLast || leadsTo === next.here || canGoOn(leadsTo, next, nth(points, i + 2));
    if (goesOn) {
      const conclusion = isLast ? next.here : leadsTo;
      const text = `{ ${point.shown} } the statements that matter { ${next.shown} }`;
      if (conclusion !== carried) {
        add(`${point.name}-leads-on`, isLast ? "target" : "keeps", text, between, conclusion);
      }
      // The rest of the fact is no part of what goes on: it held by itself.
      if (conclusion !== next.here) addReached(next, points.slice(0, i + 1));
      carried = conclusion;
      continue;
    }
    add(
      `${point.name}-suffices`,
      "target",
      `{ ${point.shown} } the statements that matter { ${target.text} }`,
      [carried, ...matters(point.position, end)],
      formula.target,
    );
    addReached(next, points.slice(0, i + 1));
    carried = next.here;
  }
  return obligations;

  /** Does a part of a fact lead to the fact behind it? */
  function canGoOn(part: Term, from: Point, to: Point): boolean {
    return followingFrom(symbols, [part, ...matters(from.position, to.position)], to.here) === to.here;
  }
}

/** The conjuncts that follow by values. */
function followingFrom(symbols: Symbols, hypotheses: readonly Term[], conclusion: Term): Term {
  const known = createKnownValues();
  hypotheses.forEach(known.learn);
  return symbols.terms.all(conjuncts(conclusion).filter((part) => evaluate(part, known.assignment) === true));
}

/** A fact at one end of its stretch, or the target. */
type Point = {
  readonly name: string;
  readonly position: number;
  readonly here: Term;
  readonly shown: string;
  readonly isTarget: boolean;
};

function pointsOf(symbols: Symbols, formula: TraceFormula, target: Target, facts: readonly FactClaim[]): Point[] {
  const { terms } = symbols;
  // Positions come in order: the versions that are current before a transition are kept up with.
  const current = new Map<Variable, Term>();
  let reached = 0;
  const atPosition = (position: number, atom: Term): Term => {
    for (; reached < position; reached++) {
      for (const { place, version } of nth(formula.transitions, reached).writes) current.set(place, version);
    }
    return substitute(terms, atom, current);
  };
  const ends = facts.flatMap((fact, i) => {
    const formulas = fact.formulas.map((text) => parseSmtLib(terms, text, (name) => fact.sorts[name] ?? null));
    const shown = formulas.length === 0 ? "true" : printSource(terms.all(formulas), placeStyle(symbols, formulas));
    return [fact.from, fact.to].map((position, k) => ({
      name: `fact${i + 1}-${k === 0 ? "first" : "last"}`,
      position,
      here: terms.all(formulas.map((atom) => atPosition(position, atom))),
      shown,
      isTarget: false,
    }));
  });
  const position = formula.transitions.length;
  const last = { name: "target", position, here: formula.target, shown: target.text, isTarget: true };
  return [...ends, last];
}

/** A claim as one transition, with what the loop's body may write found anew. */
export function foldedLoopOf(symbols: Symbols, run: Run, claim: FoldClaim): FoldedLoop {
  const { node, stack, visits } = headOf(run, claim);
  const encoder = encodeAt(symbols, run, { step: claim.end, location: node.location, stack });
  const { result: system } = encoder((encoding) =>
    buildLoopSystem(symbols, node, bodyEnvironment(symbols, run, encoding)),
  );
  const loop = present(loopsOf(node.function).loopWithHeader(node.location));
  const annotation = new Map(
    [...system.blocks].map(([key, { start }]) => [key, claimedAt(symbols, claim, cutPointLabel(symbols, start))]),
  );
  return foldedLoop(
    symbols,
    { frame: node.frame, function: node.function, loop, visits, end: claim.end, stack },
    claim,
    {
      system,
      annotation,
    },
  );
}
