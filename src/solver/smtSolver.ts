import { Defect } from "../base/errors.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import type { SExpression } from "../logic/sExpression.ts";
import { printSymbol } from "../logic/smtSymbol.ts";
import type { Apply, Term, Variable } from "../logic/term.ts";
import { postOrder } from "../logic/traverse.ts";
import type { Value } from "../logic/value.ts";
import type { Backend, SolverConnection } from "./backend/backend.ts";
import type { Reply } from "./backend/connection.ts";
import { type AppliedValue, createModel, emptyModel, type Model } from "./model.ts";
import { findError, readOne, readReason, readVerdict, unknownOfLost } from "./readAnswer.ts";
import { readValue } from "./readValue.ts";
import { createRemoteStack, type Frame, type RemoteStack } from "./remoteStack.ts";
import { type CheckOptions, type CheckResult, type Limits, type Solver, type Unknown, unknown } from "./solver.ts";

/** Something that should be a solver introduces itself at once; how long we wait depends on the limit of the check. */
const leastGreeting = 700;
const mostGreeting = 10_000;

/** A solver gets this much longer than its time limit before it is ended from outside. */
const graceMilliseconds = 300;

type Open = {
  readonly connection: SolverConnection;
  readonly stack: RemoteStack;
  /** The limits it was started with or last told; null when it was told none. */
  limits: Limits | null;
  greeted: boolean;
};

/**
 * The text layer that all back ends share: keeps the assertion stack, sends what a solver process does not have yet
 * with each check, reads answers, and starts a new process, telling it everything again, after one was lost. Of several
 * back ends it takes the first that starts and introduces itself as what it should be. Cores are as the solver gives
 * them: `minimiseCores` makes them irredundant.
 */
