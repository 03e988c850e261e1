import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { certificateOf } from "../../cutpoints/certificate.ts";
import type { Head, ModelRegion, ProgramModel } from "../../cutpoints/programModel.ts";
import { readSExpressions, type SExpression, termOfSExpression } from "../../logic/parseSmtLib.ts";
import { parseSymbol, printSmtLib, printSort, printSymbol } from "../../logic/printSmtLib.ts";
import { conjuncts, isFalse, type Term, type Variable } from "../../logic/term.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";
import { type RaceResult, raceScripts } from "../../solver/scripts.ts";
import { axiomsFor } from "../../symbolic/createProver.ts";
import {
  type Background,
  emptyKnowledge,
  type Finding,
  type Task,
  unknownFinding,
  type VerifyEngine,
} from "./engine.ts";
import { joined, neededInvariants } from "./invariantEngine.ts";
import { isNonlinearRegion, linearised } from "./linearised.ts";

/** With inlining, models contain quantifiers and cannot be checked. */
const options = ["(set-option :fp.engine spacer)"]
  .concat(
    ["fp.xform.inline_eager", "fp.xform.inline_linear", "fp.xform.slice"].map((name) => `(set-option :${name} false)`),
  )
  .join("\n");

export type SpacerOptions = {
  readonly milliseconds: number;
  readonly racers: readonly Racer[];
  readonly megabytes?: number | undefined;
};

export type Racer = {
  readonly backend: BackendChoice;
  /** True for global guidance, which older versions do not have. */
  readonly global: boolean;
  /**
   * The findings of others that Spacer is told: equations and congruences, which it hardly finds itself. Bounds and
   * disequalities, which it finds, make it ten times slower on control states.
   */
  readonly told: "nothing" | "equations";
  /** True for linear arithmetic only (see `linearised`). */
  readonly linear: boolean;
};

/**
 * Property-directed reachability by Z3's Spacer: one unknown predicate per head, one Horn clause per way between heads.
 * It runs with and without global guidance, because neither is better on all programs.
 */
export function spacer(settings: SpacerOptions): VerifyEngine {
  return {
    name: "spacer",
    decide(task) {
      const begun = begin(task, settings);
      return "kind" in begun ? begun : begun.finding();
    },
    begin: (task) => begin(task, settings),
  };
}

function begin(task: Task, { racers, milliseconds, megabytes }: SpacerOptions): Background | Finding {
  const { model, knowledge, cancellation } = task;
  // Without a query everything is a solution, which Spacer calls unsat.
  if (!model.regions.some(hasErrors)) return { kind: "safe", certificate: certificateOf(model, knowledge.invariants) };
  const scripts = racers.map(({ backend, global, told, linear }) => ({
    backend,
    script: `${options}${global ? "(set-option :fp.spacer.global true)" : ""}\n${hornClauses(model, linear ? linearised(model) : model.regions, toldOf(task, told))}`,
  }));
  const isAnswer = (text: string) => isSolved(text) || isReached(text);
  const race = raceScripts(scripts, { milliseconds, cancellation, megabytes, accepts: isAnswer });
  return {
    hasAnswer: () => {
      const result = race.look();
      return result !== null && result.winner !== null && isSolved(result.outputs[result.winner]!);
    },
    isOver: () => race.look() !== null,
    finding: () => findingOf(task, race.wait(), racers),
    stop: race.stop,
  };
}

const isSolved = (text: string) => /^sat\b/.test(text.trimStart());
/** The model has an error path, so no racer has a solution. */
const isReached = (text: string) => /^unsat\b/.test(text.trimStart());

function hasErrors({ errors }: ModelRegion): boolean {
  return errors.some(({ guard }) => !isFalse(guard));
}

/** The shared formulas of each head. Fixed values are part of the encoding and always told. */
function toldOf({ model, knowledge }: Task, told: Racer["told"]): ReadonlyMap<string, readonly Term[]> {
  if (told === "nothing") return emptyKnowledge(model).invariants;
  return new Map([...knowledge.invariants].map(([key, list]) => [key, list.filter(({ kind }) => kind === "eq")]));
}

function findingOf(task: Task, { winner, outputs }: RaceResult, racers: readonly Racer[]): Finding {
  const { model, knowledge } = task;
  if (winner === null) return unknownFinding("Spacer finds nothing in time");
  if (isReached(outputs[winner]!)) return unknownFinding("Spacer finds a way to an error");
  try {
    const found = readSolution(model, outputs[winner]!);
    if (found === null) return unknownFinding("Spacer's answer cannot be read");
    for (const [key, list] of found) for (const formula of list) present(knowledge.lemmas.get(key)).add(formula);
    // Nonlinear queries are too slow to minimise conjunct by conjunct: keep the solution as a whole.
    const isWhole = nth(racers, winner).told === "nothing" && model.regions.some(isNonlinearRegion);
    const invariants = isWhole
      ? joined(model, emptyKnowledge(model).invariants, found)
      : neededInvariants(task, joined(model, knowledge.invariants, found));
    return { kind: "safe", certificate: certificateOf(model, invariants) };
  } catch (error) {
    if (error instanceof TracefoldError) return unknownFinding("Spacer's answer cannot be read");
    throw error;
  }
}

