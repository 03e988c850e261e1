import { buildLoopSystem } from "../analysis/compress/loopSystem.ts";
import type { Target } from "../analysis/compress/target.ts";
import { supportOf } from "../analysis/errorInvariants/support.ts";
import {
  type FlowOptions,
  type FoldedLoop,
  locationAt,
  type TraceFormula,
  traceFormula,
} from "../analysis/errorInvariants/traceFormula.ts";
import { loopsOf } from "../ir/loops.ts";
import { freeVariables } from "../logic/freeVariables.ts";
import { parseSmtLib } from "../logic/parseSmtLib.ts";
import { printSource } from "../logic/printSource.ts";
import { substitute } from "../logic/substitute.ts";
import type { Term, Variable } from "../logic/term.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import { placeStyle } from "../symbolic/placeStyle.ts";
import { pointerHints } from "../symbolic/pointerHints.ts";
import { runFacts } from "../symbolic/runFacts.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { bodySurroundings, traceSurroundings } from "../symbolic/traceSurroundings.ts";
import type { Trace } from "../trace/trace.ts";
import { headOf } from "./buildTriples.ts";
import { claimedAt, cutPointLabel, type FoldClaim } from "./claim.ts";
import type { FactClaim } from "./factClaim.ts";
import type { Triple } from "./triple.ts";

/**
 * Each fact both ways (003, Definition 1), at both ends of its stretch: the run up to there implies it, and with the
 * statements that matter behind it the target follows. Made from the program, the run and the claims alone.
 */
export function factTriples(
  symbols: Symbols,
  trace: Trace,
  target: Target,
  claims: readonly FoldClaim[],
  facts: readonly FactClaim[],
  relevant: readonly number[],
  options: FlowOptions = {},
): readonly Triple[] {
  const surroundings = traceSurroundings(symbols, runFacts(trace), { pointsTo: () => [], note: () => {} });
  const formula = traceFormula(
    symbols,
    trace,
    claims.map((claim) => foldedLoopOf(symbols, trace, claim)),
    {
      step: target.step,
      location: locationAt(trace, target.step),
      formula: (state, stack) => target.formula(symbols, { state, stack }, surroundings(target.step)),
    },
    options,
  );
  const support = supportOf(formula);
  const triples: Triple[] = [];
  // Both ends of a stretch often ask the same question.
  const asked = new Set<string>();
  const ask = (triple: Triple) => {
    const key = [triple.conclusion, ...triple.hypotheses].map(({ id }) => id).join();
    if (!asked.has(key)) triples.push(close(symbols, triple));
    asked.add(key);
  };
  for (const [i, fact] of facts.entries()) {
    const formulas = fact.formulas.map((text) => parseSmtLib(symbols.terms, text, (name) => fact.sorts[name] ?? null));
    const shown =
      formulas.length === 0 ? "true" : printSource(symbols.terms.all(formulas), placeStyle(symbols, formulas));
    for (const position of new Set([fact.from, fact.to])) {
      const here = symbols.terms.all(formulas.map((atom) => atPosition(symbols, formula, position, atom)));
      const rest = relevant.filter((index) => index >= position).map((index) => formula.transitions[index]!);
      const name = `fact${i + 1}-${position === fact.from ? "first" : "last"}`;
      const range = target.range;
      if (formulas.length > 0) {
        // The definitions suffice for values; facts about folded loops may need the way that the run took.
        const before = support.everything([here], position).map((transition) => transition.formula);
        ask({
          name: `${name}-holds`,
          role: "entry",
          range,
          text: `{ true } the run { ${shown} }`,
          hypotheses: before,
          conclusion: here,
        });
      }
      ask({
        name: `${name}-suffices`,
        role: "target",
        range,
        text: `{ ${shown} } the statements that matter { ${target.text} }`,
        hypotheses: [here, ...rest.map((transition) => transition.formula)],
        conclusion: formula.target,
      });
    }
  }
  return triples;
}

/** A claim as one transition, with what the loop's body may write found anew. */
function foldedLoopOf(symbols: Symbols, trace: Trace, claim: FoldClaim): FoldedLoop {
  const { node, stack } = headOf(trace, claim);
  const hints = pointerHints(symbols, trace, { step: claim.end, location: node.location, stack });
  const system = hints.until((pointsTo) =>
    buildLoopSystem(symbols, node, bodySurroundings(symbols, trace.settings, { pointsTo, note: () => {} })),
  );
  const written = new Set<Variable>();
  let writesAnyMemory = false;
  for (const block of system.blocks.values()) {
    for (const end of block.ends) {
      if (end.state.clobbers.length > 0) writesAnyMemory = true;
      for (const place of end.state.values.keys()) written.add(place);
    }
  }
  const loop = loopsOf(node.function).loopWithHeader(node.location)!;
  return {
    activation: {
      frame: node.frame,
      function: node.function,
      loop,
      visits: [claim.begin, claim.end],
      end: claim.end,
      stack,
    },
    begin: claim.begin,
    end: claim.end,
    invariant: claimedAt(symbols, claim, cutPointLabel(symbols, node)),
    written: [...written],
    writesAnyMemory,
  };
}

/** The formula about the versions that are current before a transition. */
function atPosition(symbols: Symbols, formula: TraceFormula, position: number, atom: Term): Term {
  const current = new Map<Variable, Term>();
  const places = new Set(freeVariables(atom));
  for (const { writes } of formula.transitions.slice(0, position)) {
    for (const { place, version } of writes) if (places.has(place)) current.set(place, version);
  }
  return substitute(symbols.terms, atom, current);
}

function close(symbols: Symbols, triple: Triple): Triple {
  const axioms = axiomsFor(symbols, [...triple.hypotheses, triple.conclusion], new Set());
  return { ...triple, hypotheses: [...axioms, ...triple.hypotheses] };
}
