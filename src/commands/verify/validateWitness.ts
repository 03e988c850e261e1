import { emptyKnowledge, type Task } from "../../analyses/verify/engine.ts";
import { excludesErrors, inductiveSubset, joined } from "../../analyses/verify/invariantEngine.ts";
import { kInduction } from "../../analyses/verify/kInduction.ts";
import { spacer } from "../../analyses/verify/spacer.ts";
import { cancelledAfter, neverCancelled } from "../../base/cancellation.ts";
import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { type Certificate, certificateOf } from "../../cutpoints/certificate.ts";
import { arithmeticBehaviours } from "../../cutpoints/obligation.ts";
import { buildModel, type ModelRegion, type ProgramModel } from "../../cutpoints/programModel.ts";
import { type StatedProgram, type StatedTerm, statedProgram, statedTerms } from "../../cutpoints/stated.ts";
import type { Program } from "../../ir/program.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import { printSmtLib } from "../../logic/printSmtLib.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import { checkAgain, racersOf, startSearch, verifyProgram } from "./pipeline.ts";
import type { StatedVerdict, WitnessReport } from "./result.ts";
import type { Verdict, Verification, VerifyOptions } from "./verification.ts";

export type Stated = { readonly text: string; readonly location: SourceRange; readonly at: SourceRange };

export type Validation = {
  readonly verification: Verification;
  readonly witness: WitnessReport;
};

/**
 * Decides for each condition of a witness whether it holds in all runs, and whether they exclude all errors. First it
 * finds the inductive ones; for the others the engines verify a program in which violating the condition is the only
 * error.
 */
export function validateWitness(program: Program, stated: readonly Stated[], options: VerifyOptions): Validation {
  const start = performance.now();
  const ways = statedProgram(program);
  const cancellation = options.cancellation ?? neverCancelled;
  const chain = startSearch(options);
  try {
    const isCut = (node: Parameters<NonNullable<Parameters<typeof buildModel>[1]["isCut"]>>[0]) =>
      ways.isPlace(node.function, node.location);
    const evaluating = buildModel(ways.evaluating, { property: "assert", arithmetic: options.arithmetic, isCut });
    const said = statedTerms(
      evaluating,
      stated.map(({ at }) => at),
    );
    const model = buildModel(ways.silent, {
      property: options.property,
      arithmetic: options.arithmetic,
      isCut,
      mentioned: (terms, key) =>
        freeVariablesOf(said.filter(({ head }) => head === key).map(({ term }) => term)).map(({ name, sort }) =>
          terms.variable(name, sort),
        ),
    });
    const formulas = formulasAt(evaluating, model, said);
    const task: Task = {
      model,
      solver: chain.solver,
      knowledge: emptyKnowledge(model),
      cancellation,
      confirm: () => false,
    };
    const candidates = new Map([...model.heads.keys()].map((key) => [key, formulas.at(key)]));
    const kept = inductiveSubset(task, candidates);
    const inductive = (number: number) =>
      [...candidates.keys()].every((key) =>
        formulas.of(number, key).every((term) => present(kept.get(key)).includes(term)),
      );
    const left = () => options.milliseconds - (performance.now() - start);
    const verdicts = stated.map((one, number): StatedVerdict => {
      const about = { text: one.text, location: one.location, stated: one.at };
      if (formulas.isTrivial(number)) return { ...about, verdict: "holds", by: "it is reached by no run", inputs: [] };
      if (!formulas.isKnown(number)) return { ...about, verdict: "unknown", by: "no formula expresses it", inputs: [] };
      if (inductive(number)) return { ...about, verdict: "holds", by: "induction with the others", inputs: [] };
      // Try runs first: they may refute the condition at once.
      const tried = byEngines(ways, number, { ...options, engines: ["runs"] }, quickRuns);
      if (tried.verdict === "violated") return { ...about, ...tried };
      const milliseconds = Math.max(2000, left() / (2 * stated.length));
      if (support(task, formulas, number, options, milliseconds / 2)) {
        return { ...about, verdict: "holds", by: "spacer, which finds what it needs", inputs: [] };
      }
      return { ...about, ...byEngines(ways, number, { ...options, engines: null }, milliseconds) };
    });
    // Conditions that were proved by themselves may be used.
    for (const [key, list] of joined(model, task.knowledge.invariants, kept)) {
      const others = verdicts.flatMap(({ verdict }, number) => (verdict === "holds" ? formulas.of(number, key) : []));
      task.knowledge.invariants.set(key, [...new Set([...list, ...others])]);
    }
    const { verdict, suffices } = sufficiency(ways, task, options, Math.max(5000, left()));
    const solver = { queries: chain.statistics.queries, ms: Math.round(chain.statistics.milliseconds) };
    return {
      verification: { verdict, log: [], model, known: task.knowledge.invariants, solver, tree: null },
      witness: { invariants: verdicts, suffices },
    };
  } finally {
    chain.solver.dispose();
  }
}

/** The time limit for refuting runs, in milliseconds. */
const quickRuns = 2000;

type Formulas = ReturnType<typeof formulasAt>;

