import type { Cancellation } from "../base/cancellation.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import { mergeByNames } from "../cutpoints/encodeRegion.ts";
import { inState } from "../cutpoints/instance.ts";
import { buildModel, type ModelRegion, type ProgramModel } from "../cutpoints/programModel.ts";
import type { Property } from "../cutpoints/property.ts";
import type { Layer, Unrolling } from "../cutpoints/unroll.ts";
import { unroll } from "../cutpoints/unroll.ts";
import type { Program } from "../ir/program.ts";
import { freeVariablesOf } from "../logic/freeVariables.ts";
import { parseSmtLib } from "../logic/parseSmtLib.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Solver } from "../solver/solver.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Assumption, dischargeAssumptions } from "./dischargeAssumptions.ts";

/** Whether a certificate shows what it should. `asked` counts the questions that were put to a solver. */
export type CertificateCheck =
  | {
      readonly kind: "proved";
      readonly asked: number;
      readonly by: readonly string[];
      /** Undefined behaviour that the invariants do not exclude: the verdict is for runs without it. */
      readonly assumptions: readonly Assumption[];
    }
  | { readonly kind: "refused"; readonly reason: string };

export type CheckCertificateOptions = {
  readonly property: Property;
  /** In order: the first that has an answer gives it. */
  readonly solvers: (terms: Terms) => readonly Solver[];
  readonly cancellation?: Cancellation;
  /** Told every question: a conjunction that must have no model. */
  readonly asked?: (question: CertificateQuestion) => void;
  /** Milliseconds for one question to one solver. */
  readonly patience?: number;
};

/** What was asked, in words and as formulas, and who answered; null where that was plain. */
export type CertificateQuestion = {
  readonly what: string;
  readonly formulas: readonly Term[];
  /** False, which follows from them. */
  readonly conclusion: Term;
  readonly answer: "proved" | "refuted" | "unknown";
  readonly by: string | null;
};

/** Thrown inside, where an obligation does not hold or has no answer. */
class Refused extends Error {}

/**
 * Re-proves a certificate from the program and the text of the invariants alone: with a model of its own, whose encoder names
 * states where ways meet instead of choosing between them, and other solvers where there are any.
 */
export function checkCertificate(
  program: Program,
  certificate: Certificate,
  options: CheckCertificateOptions,
): CertificateCheck {
  const parse = (terms: Terms, key: string): readonly Term[] =>
    (certificate.invariants.get(key) ?? []).map((text) =>
      parseSmtLib(terms, text, (name) => certificate.sorts.get(name) ?? null),
    );
  const model = buildModel(program, {
    property: options.property,
    merge: mergeByNames,
    cuts: new Set(certificate.invariants.keys()),
    fixed: (terms, symbols, key) => equationsIn(symbols, parse(terms, key)),
    mentioned: (terms, key) => freeVariablesOf(parse(terms, key)),
  });
  const [hole] = model.holes;
  if (hole !== undefined) return { kind: "refused", reason: `${hole.reason} is not encoded` };
  const invariants = new Map([...model.heads.keys()].map((key) => [key, parse(model.terms, key)]));
  const judge = createJudge(model, options);
  try {
    for (const region of model.regions) {
      judge.carries(region, invariants);
      if (certificate.kind === "inductive" && certificate.depth === 1) judge.hasNoError(region, invariants);
    }
    let isDefined = false;
    if (certificate.kind === "bounded") isDefined = judge.endsWithin(certificate.depth, invariants);
    else if (certificate.depth > 1) judge.holdsByInduction(certificate.depth, invariants);
    const assumptions = dischargeAssumptions(model, invariants, isDefined ? () => true : judge.follows);
    return { kind: "proved", asked: judge.asked(), by: judge.by(), assumptions };
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", reason: error.message };
    throw error;
  } finally {
    judge.dispose();
  }
}

/** `place = number` and `place = address`: what is put into the encoding at a head instead of being looked up in it. */
function equationsIn(symbols: Symbols, formulas: readonly Term[]): ReadonlyMap<Variable, Term> {
  const { terms } = symbols;
  const fixed = new Map<Variable, Term>();
  for (const formula of formulas) {
    if (formula.kind !== "eq") continue;
    const monomials = formula.sum.kind === "sum" ? formula.sum.monomials : [{ coefficient: 1n, term: formula.sum }];
    const isBase = (term: Term) => term.kind === "variable" && term.name.startsWith("&");
    const place = monomials.find(({ coefficient, term }) => coefficient ** 2n === 1n && !isBase(term));
    if (place?.term.kind !== "variable" || fixed.has(place.term)) continue;
    const others = monomials.filter((monomial) => monomial !== place);
    if (others.some(({ term, coefficient }) => !isBase(term) || coefficient !== -place.coefficient)) continue;
    if (others.length > 1) continue;
    const rest = terms.sub(terms.int(formula.bound), terms.linear(others, 0n));
    fixed.set(place.term, terms.scale(place.coefficient, rest));
  }
  return fixed;
}

type Invariants = ReadonlyMap<string, readonly Term[]>;

