import { nth, present } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import { isFalse, type Term } from "../../../logic/term.ts";
import { substitute } from "../../../logic/traverse.ts";
import type { Solver } from "../../../solver/solver.ts";
import { axiomsFor } from "../../../symbolic/createProver.ts";
import { type InlinedNode, nodeKey } from "../../../symbolic/followEdge.ts";
import { inState, type SymbolicState, writeAll } from "../../../symbolic/symbolicState.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { LoopCore, LoopSummary, Summarise } from "../explorer.ts";
import { cellFormulas, cellInstances, computeTemplate, type Template } from "./computeTemplate.ts";
import { coreKey, coresOf, isCore } from "./core.ts";
import type { Implies } from "./withoutWraps.ts";

export type TemplateSettings = {
  readonly seed: number;
  readonly undefinedBehaviour: "stop" | "wrap";
  /** Cycles with at most this many rounds are left to classic execution; 0 for none, as in the paper. */
  readonly unrolled: number;
};

export type TemplateCounts = { cycles: number; templates: number };

/** `chooseTemplate` and the composition of states (004, Algorithm 2, lines 9 to 16). */
export function createSummarise(
  symbols: Symbols,
  solver: Solver,
  settings: TemplateSettings,
  counts: TemplateCounts = { cycles: 0, templates: 0 },
): Summarise {
  const templates = new Map<string, Template | null>();
  const cores = new Map<string, readonly LoopCore[]>();
  const implies = impliesBy(symbols, solver);
  const templateFor = (node: InlinedNode, core: LoopCore): Template | null => {
    const key = coreKey(node, core);
    return remembered(templates, key, () => {
      const template = computeTemplate(symbols, node, core, settings.undefinedBehaviour, implies);
      if (template !== null) counts.templates++;
      return template;
    });
  };
  const coresAt = (node: InlinedNode): readonly LoopCore[] =>
    remembered(cores, nodeKey(node), () => {
      const all = coresOf(symbols, node);
      counts.cycles += all.length;
      // Deterministic, but different for each seed.
      const shift = all.length === 0 ? 0 : (settings.seed - 1) % all.length;
      return [...all.slice(shift), ...all.slice(0, shift)];
    });
  return (at) => {
    const { node, recent } = at;
    // The last cycle is likely to be repeated: phases of a loop follow each other.
    const first = recent !== null && isCore(recent) ? [recent] : [];
    for (const core of [...first, ...coresAt(node)]) {
      const template = templateFor(node, core);
      if (template === null) continue;
      const once = inState(symbols, at.memory, template.oneRound);
      // Skip a cycle that no run takes.
      if (isFalse(once) || at.isFeasible([once]).kind === "infeasible") continue;
      const summary = compose(symbols, at.memory, template);
      if (settings.unrolled === 0) return summary;
      const { kappa } = summary.parameter;
      const often = symbols.terms.gt(kappa, symbols.terms.int(settings.unrolled));
      if (at.isFeasible([...summary.formulas, often]).kind !== "infeasible") return summary;
      return null;
    }
    return null;
  };
}

function compose(symbols: Symbols, memory: SymbolicState, template: Template): LoopSummary {
  const { terms } = symbols;
  const kappa = terms.fresh("kappa", "Int");
  const fresh = new Map<Term, Term>([[template.kappa, kappa]]);
  const arrays = template.drawn.map((each) => ({ ...each, array: terms.fresh("rounds", "Array") }));
  for (const [i, { array }] of template.drawn.entries()) fresh.set(array, nth(arrays, i).array);
  const cells = template.cells.map(({ after }) => symbols.version(after));
  for (const [i, { after }] of template.cells.entries()) fresh.set(after, nth(cells, i));
  const here = (term: Term) => inState(symbols, memory, substitute(terms, term, fresh));
  const writes = [...template.memory].map(([place, value]) => [place, here(value)] as const);
  const after = writeAll(memory, writes);
  const rounds = here(template.rounds);
  const written = cellFormulas(symbols, template, template.kappa).map(here);
  return {
    core: template.core,
    memory: after,
    formulas: [rounds, ...written],
    parameter: {
      kappa,
      instance(value) {
        const instances = cellInstances(symbols, template, value).map(
          ([from, to]) => [present(fresh.get(from)), here(to)] as const,
        );
        const all = here(template.roundsFor(value));
        return [[rounds, all], ...written.map((formula) => [formula, terms.bool(true)] as const), ...instances];
      },
    },
    inputs: arrays.some(({ isInput }) => isInput)
      ? { kind: "rounds", count: kappa, perRound: arrays.filter(({ isInput }) => isInput) }
      : null,
    covered: inState(symbols, after, template.covered),
  };
}

/** The resource limit of a simplification, in solver steps. */
const resources = 300_000;

function impliesBy(symbols: Symbols, solver: Solver): Implies {
  return (assumptions, goal) => {
    const formulas = [...assumptions, symbols.terms.not(goal)];
    const script = [...axiomsFor(symbols, formulas, new Set()), ...formulas];
    return solver.check(script, { limits: { resources }, model: false }).kind === "unsat";
  };
}