function readSolution(model: ProgramModel, text: string): ReadonlyMap<string, readonly Term[]> | null {
  const [, answer] = readSExpressions(text);
  if (!Array.isArray(answer)) return null;
  const found = new Map<string, readonly Term[]>();
  for (const [i, head] of [...model.heads.values()].entries()) {
    const formula = readPredicate(model, answer, `h${i}`, head);
    if (formula === null) return null;
    found.set(head.key, conjuncts(formula));
  }
  return found;
}

function hornClauses(
  model: ProgramModel,
  regions: readonly ModelRegion[],
  told: ReadonlyMap<string, readonly Term[]>,
): string {
  const { terms, symbols } = model;
  const heads = [...model.heads.values()];
  const nameOf = new Map(heads.map(({ key }, i) => [key, `h${i}`]));
  const lines = ["(set-logic HORN)"];
  for (const [i, { live }] of heads.entries()) {
    lines.push(`(declare-fun h${i} (${live.map(({ sort }) => printSort(sort)).join(" ")}) Bool)`);
  }
  const applied = (key: string, args: readonly Term[]) =>
    args.length === 0 ? present(nameOf.get(key)) : `(${nameOf.get(key)} ${args.map(printSmtLib).join(" ")})`;
  for (const region of regions) {
    const head = region.from === null ? null : present(model.heads.get(region.from));
    const known = region.from === null ? [] : present(told.get(region.from));
    const before = head === null ? [] : [applied(head.key, head.live)];
    const clause = (formulas: readonly Term[], values: readonly Term[], conclusion: string) => {
      const body = [...known, ...region.definitions, ...formulas];
      const all = [...body, ...axiomsFor(symbols, [...body, ...values, ...(head?.live ?? [])], new Set())];
      const variables = new Set(freeVariablesOf([...all, ...values, ...(head?.live ?? [])]));
      const premises = [...before, printSmtLib(terms.all(all))];
      lines.push(quantified([...variables], `(=> (and ${premises.join(" ")}) ${conclusion})`));
    };
    for (const { to, guard, next } of region.exits) {
      const values = present(model.heads.get(to)).live.map((place) => present(next.get(place)));
      clause([guard], values, applied(to, values));
    }
    if (hasErrors(region)) clause([terms.any(region.errors.map(({ guard }) => guard))], [], "false");
  }
  return [...lines, "(check-sat)", "(get-model)"].join("\n");
}

function quantified(variables: readonly Variable[], body: string): string {
  if (variables.length === 0) return `(assert ${body})`;
  const bindings = variables.map((variable) => `(${printSymbol(variable.name)} ${printSort(variable.sort)})`);
  return `(assert (forall (${bindings.join(" ")}) ${body}))`;
}

/** Reads `(define-fun h0 ((x!0 Int) …) Bool body)` as a formula over the head's places. */
function readPredicate(model: ProgramModel, answer: readonly SExpression[], name: string, head: Head): Term | null {
  const { terms } = model;
  const parts = answer[0] === "model" ? answer.slice(1) : answer;
  const definition = parts.find((part) => Array.isArray(part) && part[0] === "define-fun" && part[1] === name);
  if (definition === undefined) return null;
  const parameters = definition[2] as readonly (readonly [string, SExpression])[];
  if (parameters.length !== head.live.length) return null;
  const byName = new Map<string, Variable>();
  const back = new Map<Term, Term>();
  for (const [i, [parameter]] of parameters.entries()) {
    const local = terms.fresh("argument", nth(head.live, i).sort);
    byName.set(parseSymbol(parameter), local);
    back.set(local, nth(head.live, i));
  }
  const sorts = new Map([...byName.values()].map((variable) => [variable.name, variable.sort]));
  const body = termOfSExpression(terms, renamed(nth(definition, 4), byName), (symbol) => sorts.get(symbol) ?? null);
  return substitute(terms, body, back);
}

/** Renames the parameters to names that no variable of the store has. */
function renamed(expression: SExpression, byName: ReadonlyMap<string, Variable>): SExpression {
  if (typeof expression !== "string") return expression.map((part) => renamed(part, byName));
  const variable = byName.get(parseSymbol(expression));
  return variable === undefined ? expression : printSymbol(variable.name);
}
