import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import { headRange } from "../cutpoints/headRange.ts";
import { inState } from "../cutpoints/instance.ts";
import { closeObligation, type Obligation, type Question } from "../cutpoints/obligation.ts";
import { buildModel, type ModelRegion, type ProgramModel } from "../cutpoints/programModel.ts";
import { mergeByNames } from "../cutpoints/region.ts";
import { anyHead, type Layer, type Unrolling, unroll } from "../cutpoints/unroll.ts";
import type { Program } from "../ir/program.ts";
import { isFalse, type Term, type Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type Assumption, assumptionsAboutOutside, dischargeAssumptions } from "./assumptions.ts";
import { type Checkers, checkObligations, firstAnswer, type ProofCheck, proofNotChecked } from "./checkObligations.ts";
import { parseFormula } from "./claim.ts";
import { endsWell, onlyRun } from "./onlyRun.ts";

/** Whether a certificate shows what it should, and what solvers said about its obligations. */
export type CertificateCheck = { readonly proof: ProofCheck } & (
  | {
      readonly kind: "proved";
      /** Questions that were put to a solver, those about assumptions included. */
      readonly asked: number;
      readonly by: readonly string[];
      /** Undefined behaviour that the invariants do not exclude: the verdict is for runs without it. */
      readonly assumptions: readonly Assumption[];
    }
  /** `isWrong`: it is not just undecided. */
  | { readonly kind: "refused"; readonly reason: string; readonly isWrong: boolean }
);

export type CheckCertificateOptions = Question & {
  /** Starts who checks: the first solver that has an answer gives it. They are disposed of at the end. */
  readonly checkers: () => Checkers;
  readonly cancellation?: Cancellation;
};

/** Milliseconds for one question to one solver; for one about an assumption, which can do without an answer. */
const patience = 20_000;
const assumptionPatience = 3000;
/** After so many questions without an answer no more is asked about assumptions. */
const mostUnanswered = 6;

/**
 * Proves a certificate again from the program and the text of the invariants alone: with its own model, whose encoder
 * names merged states instead of choosing between them, and with other solvers if there are any.
 */
export function checkCertificate(
  program: Program,
  certificate: Certificate,
  options: CheckCertificateOptions,
): CertificateCheck {
  if (certificate.kind === "run") return checkOnlyRun(program, certificate, options);
  const claimed = { sorts: Object.fromEntries(certificate.sorts) };
  const parse = (terms: Terms, key: string): readonly Term[] =>
    (certificate.invariants.get(key) ?? []).map((text) => parseFormula(terms, claimed, text));
  const model = buildModel(program, {
    property: options.property,
    arithmetic: options.arithmetic,
    merge: mergeByNames,
    cuts: new Set(certificate.invariants.keys()),
    fixed: (terms, symbols, key) => equationsIn(symbols, parse(terms, key)),
    mentioned: (terms, key) => freeVariablesOf(parse(terms, key)),
  });
  const refused = (proof: ProofCheck, reason: string, isWrong = false): CertificateCheck => ({
    kind: "refused",
    reason,
    isWrong,
    proof,
  });
  const [hole] = model.holes;
  if (hole !== undefined) return refused(proofNotChecked, `${hole.reason} is not encoded`);
  const stray = [...certificate.invariants].find(([key, texts]) => texts.length > 0 && !model.heads.has(key));
  if (stray !== undefined) {
    return refused(proofNotChecked, `it claims something at ${stray[0]}, which no run comes to`, true);
  }
  const invariants = new Map([...model.heads.keys()].map((key) => [key, parse(model.terms, key)]));
  const { cancellation = neverCancelled } = options;
  const checkers = options.checkers();
  try {
    const base = unrolled(model, null, invariants);
    const proof = checkObligations(model.terms, certificateObligations(model, certificate, invariants, base), {
      checkers,
      cancellation,
      allOrNothing: true,
      rounds: [() => ({ milliseconds: patience })],
    });
    const open = proof.verdicts.find(({ answer }) => answer !== "proved");
    if (open !== undefined) {
      const { text } = open.obligation;
      if (open.answer === "unknown") return refused(proof, `no solver decides that ${text}`);
      return refused(proof, `it is not so that ${text}`, true);
    }
    if (!proof.checked) return refused(proof, "interrupted");
    const by = new Set(proof.verdicts.flatMap((verdict) => verdict.by ?? []));
    let unanswered = 0;
    let asked = proof.verdicts.filter((verdict) => verdict.by !== null).length;
    const refutes = (formulas: readonly Term[], milliseconds: number): boolean => {
      if (formulas.some(isFalse)) return true;
      // What is not asked any more stays an assumption.
      if (cancellation.isCancelled() || unanswered >= mostUnanswered) return false;
      asked++;
      const all = [...formulas, ...axiomsFor(model.symbols, formulas, new Set())];
      const answer = firstAnswer(checkers.solvers, all, [() => ({ milliseconds })]);
      if (answer.kind === "unknown") unanswered++;
      else by.add(answer.by);
      return answer.kind === "unsat";
    };
    const isDefined =
      certificate.kind === "bounded" && refutes([...base.formulas, model.terms.any(base.undefinedIn)], patience);
    const assumptions = dischargeAssumptions(model, invariants, (known, goal) => {
      return isDefined || refutes([...known, model.terms.not(goal)], assumptionPatience);
    });
    return { kind: "proved", asked, by: [...by], assumptions, proof };
  } finally {
    checkers.dispose();
  }
}