/** The conditions as formulas of the model: both models name the same places equally. */
function formulasAt(evaluating: ProgramModel, model: ProgramModel, said: readonly StatedTerm[]) {
  const found = said.map(({ number, head, term }) => {
    const sorts = new Map(freeVariablesOf([term]).map(({ name, sort }) => [name, sort]));
    return {
      number,
      head,
      term: parseSmtLib(model.terms, printSmtLib(term), (name) => sorts.get(name) ?? null),
    };
  });
  const of = (number: number, head: string): readonly Term[] =>
    found.filter((one) => one.number === number && one.head === head).map(({ term }) => term);
  // A value that is fixed at a head of only one model would be assumed without proof.
  const isSameFixed = [...evaluating.heads.values()].every(({ key, fixed }) => {
    const other = new Map(
      [...(model.heads.get(key)?.fixed ?? [])].map(([place, value]) => [place.name, printSmtLib(value)]),
    );
    return [...fixed].every(([place, value]) => other.get(place.name) === printSmtLib(value));
  });
  const evaluated = new Set(found.map(({ number }) => number));
  const failing = new Set(evaluating.regions.flatMap(({ errors }) => errors.flatMap(({ stated }) => stated ?? [])));
  return {
    of,
    at: (head: string) => found.filter((one) => one.head === head).map(({ term }) => term),
    isKnown: (number: number) => isSameFixed && evaluated.has(number),
    isTrivial: (number: number) => !failing.has(number) && evaluating.holes.length === 0,
  };
}

/** Searches for invariants that imply a condition; the task learns them and the condition. */
function support(
  task: Task,
  formulas: Formulas,
  number: number,
  options: VerifyOptions,
  milliseconds: number,
): boolean {
  const { model, knowledge } = task;
  const { terms } = model;
  const regions = model.regions.map((region): ModelRegion => {
    const wanted = region.from === null ? [] : formulas.of(number, region.from);
    const site = {
      kind: "assertion",
      text: "",
      range: nth(model.program.functions, model.program.entry).range,
    } as const;
    return { ...region, errors: wanted.map((term) => ({ ...site, guard: terms.not(term) })) };
  });
  const finding = spacer({ racers: racersOf(options.solver), milliseconds }).decide({
    ...task,
    model: { ...model, regions },
  });
  if (finding.kind !== "safe") return false;
  const { invariants, sorts } = finding.certificate;
  for (const [key, list] of knowledge.invariants) {
    const found = (invariants.get(key) ?? []).map((text) =>
      parseSmtLib(terms, text, (name) => sorts.get(name) ?? null),
    );
    knowledge.invariants.set(key, [...new Set([...list, ...found, ...formulas.of(number, key)])]);
  }
  return true;
}

function byEngines(
  ways: StatedProgram,
  number: number,
  options: VerifyOptions,
  milliseconds: number,
): Pick<StatedVerdict, "verdict" | "by" | "inputs"> {
  if (options.property !== "assert")
    return { verdict: "unknown", by: "it does not follow from the others", inputs: [] };
  const { verdict } = verifyProgram(ways.asking(number), { ...options, milliseconds });
  if (verdict.kind === "safe" && verdict.assumptions.every(({ behaviour }) => arithmeticBehaviours.has(behaviour))) {
    const condition = verdict.assumptions.length === 0 ? "" : ", where no arithmetic overflows";
    return { verdict: "holds", by: `${verdict.engine}, on its own${condition}`, inputs: [] };
  }
  if (verdict.kind === "unsafe") {
    const inputs = verdict.trace.inputs.map(({ value }) => `${value}`);
    return { verdict: "violated", by: `a run, found by ${verdict.engine}`, inputs };
  }
  return { verdict: "unknown", by: "it is not inductive with the others, and no engine decides it", inputs: [] };
}

function sufficiency(
  ways: StatedProgram,
  task: Task,
  options: VerifyOptions,
  milliseconds: number,
): { readonly verdict: Verdict; readonly suffices: WitnessReport["suffices"] } {
  const { model, knowledge } = task;
  const unknown = (reason: string, help: string): Verdict => ({
    kind: "unknown",
    reasons: [{ reason, where: null, help }],
  });
  const [hole] = model.holes;
  if (hole !== undefined) {
    const { reason, range, help } = hole;
    return { verdict: { kind: "unknown", reasons: [{ reason, where: range, help }] }, suffices: "unknown" };
  }
  let certificate: Certificate | null = null;
  if (excludesErrors(task, knowledge.invariants)) certificate = certificateOf(model, knowledge.invariants);
  else {
    const finding = kInduction(4_000_000).decide(task);
    if (finding.kind === "safe") certificate = finding.certificate;
  }
  const help = "tracefold verify without --witness looks for invariants of its own.";
  if (certificate === null) {
    return { verdict: unknown("the invariants that hold do not exclude every error", help), suffices: "no" };
  }
  const cancellation = cancelledAfter(milliseconds, options.cancellation ?? neverCancelled);
  const checkStart = performance.now();
  const checked = checkAgain(ways.silent, certificate, options, cancellation);
  if (checked.kind === "refused") {
    const reason = `no error follows from the invariants, but they could not be checked again: ${checked.reason}`;
    return { verdict: unknown(reason, help), suffices: "unknown" };
  }
  const { by: checkedBy, asked: questions, assumptions } = checked;
  const { obligations } = checked.proof;
  const checkMs = Math.round(performance.now() - checkStart);
  return {
    verdict: {
      kind: "safe",
      engine: "witness",
      certificate,
      checkedBy,
      questions,
      obligations,
      assumptions,
      exception: null,
      checkMs,
    },
    suffices: "yes",
  };
}
