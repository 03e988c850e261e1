import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { printCondition } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import type { Term } from "../../logic/term.ts";
import type { LiveFrame, TracePosition, TraceStep } from "../../symbolic/executeTrace.ts";
import { stepsBetween } from "../../symbolic/recordedRun.ts";
import { openScope, type Surroundings, translateGuard } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { translateUndefined } from "../../symbolic/translateUndefined.ts";
import type { Outcome } from "../../trace/outcome.ts";
import type { Trace } from "../../trace/trace.ts";

/**
 * The formula whose truth a run explains (design §3), at a point of the run: for a failed assertion its negated
 * condition, for a reached error location the condition of the branch that decided it, for undefined behaviour what
 * was violated.
 */
export type Target = {
  /** The formula is about the state before this step. */
  readonly step: number;
  readonly stack: readonly LiveFrame[];
  readonly range: SourceRange;
  /** In source syntax. */
  readonly text: string;
  /** The formula in a state that was reached at the target's step. */
  formula(symbols: Symbols, position: TracePosition, surroundings: Surroundings): Term;
};

export function targetOf(run: Trace, outcome: Outcome): Target {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
      return decidingBranch(run, outcome.at.range);
    case "undefined-behaviour":
      return violation(run, outcome);
    case "exit":
    case "assumption-violated":
      throw new TracefoldError({
        code: "TF150",
        message: outcome.kind === "exit" ? "the run does not fail" : "the run violates an assumption of the program",
        help: "Give inputs for which it fails.",
      });
    case "needs-input":
      throw new TracefoldError({
        code: "TF151",
        message: `the run needs more than ${outcome.given} inputs`,
        range: outcome.at.range,
        help: "Give more values with --inputs.",
      });
    case "limit":
      throw new TracefoldError({ code: outcome.code, message: outcome.message, help: outcome.help });
  }
}

/** The branches that the failing statement itself made, or the last branch of the run. */
function decidingBranch(run: Trace, failure: SourceRange): Target {
  const { branches, first, stack } = lastBranches(run, failure);
  if (first === null) {
    throw new TracefoldError({
      code: "TF152",
      message: "the failure depends on no condition: every run of the program ends there",
      range: failure,
    });
  }
  const guards = branches
    .map(({ edge }) => edge.operation)
    .filter((operation) => operation.kind === "assume" || operation.kind === "case");
  return {
    step: first.step,
    stack,
    range: failure,
    text: guards.map((guard) => describeGuard(run.program, guard)).join(" && "),
    formula(symbols, position, surroundings) {
      const frame = position.stack[position.stack.length - 1]!.frame;
      const { scope } = openScope(symbols, frame, position.state, first.edge.range, surroundings);
      return symbols.terms.all(guards.map((guard) => translateGuard(scope, guard)));
    },
  };
}

function describeGuard(program: Program, guard: TraceStep["edge"]["operation"] & { kind: "assume" | "case" }): string {
  if (guard.kind === "assume") return printCondition(program, guard.condition, guard.negated);
  return "this case";
}

/** Going back from the end: the assumptions inside the failing statement, or at least the last one. */
function lastBranches(run: Trace, failure: SourceRange) {
  // Branches are near the end; look further back in growing stretches.
  for (let length = 64; ; length *= 8) {
    const from = Math.max(0, run.steps - length);
    const { steps } = stepsBetween(run, from, run.steps);
    let first: TraceStep | null = null;
    const branches: TraceStep[] = [];
    for (const traced of steps.toReversed()) {
      const { operation, range } = traced.edge;
      if (operation.kind !== "assume" && operation.kind !== "case") {
        if (first !== null) break;
        continue;
      }
      if (first !== null && !(operation.kind === "assume" && isWithin(range, failure))) break;
      first = traced;
      branches.unshift(traced);
    }
    if (first !== null) return { branches, first, stack: stepsBetween(run, first.step, first.step + 1).stack };
    if (from === 0) return { branches, first: null, stack: [] };
  }
}

function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  const starts = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const ends = inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && starts && ends;
}

function violation(run: Trace, outcome: Outcome & { kind: "undefined-behaviour" }): Target {
  const edge = run.program.functions[outcome.at.function]!.edges[outcome.at.edge]!;
  const { stack } = stepsBetween(run, run.steps, run.steps + 1);
  return {
    step: run.steps,
    stack,
    range: outcome.at.range,
    text: outcome.message,
    formula(symbols, position, surroundings) {
      const frame = position.stack[position.stack.length - 1]!.frame;
      const { scope } = openScope(symbols, frame, position.state, edge.range, surroundings);
      return translateUndefined(scope, edge.operation, outcome.problem);
    },
  };
}