export function createSmtSolver(
  backends: readonly [Backend, ...Backend[]],
  defaults: Limits,
  interrupt: Int32Array | null = null,
): Solver {
  let [backend] = backends;
  let frames: Frame[] = [{ assertions: [] }];
  let open: Open | null = null;
  let version = "";
  let disposed = false;

  const solver: Solver = {
    get name() {
      return version === ""
        ? backend.name
        : `${backend.identity.toLowerCase()} ${version}${backend.name === "wasm" ? " (embedded)" : ""}`;
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
      for (const formula of formulas) frames.at(-1)!.assertions.push(formula);
    },
    check: (assumptions = [], options = {}) => check(assumptions, options),
    run(script, given) {
      if (isInterrupted()) return unknown("interrupted", "interrupted");
      const limits = effectiveLimits(defaults, given);
      const started = start(limits);
      if (started.kind === "unknown") return started;
      const commands = backend.limitCommands?.(limits) ?? "";
      const reply = started.connection.script(`${commands}${script}`, waitFor(limits));
      if (reply.kind === "lost") return giveUp(reply);
      return findError(reply.text) ?? { kind: "output", text: reply.text };
    },
    reset() {
      frames = [{ assertions: [] }];
      if (open === null || !open.greeted) return;
      const reply = open.connection.restart(backend.options, mostGreeting);
      if (reply.kind === "lost" || findError(reply.text) !== null) return close();
      open = { ...open, stack: createRemoteStack(), limits: backend.limitCommands === null ? open.limits : null };
    },
    prepare() {
      if (disposed) throw new Defect("solver is disposed");
      open ??= connect(defaults);
    },
    dispose() {
      disposed = true;
      open?.connection.close();
      open = null;
    },
  };
  return solver;

  /** A process that has introduced itself as what it should be. */
  function start(limits: Limits): (Open & { kind?: never }) | Unknown {
    if (open !== null && backend.limitCommands === null && !equalLimits(open.limits, limits)) close();
    if (open === null) {
      if (disposed) throw new Defect("solver is disposed");
      open = connect(limits);
    }
    if (open.greeted) return open;
    const refusal = greet(open, limits);
    if (refusal === null) return open;
    close();
    const next = backends[backends.indexOf(backend) + 1];
    if (version !== "" || next === undefined) return refusal;
    backend = next;
    return start(limits);
  }

  /** Null when the process has introduced itself as the solver it should be. */
  function greet(opened: Open, { milliseconds }: Limits): Unknown | null {
    const patience = Math.min(Math.max(leastGreeting, milliseconds + graceMilliseconds), mostGreeting);
    const wait = milliseconds === 0 ? mostGreeting : patience;
    const reply = opened.connection.exchange(`${backend.options}(get-info :name)(get-info :version)`, wait);
    if (reply.kind === "lost") return unknownOfLost(reply);
    const name = /:name\s+"([^"]*)"/.exec(reply.text)?.[1];
    if (name !== backend.identity || findError(reply.text) !== null) {
      const said = JSON.stringify(reply.text.trim().slice(0, 100));
      return unknown("failure", `the solver does not introduce itself as ${backend.identity} but says ${said}`);
    }
    version = /:version\s+"([^"]*)"/.exec(reply.text)?.[1] ?? "?";
    opened.greeted = true;
    return null;
  }

  function connect(limits: Limits): Open {
    const told = backend.limitCommands === null ? limits : null;
    return { connection: backend.open(limits, interrupt), stack: createRemoteStack(), limits: told, greeted: false };
  }

  function close() {
    open?.connection.close();
    open = null;
  }

  function giveUp(reply: Extract<Reply, { kind: "lost" }>): Unknown {
    close();
    // Starts the successor now: it is ready by the time somebody asks.
    if (!disposed && (reply.cause === "time" || reply.cause === "memory")) solver.prepare();
    return unknownOfLost(reply);
  }

  function isInterrupted(): boolean {
    return interrupt !== null && Atomics.load(interrupt, 0) !== 0;
  }

  function check(assumptions: readonly Term[], options: CheckOptions): CheckResult {
    if (isInterrupted()) return unknown("interrupted", "interrupted");
    const limits = effectiveLimits(defaults, options.limits);
    const started = start(limits);
    if (started.kind === "unknown") return started;
    const { connection, stack } = started;
    const wait = waitFor(limits);
    const end = performance.now() + wait;
    const exchange = (text: string) => connection.exchange(text, Math.max(1, end - performance.now()));

    let commands = "";
    if (backend.limitCommands !== null && !equalLimits(started.limits, limits)) {
      commands += backend.limitCommands(limits);
      started.limits = limits;
    }
    // Assumptions that are formulas get a name each, in a level of their own that the next update takes back.
    const isNamed = assumptions.some((term) => printLiteral(term) === null);
    commands += stack.update(isNamed ? [...frames, { assertions: [] }] : frames);
    const mentioned = stack.mention(assumptions);
    commands += mentioned.commands;
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

    const reply = exchange(commands);
    if (reply.kind === "lost") return giveUp(reply);
    const verdict = readVerdict(reply.text);
    switch (verdict.kind) {
      case "failed":
        close();
        return verdict.unknown;
      case "unknown": {
        const reason = exchange("(get-info :reason-unknown)");
        if (reason.kind === "lost") return giveUp(reason);
        const isLate = limits.milliseconds > 0 && performance.now() >= end - graceMilliseconds;
        return isLate ? unknown("limit", "time limit reached") : readReason(reason.text);
      }
      case "sat": {
        if (options.model === false) return { kind: "sat", model: emptyModel };
        const model = fetchModel(exchange, stack, assumptions);
        return "kind" in model ? model : { kind: "sat", model };
      }
      case "unsat": {
        if (assumptions.length === 0) return { kind: "unsat", core: [] };
        const core = exchange("(get-unsat-assumptions)");
        if (core.kind === "lost") return giveUp(core);
        return readCore(core.text, byWord, assumptions);
      }
    }
  }

  function waitFor({ milliseconds }: Limits): number {
    return milliseconds === 0 ? 2 ** 31 : milliseconds + graceMilliseconds;
  }

  function readCore(text: string, byWord: ReadonlyMap<string, Term>, assumptions: readonly Term[]): CheckResult {
    const list = readOne(text);
    const core = new Set<Term>();
    for (const word of Array.isArray(list) ? (list as readonly SExpression[]) : [""]) {
      const term = byWord.get(typeof word === "string" ? word : `(${word.join(" ")})`);
      if (term === undefined) {
        close();
        return unknown("failure", `unreadable unsat core: ${text.slice(0, 200)}`);
      }
      core.add(term);
    }
    return { kind: "unsat", core: assumptions.filter((term) => core.has(term)) };
  }

  function fetchModel(
    exchange: (text: string) => Reply,
    stack: RemoteStack,
    assumptions: readonly Term[],
  ): Model | Unknown {
    const variables = [...stack.variables];
    const applies = appliesOf([...frames.flatMap((frame) => frame.assertions), ...assumptions]);
    if (variables.length + applies.length === 0) return emptyModel;
    const words = [...variables.map((v) => printSymbol(v.name)), ...applies.map(printSmtLib)];
    const reply = exchange(`(get-value (${words.join(" ")}))`);
    if (reply.kind === "lost") return giveUp(reply);
    const error = findError(reply.text);
    const list = error === null ? readOne(reply.text) : null;
    if (!Array.isArray(list) || list.length !== words.length) {
      close();
      return error ?? unknown("failure", `unreadable model: ${reply.text.slice(0, 200)}`);
    }
    const valueAt = (i: number, term: Term): Value | null => {
      const pair = list[i];
      return Array.isArray(pair) && pair.length === 2 ? readValue(pair[1], term.sort) : null;
    };
    const values = new Map<Variable, Value>();
    const applied: AppliedValue[] = [];
    const unreadable = new Set<Variable>();
    for (const [i, variable] of variables.entries()) {
      const value = valueAt(i, variable);
      if (value === null) unreadable.add(variable);
      else values.set(variable, value);
    }
    for (const [i, apply] of applies.entries()) {
      const value = valueAt(variables.length + i, apply);
      if (value !== null) applied.push({ apply, value });
    }
    return createModel(values, applied, unreadable);
  }
}

/** Whole numbers; a budget that is used up is the least limit, not none. */
function effectiveLimits(defaults: Limits, given: Partial<Limits> = {}): Limits {
  const whole = (limit: number) => (limit === 0 ? 0 : Math.min(Math.max(1, Math.ceil(limit)), 2 ** 31));
  return {
    resources: whole(given.resources ?? defaults.resources),
    milliseconds: whole(given.milliseconds ?? defaults.milliseconds),
  };
}

function equalLimits(a: Limits | null, b: Limits): boolean {
  return a !== null && a.resources === b.resources && a.milliseconds === b.milliseconds;
}

/** The text of a literal that a solver takes as an assumption without a name; null for every other formula. */
function printLiteral(term: Term): string | null {
  if (term.kind === "variable") return printSymbol(term.name);
  if (term.kind === "not" && term.operand.kind === "variable") return `(not ${printSymbol(term.operand.name)})`;
  return null;
}

/** Applications of uninterpreted functions, outside quantifiers, inner ones first. */
function appliesOf(terms: readonly Term[]): readonly Apply[] {
  const order = postOrder(terms, (term) => term.kind !== "forall" && term.kind !== "exists");
  return order.filter((term): term is Apply => term.kind === "apply" && term.symbol.definition === null);
}
