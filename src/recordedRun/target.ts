import { nth, present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import { edgeAt } from "../interpreter/stepCursor.ts";
import type { Operation, UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, VariableId } from "../ir/program.ts";
import { completeSize, type Type } from "../ir/type.ts";
import { evaluate } from "../logic/evaluate.ts";
import type { Term, Variable } from "../logic/term.ts";
import { objectInAddress, type StepEnvironment } from "../symbolic/stepEnvironment.ts";
import { readAddress, readRegister, type SymbolicState } from "../symbolic/symbolicState.ts";
import { openScope } from "../symbolic/symbolicStep.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "../symbolic/symbols.ts";
import { noFormula, violations } from "../symbolic/translateUndefined.ts";
import { type DecidingCondition, decidingCondition } from "./decidingCondition.ts";
import { eventPlace, inScopeAt, type TracePosition } from "./executeTrace.ts";
import type { LiveFrame, Run } from "./run.ts";

/**
 * The formula whose truth a run explains (design §3), at a point of the run: for a failed assertion its negated
 * condition, for a reached error location the condition of the branch that decided it, for undefined behaviour what
 * was violated, and for a recorded error that its flag is set at the end.
 */
export type Target = {
  /** The formula is about the state before this step. */
  readonly step: number;
  readonly stack: readonly LiveFrame[];
  readonly range: SourceRange;
  /** In source syntax. */
  readonly text: string;
  /** The formula in a state that was reached at the target's step. */
  formula(symbols: Symbols, position: TracePosition, environment: StepEnvironment): Term;
};

export function targetOf(run: Run): Target {
  const { outcome, program } = run;
  if (run.undefinedBehaviour === "wrap") {
    throw new TracefoldError({
      code: "TF221",
      message: "a run whose overflow wraps cannot be folded yet: the logic takes it as undefined",
      help: "Leave out --ub wrap: the run then ends where it overflows.",
    });
  }
  if (program.errorFlag !== undefined && isFlagged(run, program.errorFlag)) return flagged(run, program.errorFlag);
  if (program.watched !== undefined) return watched(run, program.watched);
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
      return decided(run, outcome);
    case "undefined-behaviour":
      return violation(run, outcome);
    case "exit":
    case "assumption-violated":
      throw new TracefoldError({
        code: "TF144",
        message:
          outcome.kind === "exit"
            ? `the run does not fail: the program exits with status ${outcome.code}`
            : `the run does not fail: it ends because assumption ${outcome.text} does not hold`,
        range: outcome.at?.range,
        help: "Give inputs for which it fails.",
      });
    case "wrong-output":
    case "wrong-exit":
      throw new TracefoldError({
        code: "TF220",
        message: `${outcome.kind === "wrong-exit" ? "its exit status" : "what a program prints"} is not part of the logic`,
        range: outcome.at?.range,
        help: "The chain of whys is what the recorded run did.",
      });
    case "needs-input":
      throw new TracefoldError({
        code: "TF134",
        message: `${outcome.source} reads input ${outcome.given + 1}, but only ${outcome.given} were given`,
        range: outcome.at.range,
        help: "Give more values with --inputs, or let --random-inputs make them up.",
      });
    case "limit":
      throw new TracefoldError({ code: outcome.code, message: outcome.message, help: outcome.help });
  }
}

function decided(run: Run, outcome: Outcome & { kind: "assertion" | "error-location" | "abort" }): Target {
  const condition = decidingCondition(run, outcome.at);
  if (condition === null) {
    throw new TracefoldError({
      code: "TF145",
      message: "the failure depends on no condition: every run of the program ends there",
      range: outcome.at.range,
    });
  }
  return ofCondition(condition, outcome.kind === "assertion" ? outcome.at.range : condition.range);
}

function ofCondition(condition: DecidingCondition, range: SourceRange): Target {
  const { step, stack, text, range: tested } = condition;
  return {
    ...{ step, stack, range, text },
    formula: (symbols, position, environment) => condition.formula(scopeAt(symbols, position, tested, environment)),
  };
}

function violation(run: Run, outcome: Outcome & { kind: "undefined-behaviour" }): Target {
  const edge = nth(nth(run.program.functions, outcome.at.function).edges, outcome.at.edge);
  const { stack } = run.between(run.steps, run.steps + 1);
  let happened: number | null | undefined;
  return {
    step: run.steps,
    stack,
    range: outcome.at.range,
    text: outcome.message,
    formula(symbols, position, environment) {
      const event = run.event();
      if (event !== null) {
        const place = eventPlace(symbols, event.name);
        return position.state.values.get(place) ?? place;
      }
      const scope = scopeAt(symbols, position, edge.range, environment);
      const ways = violations(scope, edge.operation, outcome.problem);
      if (ways.length === 0) throw noFormula(scope, outcome.problem);
      if (ways.length === 1) return nth(ways, 0);
      if (happened === undefined) happened = violationThatHappened(symbols, run, edge, stack, outcome.problem);
      // If the formula knows other pointers than the run, it may have other paths.
      const way = happened === null ? undefined : ways[happened];
      return way ?? symbols.terms.any(ways);
    },
  };
}

