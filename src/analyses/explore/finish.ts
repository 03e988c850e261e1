import { nth } from "../../base/checked.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Edge } from "../../ir/program.ts";
import { isTrue } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import { withExclusions } from "./coveredRuns.ts";
import { cut, type ExplorationState, type Explorer, itemsOf } from "./explorer.ts";
import { decide, readableModel, stillHolds } from "./feasibility.ts";
import { edgeKey } from "./target.ts";
import { inputsIn, isFailEdge } from "./transfer.ts";
import type { NodeKind } from "./tree.ts";

const mostTests = 100_000;

export function finish(ex: Explorer, state: ExplorationState, edge: Edge): void {
  const checked = violatedOnWay(ex, state);
  const answer = decide(ex, checked);
  if (answer.kind === "infeasible") return;
  const base = { parent: state.parent, range: edge.range, function: state.node.function.name, condition: [] };
  if (answer.kind === "unknown") {
    ex.tree.add({ ...base, kind: "failed", reason: answer.reason });
    if (isWanted(ex, state, edge))
      cut(ex, `not decided: ${answer.reason}`, edge.range, "Another --solver may decide it.");
    return;
  }
  const read = itemsOf(checked.inputs);
  const inputs = inputsIn(readableModel(ex, checked, answer.model), read);
  ex.tree.add({ ...base, kind: endKind(edge), ...(inputs === null ? {} : { inputs }) });
  ex.leaves?.(checked, edge);
  if (inputs !== null && endKind(edge) !== "assumption" && ex.tests.length < mostTests) ex.tests.push([...inputs]);
  if (isWanted(ex, state, edge)) confirmAt(ex, { ...checked, model: answer.model }, edge);
}

function endKind(edge: Edge): NodeKind {
  if (!isFailEdge(edge)) return "exit";
  const { reason } = edge.operation;
  if (reason === "assumption") return "assumption";
  return reason === "exit" ? "exit" : "error";
}

function isWanted(ex: Explorer, state: ExplorationState, edge: Edge): boolean {
  return ex.targets.wantsEdge(edgeKey(state.node.function.id, edge.id));
}

/** Handles a target edge that was followed: confirms it by a run. */
export function meetOnWay(ex: Explorer, state: ExplorationState, edge: Edge): void {
  const answer = decide(ex, state);
  if (answer.kind === "feasible") confirmAt(ex, { ...state, model: answer.model }, edge);
}

/**
 * `reached` requires a concrete run; a model that leads elsewhere leaves the target open with a note. If all failures
 * are wanted, runs that are proved to fail like a found one are excluded, and the search continues.
 */
function confirmAt(ex: Explorer, start: ExplorationState, edge: Edge): void {
  const key = edgeKey(start.node.function.id, edge.id);
  let state = start;
  for (let known = -1; known < ex.targets.exclusions.length; ) {
    known = ex.targets.exclusions.length;
    state = withExclusions(ex, state);
    const answer = decide(ex, state);
    if (answer.kind === "infeasible") return;
    if (answer.kind === "unknown") return cut(ex, `not decided: ${answer.reason}`, edge.range, anotherSolver);
    const trace = runOf(ex, state, answer.model);
    const isNew = trace !== null && ex.targets.meet(trace);
    if (!ex.targets.wantsEdge(key)) return;
    if (trace?.outcome.kind === "limit") return cut(ex, cutShort(trace.outcome), edge.range, trace.outcome.help);
    if (!isNew) return cut(ex, notWhenRun, edge.range, "Try other modes, or give inputs to tracefold run.");
  }
}

function cutShort({ message }: Extract<Outcome, { kind: "limit" }>): string {
  return `the run that leads here was not followed to its end: ${message}`;
}

const anotherSolver = "Another --solver may decide it.";
const notWhenRun = "the inputs that lead here do not when run: something on the way is not computed exactly";

/** The concrete run of a model of the path condition. */
export function runOf(ex: Explorer, state: ExplorationState, model: Model, length?: "short"): Trace | null {
  const readable = readableModel(ex, state, model);
  const inputs = inputsIn(readable, itemsOf(state.inputs));
  if (inputs === null) return null;
  ex.counts.runs++;
  return ex.confirm(inputs, itemsOf(state.drawn), readable, length);
}

/**
 * Checks whether requirements since the last branch can be violated. A run confirms it; the state continues without
 * such runs.
 */
export function violatedOnWay(ex: Explorer, state: ExplorationState): ExplorationState {
  const { terms } = ex.symbols;
  const pending = itemsOf(state.pending);
  if (pending.length === 0) return state;
  const first = nth(pending, 0);
  const isViolated = terms.not(terms.all(pending.map(({ formula }) => formula)));
  const around: ExplorationState = { ...state, path: first.before, model: null };
  const answer = isTrue(terms.not(isViolated)) ? ({ kind: "infeasible" } as const) : decide(ex, around, [isViolated]);
  if (answer.kind === "feasible") {
    const trace = runOf(ex, state, answer.model);
    if (trace === null || !ex.targets.meet(trace)) {
      const known = trace?.outcome.kind === "undefined-behaviour" && ex.targets.wantsProblem(trace.outcome.problem);
      const reason = ex.targets.wantsProblem(first.problem)
        ? trace?.outcome.kind === "limit"
          ? cutShort(trace.outcome)
          : "not confirmed by a run"
        : "something undefined may come before";
      if (!known) cut(ex, `${reason}: ${first.problem}`, first.range, "Look for it with --property undefined.");
    }
  } else if (answer.kind === "unknown") {
    cut(ex, `not decided: ${answer.reason}`, first.range, "Another --solver may decide it.");
  }
  const model = stillHolds(ex.symbols, state.model, itemsOf(state.path).slice(first.before?.length ?? 0))
    ? state.model
    : null;
  return { ...state, pending: null, model };
}
