import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import type { Value } from "../logic/evaluate.ts";
import { type FloatLemmas, floatLemmas, floatOperationsIn } from "../logic/floatLemmas.ts";
import { floatOperatorOf } from "../logic/floatOperator.ts";
import type { SExpression } from "../logic/parseSmtLib.ts";
import { printSmtLib, printSymbol } from "../logic/printSmtLib.ts";
import type { Apply, Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import {
  type AppliedValue,
  createModel,
  emptyModel,
  findError,
  type Model,
  readOne,
  readReason,
  readValue,
  readVerdict,
} from "./answers.ts";
import type { AssertionFrame, RemoteStack } from "./assertionStack.ts";
import type { Backend, Reply } from "./backend/backend.ts";
import { type CheckOptions, type CheckResult, type Limits, type Solver, type Unknown, unknown } from "./solver.ts";
import {
  createSolverSession,
  equalLimits,
  graceMilliseconds,
  type OpenSolver,
  type SolverSession,
} from "./solverSession.ts";

/**
 * The text layer of all back ends: keeps the assertion stack, sends what a solver process lacks with each check, reads
 * answers, and starts a new process with the whole context after one was lost. Of several back ends it takes the first
 * that starts and identifies itself correctly. Cores are as the solver gives them: `minimiseCores` makes them
 * irredundant.
 */
export function createSmtSolver(
  backends: readonly [Backend, ...Backend[]],
  defaults: Limits,
  cancellation: Cancellation = neverCancelled,
): Solver {
  const session = createSolverSession(backends, defaults, cancellation);
  let frames: AssertionFrame[] = [{ assertions: [] }];
  return {
    get name() {
      return session.name;
    },
    push() {
      frames.push({ assertions: [] });
    },
    pop(levels = 1) {
      if (levels >= frames.length) throw new Defect(`pop of ${levels} levels from ${frames.length - 1}`);
      frames.length -= levels;
    },
    assert(...formulas) {
      for (const formula of formulas) if (formula.sort !== "Bool") throw new Defect("asserts no formula");
      for (const formula of formulas) present(frames.at(-1)).assertions.push(formula);
    },
    check(assumptions = [], options = {}) {
      if (cancellation.isCancelled()) return unknown("interrupted", "interrupted");
      const floats = floatLemmas([...frames.flatMap((frame) => frame.assertions), ...assumptions]);
      const given = effectiveLimits(defaults, options.limits);
      const limits = floats === null ? given : { ...given, resources: Math.ceil(given.resources / floatShare) };
      const started = session.start(limits);
      if (started.kind === "unknown") return started;
      return check({ session, started, frames, floats, limits }, assumptions, options);
    },
    run(script, given) {
      if (cancellation.isCancelled()) return unknown("interrupted", "interrupted");
      const limits = effectiveLimits(defaults, given);
      const started = session.start(limits);
      if (started.kind === "unknown") return started;
      const commands = session.backend.limitCommands?.(limits) ?? "";
      const reply = started.connection.script(`${commands}${script}`, waitFor(limits));
      if (reply.kind === "lost") return session.lost(reply);
      return findError(reply.text) ?? { kind: "output", text: reply.text };
    },
    reset() {
      frames = [{ assertions: [] }];
      session.restart();
    },
    prepare: session.prepare,
    dispose: session.dispose,
  };
}

/** Floating-point questions are answered soon or never, and each step takes longer. */
const floatShare = 4;

type Question = {
  readonly session: SolverSession;
  readonly started: OpenSolver;
  readonly frames: readonly AssertionFrame[];
  /** The meaning of its floating-point operations. */
  readonly floats: FloatLemmas | null;
  readonly limits: Limits;
};

type Exchange = (text: string) => Reply;

function check(question: Question, assumptions: readonly Term[], options: CheckOptions): CheckResult {
  const { session, started, limits } = question;
  const end = performance.now() + waitFor(limits);
  const exchange: Exchange = (text) => started.connection.exchange(text, Math.max(1, end - performance.now()));
  const { commands, byWord } = printCheck(question, assumptions);
  const reply = exchange(commands);
  if (reply.kind === "lost") return session.lost(reply);
  const verdict = readVerdict(reply.text);
  switch (verdict.kind) {
    case "failed":
      session.close();
      return verdict.unknown;
    case "unknown": {
      const reason = exchange("(get-info :reason-unknown)");
      if (reason.kind === "lost") return session.lost(reason);
      const isLate = limits.milliseconds > 0 && performance.now() >= end - graceMilliseconds;
      return isLate ? unknown("limit", "time limit reached") : readReason(reason.text);
    }
    case "sat": {
      if (options.model === false) return { kind: "sat", model: emptyModel };
      const model = fetchModel(question, exchange, assumptions);
      return "kind" in model ? model : { kind: "sat", model };
    }
    case "unsat": {
      if (assumptions.length === 0) return { kind: "unsat", core: [] };
      const core = exchange("(get-unsat-assumptions)");
      if (core.kind === "lost") return session.lost(core);
      return readCore(session, core.text, byWord, assumptions);
    }
  }
}

/** The commands that the process lacks, the question, and the names of the assumptions. */
function printCheck(
  { session: { backend }, started, frames, floats, limits }: Question,
  assumptions: readonly Term[],
): { readonly commands: string; readonly byWord: ReadonlyMap<string, Term> } {
  let commands = "";
  if (backend.limitCommands !== null && !equalLimits(started.limits, limits)) {
    commands += backend.limitCommands(limits);
    started.limits = limits;
  }
  // Assumptions that are formulas get a name each, in a level that the next update removes.
  const isNamed = assumptions.some((term) => printLiteral(term) === null);
  commands += started.stack.update(isNamed || floats !== null ? [...frames, { assertions: [] }] : frames);
  const mentioned = started.stack.mention(assumptions);
  commands += mentioned.commands;
  if (floats !== null) commands += printLemmas(started.stack, floats);
  const byWord = new Map<string, Term>();
  for (const [i, term] of assumptions.entries()) {
    let word = printLiteral(term);
    if (word === null) {
      word = `tf!assume${i}`;
      commands += `(declare-fun ${word} () Bool)(assert (=> ${word} ${mentioned.texts[i]}))\n`;
    }
    byWord.set(word, term);
  }
  const words = [...byWord.keys()];
  commands += words.length === 0 ? "(check-sat)" : `(check-sat-assuming (${words.join(" ")}))`;
  return { commands, byWord };
}

/** Floating-point lemmas, in the level that the next update removes. */
function printLemmas(stack: RemoteStack, { declarations, terms, lemmas }: FloatLemmas): string {
  const { commands, texts } = stack.mention(terms);
  return [...declarations, commands, ...lemmas(texts).map((lemma) => `(assert ${lemma})\n`)].join("");
}

function waitFor({ milliseconds }: Limits): number {
  return milliseconds === 0 ? 2 ** 31 : milliseconds + graceMilliseconds;
}

function readCore(
  session: SolverSession,
  text: string,
  byWord: ReadonlyMap<string, Term>,
  assumptions: readonly Term[],
): CheckResult {
  const list = readOne(text);
  const core = new Set<Term>();
  for (const word of Array.isArray(list) ? (list as readonly SExpression[]) : [""]) {
    const term = byWord.get(typeof word === "string" ? word : `(${word.join(" ")})`);
    if (term === undefined) {
      session.close();
      return unknown("failure", `unreadable unsat core: ${text.slice(0, 200)}`);
    }
    core.add(term);
  }
  return { kind: "unsat", core: assumptions.filter((term) => core.has(term)) };
}

function fetchModel(
  { session, started, frames }: Question,
  exchange: Exchange,
  assumptions: readonly Term[],
): Model | Unknown {
  const variables = [...started.stack.variables];
  const formulas = [...frames.flatMap((frame) => frame.assertions), ...assumptions];
  const applies = appliesOf(formulas);
  if (variables.length + applies.length === 0) return emptyModel;
  const words = [...variables.map((v) => printSymbol(v.name)), ...applies.map(printSmtLib)];
  const reply = exchange(`(get-value (${words.join(" ")}))`);
  if (reply.kind === "lost") return session.lost(reply);
  const error = findError(reply.text);
  const list = error === null ? readOne(reply.text) : null;
  if (!Array.isArray(list) || list.length !== words.length) {
    session.close();
    return error ?? unknown("failure", `unreadable model: ${reply.text.slice(0, 200)}`);
  }
  return readModel(list, variables, applies, standingForFloats(formulas));
}

/** Variables whose float representation is the solver's choice in a model, if formulas compute with floats. */
function standingForFloats(formulas: readonly Term[]): ReadonlySet<Variable> {
  return new Set(freeVariablesOf(formulas.filter((formula) => floatOperationsIn(formula).length > 0)));
}

function readModel(
  list: readonly SExpression[],
  variables: readonly Variable[],
  applies: readonly Apply[],
  open: ReadonlySet<Variable>,
): Model {
  const valueAt = (i: number, term: Term): Value | null => {
    const pair = list[i];
    return Array.isArray(pair) && pair.length === 2 ? readValue(pair[1], term.sort) : null;
  };
  const values = new Map<Variable, Value>();
  const applied: AppliedValue[] = [];
  const unreadable = new Set<Variable>();
  for (const [i, variable] of variables.entries()) {
    const value = valueAt(i, variable);
    if (value === null || open.has(variable)) unreadable.add(variable);
    else values.set(variable, value);
  }
  for (const [i, apply] of applies.entries()) {
    const value = valueAt(variables.length + i, apply);
    if (value !== null) applied.push({ apply, value });
  }
  return createModel(values, applied, unreadable);
}

/** Whole numbers; an exhausted budget is the least limit, not none. */
function effectiveLimits(defaults: Limits, given: Partial<Limits> = {}): Limits {
  const whole = (limit: number) => (limit === 0 ? 0 : Math.min(Math.max(1, Math.ceil(limit)), 2 ** 31));
  return {
    resources: whole(given.resources ?? defaults.resources),
    milliseconds: whole(given.milliseconds ?? defaults.milliseconds),
  };
}

/** The text of a literal that a solver accepts as an unnamed assumption; null for other formulas. */
function printLiteral(term: Term): string | null {
  if (term.kind === "variable") return printSymbol(term.name);
  if (term.kind === "not" && term.operand.kind === "variable") return `(not ${printSymbol(term.operand.name)})`;
  return null;
}

/** Applications of uninterpreted functions, outside quantifiers, inner ones first. */
function appliesOf(terms: readonly Term[]): readonly Apply[] {
  const order = postOrder(terms, (term) => term.kind !== "forall" && term.kind !== "exists");
  return order.filter(
    (term): term is Apply =>
      term.kind === "apply" && term.symbol.definition === null && floatOperatorOf(term.symbol.name) === null,
  );
}