/** One closure: every question goes through `ask`, which counts and names who answered. */
function createJudge(model: ProgramModel, options: CheckCertificateOptions) {
  const { terms, symbols } = model;
  const solvers = options.solvers(terms);
  const names = new Set<string>();
  const limits = { milliseconds: options.patience ?? 20_000 };
  let asked = 0;
  /** Is the conjunction without a model? null where no solver knows. */
  const refutes = (formulas: readonly Term[], milliseconds = limits.milliseconds): boolean | null => {
    if (formulas.some((formula) => formula.kind === "bool" && !formula.value)) return true;
    asked++;
    const all = [...formulas, ...axiomsFor(symbols, formulas, new Set())];
    for (const solver of solvers) {
      if (options.cancellation?.isCancelled()) throw new Refused("interrupted");
      solver.push();
      try {
        solver.assert(...all);
        const answer = solver.check([], { limits: { milliseconds }, model: false });
        if (answer.kind === "unknown") continue;
        names.add(solver.name);
        return answer.kind === "unsat";
      } finally {
        solver.pop();
      }
    }
    return null;
  };
  const demand = (formulas: readonly Term[], what: string) => {
    const before = names.size;
    const answer = refutes(formulas);
    options.asked?.({
      what,
      formulas: [...formulas, ...axiomsFor(symbols, formulas, new Set())],
      conclusion: terms.bool(false),
      answer: answer === null ? "unknown" : answer ? "proved" : "refuted",
      by: names.size === 0 && before === 0 ? null : [...names].at(-1)!,
    });
    if (answer === true) return;
    throw new Refused(answer === null ? `no solver decides that ${what}` : `it is not so that ${what}`);
  };
  const before = (region: ModelRegion, invariants: Invariants) => [
    ...(region.from === null ? [] : invariants.get(region.from)!),
    ...region.definitions,
  ];
  const carries = (region: ModelRegion, invariants: Invariants) => {
    for (const { to, guard, next } of region.exits) {
      const goals = invariants.get(to)!.map((formula) => inState(model, formula, next));
      const name = region.from ?? "the start";
      demand(
        [...before(region, invariants), guard, terms.not(terms.all(goals))],
        `the invariants of ${to} hold when it is reached from ${name}`,
      );
    }
  };
  const hasNoError = (region: ModelRegion, invariants: Invariants) => {
    const errors = terms.any(region.errors.map(({ guard }) => guard));
    demand([...before(region, invariants), errors], `no error is reached from ${region.from ?? "the start"}`);
  };
  /** An unrolling whose formulas are collected, not asserted: each question is one script. */
  const collect = (from: Layer | null, invariants: Invariants) => {
    const formulas: Term[] = [];
    const sink = { assert: (...more: readonly Term[]) => void formulas.push(...more) } as unknown as Solver;
    const unrolling: Unrolling = unroll(model, sink, from, new Set(), (head, state, guard) =>
      invariants.get(head)!.map((formula) => terms.implies(guard, inState(model, formula, state))),
    );
    return { formulas, unrolling };
  };
  /** Returns whether nothing undefined happens in any of these regions either, as far as that is known. */
  const endsWithin = (depth: number, invariants: Invariants): boolean => {
    const { formulas, unrolling } = collect(null, invariants);
    const undefinedIn: Term[] = [];
    for (let i = 1; i <= depth; i++) {
      unrolling.step();
      undefinedIn.push(unrolling.undefinedIn);
      demand([...formulas, unrolling.errors], `no error is reached in region ${i} of a run`);
    }
    demand([...formulas, unrolling.frontier], `every run ends within ${depth} regions`);
    return refutes([...formulas, terms.any(undefinedIn)], limits.milliseconds) === true;
  };
  const holdsByInduction = (depth: number, invariants: Invariants) => {
    const base = collect(null, invariants);
    // The step begins at a head: before it is the region of the start, which is one more.
    for (let i = 1; i <= depth + 1; i++) {
      base.unrolling.step();
      demand([...base.formulas, base.unrolling.errors], `no error is reached in region ${i} of a run`);
    }
    const start: Layer = [...model.heads.values()].map(({ key, live }) => {
      const state = new Map(live.map((place) => [place, place as Term]));
      return { head: key, guard: symbols.fresh("at", "condition"), state };
    });
    const { formulas, unrolling } = collect(start, invariants);
    formulas.push(
      ...exactlyOne(
        terms,
        start.map(({ guard }) => guard),
      ),
    );
    for (const { head, guard } of start) {
      formulas.push(...invariants.get(head)!.map((formula) => terms.implies(guard, formula)));
    }
    for (let i = 1; i <= depth; i++) {
      unrolling.step();
      formulas.push(terms.not(unrolling.errors));
    }
    unrolling.step();
    demand([...formulas, unrolling.errors], `an error does not come after ${depth} regions without one`);
  };
  return {
    carries,
    hasNoError,
    endsWithin,
    holdsByInduction,
    /** With little patience: what is not proved is said as an assumption. */
    follows: (assumptions: readonly Term[], goal: Term) =>
      refutes([...assumptions, terms.not(goal)], Math.min(3000, limits.milliseconds)) === true,
    asked: () => asked,
    by: () => [...names],
    dispose() {
      for (const solver of solvers) solver.dispose();
    },
  };
}

function exactlyOne(terms: Terms, conditions: readonly Term[]): readonly Term[] {
  const excluded = conditions.flatMap((a, i) => conditions.slice(i + 1).map((b) => terms.not(terms.and(a, b))));
  return [terms.any(conditions), ...excluded];
}