/** The first violation of an operation that happened on the run. */
function violationThatHappened(
  symbols: Symbols,
  run: Run,
  edge: Edge,
  stack: readonly LiveFrame[],
  problem: UndefinedBehaviour,
): number | null {
  const at = { step: run.steps, location: edge.from, stack };
  const ways = inScopeAt(symbols, run, at, edge, (scope) => violations(scope, edge.operation, problem));
  return run.valuesAt(symbols, at, (assignment) => {
    const found = ways.findIndex((way) => evaluate(way, assignment) === true);
    return found === -1 ? null : found;
  });
}

/** One of the times that a run came to a watched line: `visit` of `visits`, from 1. */
export type WatchedVisit = {
  readonly step: number;
  readonly holds: boolean;
  readonly visit: number;
  readonly visits: number;
};

/** The last time that a watched condition held when the run came to its line, or else the last time that it did not; null if it never came there. */
export function watchedAt(run: Run, watch: VariableId): WatchedVisit | null {
  const cursor = run.walk();
  let last: { step: number; holds: boolean; visit: number } | null = null;
  let visits = 0;
  while (cursor.next()) {
    const { operation } = edgeAt(run.program, cursor);
    if (operation.kind !== "assign" || operation.target !== watch || operation.value.kind !== "constant") continue;
    const holds = operation.value.value !== 0n;
    visits++;
    if (holds || last?.holds !== true) last = { step: cursor.step, holds, visit: visits };
  }
  return last === null ? null : { ...last, visits };
}

/** The last step at which a watched condition holds. */
function watched(run: Run, watch: VariableId): Target {
  const range = nth(run.program.variables, watch).range;
  const last = watchedAt(run, watch);
  if (last === null || !last.holds) {
    throw new TracefoldError({
      code: "TF137",
      message:
        last === null ? "the run does not come to this line" : "the condition does not hold when the run comes here",
      range,
      help:
        last === null
          ? "Give inputs with which it does, or another line."
          : "Ask for its negation: --target '!(…) @ …'",
    });
  }
  const { edge } = nth(run.between(last.step, last.step + 1).steps, 0);
  const { function: fn } = present(run.between(last.step, last.step + 1).stack.at(-1));
  const condition = decidingCondition(run, { function: fn.id, edge: edge.id, range }, last.step);
  if (condition === null)
    throw new TracefoldError({ code: "TF145", message: "the condition always holds here", range });
  return ofCondition({ ...condition, range }, range);
}

/** The end of the run, where an error was recorded on the way. */
function flagged(run: Run, flag: VariableId): Target {
  const { steps } = run.between(run.steps - 1, run.steps);
  return {
    step: run.steps,
    stack: [],
    range: nth(steps, 0).edge.range,
    text: `${nth(run.program.variables, flag).name} == 1`,
    formula: (symbols, { state }) =>
      symbols.terms.eq(readRegister(symbols, state, staticFrame, flag), symbols.terms.int(1n)),
  };
}

/** Does a step record an error? */
export function isFlagged(run: Run, flag: VariableId): boolean {
  for (const cursor = run.walk(); cursor.next(); ) {
    const { operation } = edgeAt(run.program, cursor);
    if (operation.kind === "assign" && operation.target === flag) return true;
  }
  return false;
}

function scopeAt(symbols: Symbols, position: TracePosition, range: SourceRange, environment: StepEnvironment) {
  const { frame } = nth(position.stack, position.stack.length - 1);
  return openScope(symbols, frame, position.state, range, environment).scope;
}

/** A pointer that a statement moved inside of an array: its distance from the start is a value like any other. */
export type MovedPointer = {
  /** `p - a`, as a place. */
  readonly distance: Variable;
  /** In elements. */
  readonly elements: Term;
  /** The pointer with another distance. */
  at(elements: Term): Term;
};

/**
 * Only where pointer arithmetic is what is assigned: which object a pointer points into is settled by the run, and most
 * pointers just point to their object's start.
 */
export function movedPointer(
  symbols: Symbols,
  state: SymbolicState,
  operation: Operation,
  place: Variable,
  value: Term,
): MovedPointer | null {
  const { terms, program } = symbols;
  if ((operation.kind !== "assign" && operation.kind !== "store") || operation.value.kind !== "offset") return null;
  const object = objectInAddress(symbols, value);
  const cell = symbols.cellOf(place);
  const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
  if (object === null || place.sort !== "Int" || type?.kind !== "pointer" || isSizeless(type.to)) return null;
  const base = readAddress(state, object);
  const size = terms.int(completeSize(type.to, program.pointerBytes));
  const offset = terms.sub(value, base);
  const rest = terms.mod(offset, size);
  if (rest.kind !== "int" || rest.value !== 0n) return null;
  const name = cell?.kind === "register" ? nth(program.variables, cell.variable).name : place.name;
  const distance = terms.variable(`${name} - ${object.name}#${place.name}`, "Int");
  distances.set(distance, { place, object });
  return {
    distance,
    elements: terms.div(offset, size),
    at: (elements) => terms.add(base, terms.mul(size, elements)),
  };
}

const distances = new WeakMap<Variable, Distance>();

/** How far a pointer is from the start of its object, in elements. */
export type Distance = { readonly place: Variable; readonly object: SymbolicObject };

/** The distance that a variable of a trace formula is; null for any other variable. */
export function distanceOf(variable: Variable): Distance | null {
  return distances.get(variable) ?? null;
}

function isSizeless({ kind }: Type): boolean {
  return kind === "void" || kind === "function";
}