/** Makes the run again: nothing is left to a solver. */
function checkOnlyRun(
  program: Program,
  { depth, invariants }: Certificate,
  options: CheckCertificateOptions,
): CertificateCheck {
  const refused = (reason: string, isWrong: boolean): CertificateCheck => {
    return { kind: "refused", reason, isWrong, proof: proofNotChecked };
  };
  if (invariants.size > 0) return refused("it claims something at loops that it does not use", true);
  const { cancellation = neverCancelled } = options;
  // Enough to see that the run is longer than the certificate says.
  const run = onlyRun(program, options, { maxSteps: depth + 100_000, cancellation });
  if (cancellation.isCancelled()) return refused("interrupted", false);
  if (run === null) return refused("the program may have other runs, or its run is longer", false);
  if (!endsWell(run)) return refused(`its run ends otherwise: ${run.outcome.kind}`, true);
  if (run.steps !== depth) return refused(`its run has ${run.steps} steps, not ${depth}`, true);
  const proof = { ...proofNotChecked, checked: true, interrupted: false };
  return { kind: "proved", asked: 0, by: ["a run"], assumptions: assumptionsAboutOutside(program), proof };
}

/** `place = number` and `place = address`: what is put into the encoding at a head instead of being looked up in it. */
function equationsIn(symbols: Symbols, formulas: readonly Term[]): ReadonlyMap<Variable, Term> {
  const { terms } = symbols;
  const fixed = new Map<Variable, Term>();
  for (const formula of formulas) {
    if (formula.kind !== "eq") continue;
    const monomials = formula.sum.kind === "sum" ? formula.sum.monomials : [{ coefficient: 1n, term: formula.sum }];
    const isBase = (term: Term) => term.kind === "variable" && symbols.isBase(term);
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

/** All that has to be shown for a certificate, one after the other: an unrolling is built only as far as it is asked about. */
function* certificateObligations(
  model: ProgramModel,
  { kind, depth }: Certificate,
  invariants: Invariants,
  base: Unrolled,
): Generator<Obligation> {
  const { terms } = model;
  let count = 0;
  const obligation = (
    about: Pick<Obligation, "kind" | "text" | "range">,
    hypotheses: readonly Term[],
    conclusion: Term,
  ): Obligation => {
    const name = `${about.kind}-${++count}`;
    return closeObligation(model.symbols, { ...about, name, hypotheses, conclusion });
  };
  const rangeOf = (key: string | null) => {
    const head = key === null ? undefined : model.heads.get(key);
    return head === undefined ? null : headRange(head);
  };
  const loopAt = (key: string): string => {
    const range = rangeOf(key);
    return range === null ? key : `the loop at ${range.line}:${range.column}`;
  };
  for (const region of model.regions) {
    const from = region.from === null ? "the start" : loopAt(region.from);
    const before = [...invariantsBefore(region, invariants), ...region.definitions];
    for (const { to, guard, next } of region.exits) {
      const text = `the invariants of ${loopAt(to)} hold when it is reached from ${from}`;
      const goals = present(invariants.get(to)).map((formula) => inState(model, formula, next));
      const about = { kind: region.from === null ? "entry" : "keeps", text, range: rangeOf(to) } as const;
      yield obligation(about, [...before, guard], terms.all(goals));
    }
    if (kind !== "inductive" || depth > 1) continue;
    const errors = terms.any(region.errors.map((error) => error.guard));
    const about = { kind: "target", text: `no error is reached from ${from}`, range: rangeOf(region.from) } as const;
    yield obligation(about, before, terms.not(errors));
  }
  if (kind === "inductive" && depth === 1) return;
  // The step of an induction begins at a head: before it is the region of the start, which is one more.
  const { formulas, unrolling } = base;
  for (let i = 1; i <= (kind === "bounded" ? depth : depth + 1); i++) {
    unrolling.step();
    base.undefinedIn.push(unrolling.undefinedIn);
    const text = `no error is reached in region ${i} of a run`;
    yield obligation({ kind: "target", text, range: null }, [...formulas], terms.not(unrolling.errors));
  }
  if (kind === "bounded") {
    const text = `every run ends within ${depth} regions`;
    yield obligation({ kind: "ends", text, range: null }, formulas, terms.not(unrolling.frontier));
    return;
  }
  const start = anyHead(model);
  const step = unrolled(model, start.layer, invariants);
  step.formulas.push(...start.facts);
  for (const { head, guard } of start.layer) {
    step.formulas.push(...present(invariants.get(head)).map((formula) => terms.implies(guard, formula)));
  }
  for (let i = 1; i <= depth; i++) {
    step.unrolling.step();
    step.formulas.push(terms.not(step.unrolling.errors));
  }
  step.unrolling.step();
  const text = `an error does not come after ${depth} regions without one`;
  yield obligation({ kind: "target", text, range: null }, step.formulas, terms.not(step.unrolling.errors));
}

function invariantsBefore({ from }: ModelRegion, invariants: Invariants): readonly Term[] {
  return from === null ? [] : present(invariants.get(from));
}

/** An unrolling whose formulas are collected: each question is one script. */
type Unrolled = {
  readonly formulas: Term[];
  readonly unrolling: Unrolling;
  /** That something undefined happens, in each region so far. */
  readonly undefinedIn: Term[];
};

function unrolled(model: ProgramModel, from: Layer | null, invariants: Invariants): Unrolled {
  const formulas: Term[] = [];
  const collect = { assert: (...more: readonly Term[]) => void formulas.push(...more) };
  const unrolling = unroll(model, collect, from, new Set(), (head, state, guard) =>
    present(invariants.get(head)).map((formula) => model.terms.implies(guard, inState(model, formula, state))),
  );
  return { formulas, unrolling, undefinedIn: [] };
}
