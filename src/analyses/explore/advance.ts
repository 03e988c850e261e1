import { nth } from "../../base/checked.ts";
import { loopsOf } from "../../ir/loops.ts";
import { isFalse, isTrue, type Term } from "../../logic/term.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import { withExclusions } from "./coveredRuns.ts";
import {
  append,
  type BoundLoop,
  cut,
  type ExplorationState,
  type Explorer,
  itemsOf,
  type LoopCore,
  type LoopLeaving,
  lengthOf,
  type Trail,
} from "./explorer.ts";
import { decide, stillHolds } from "./feasibility.ts";
import { finish, meetOnWay, violatedOnWay } from "./finish.ts";
import { edgeKey } from "./target.ts";
import { drawnBy, type Transfer } from "./transfer.ts";
import type { NodeKind } from "./tree.ts";

/** Follows a state to the next branch. Returns the states there; none if all runs have ended. */
export function advance(ex: Explorer, start: ExplorationState): readonly ExplorationState[] {
  let state: ExplorationState | null = start;
  while (state !== null) {
    if (ex.cancellation.isCancelled() || ex.counts.states >= ex.limits.maxStates) {
      return [state];
    }
    if (ex.prune && !ex.targets.isRelevant(state.node)) {
      leaf(ex, state, "dropped", []);
      return [];
    }
    const head: ExplorationState | null = atLoopHead(ex, state);
    if (head === null) return [];
    state = head;
    const transfers = ex.transfer({ node: state.node, memory: state.memory, read: lengthOf(state.inputs) });
    ex.counts.states++;
    const [only] = transfers;
    if (transfers.length === 1 && isTrue(only!.step.guard)) {
      state = straightOn(ex, state, only!);
      continue;
    }
    const next: readonly ExplorationState[] = part(ex, state, transfers);
    if (next.length !== 1 || nth(next, 0).parent !== state.parent) return next;
    state = nth(next, 0);
  }
  return [];
}

function straightOn(ex: Explorer, state: ExplorationState, transfer: Transfer): ExplorationState | null {
  noteInexact(ex, transfer);
  const after = extend(ex, state, transfer);
  if (after === null) return null;
  const { edge } = transfer;
  if (transfer.node === null) {
    finish(ex, after, edge);
    return null;
  }
  if (ex.targets.wantsEdge(edgeKey(state.node.function.id, edge.id))) meetOnWay(ex, after, edge);
  return lengthOf(after.pending) > 40 ? violatedOnWay(ex, after) : after;
}

/** A branch: the feasible successors continue, in separate tree nodes if there are several. */
function part(ex: Explorer, state: ExplorationState, transfers: readonly Transfer[]): readonly ExplorationState[] {
  const checked = withExclusions(ex, violatedOnWay(ex, state));
  const ways: { readonly after: ExplorationState; readonly transfer: Transfer }[] = [];
  const put = (after: ExplorationState, transfer: Transfer) => ways.push({ after, transfer });
  const isLazy = ex.mode === "concolic" && transfers.length > 1;
  let current = checked;
  if (isLazy && current.model === null) {
    const answer = decide(ex, current);
    if (answer.kind === "infeasible") return [];
    if (answer.kind === "feasible") current = { ...current, model: answer.model };
  }
  for (const transfer of transfers) {
    noteInexact(ex, transfer);
    const after = extend(ex, current, transfer);
    if (after === null) continue;
    if (after.model !== null || isLazy) {
      put(after, transfer);
      continue;
    }
    const answer = decide(ex, after);
    if (answer.kind === "feasible") put({ ...after, model: keptModel(ex, after, answer.model) }, transfer);
    else if (answer.kind === "unknown") failed(ex, after, transfer, answer.reason);
  }
  const several = ways.length > 1;
  return ways.flatMap(({ after, transfer }) => {
    ex.counts.deepest = Math.max(ex.counts.deepest, after.depth);
    if (after.depth > ex.limits.maxDepth) {
      failed(
        ex,
        after,
        transfer,
        `more than ${ex.limits.maxDepth} branches on one path`,
        "Allow more with --max-depth.",
      );
      return [];
    }
    const { edge } = transfer;
    const next = several ? { ...after, parent: addNode(ex, after, "branch", since(after.path, current.path)) } : after;
    if (ex.targets.wantsEdge(edgeKey(state.node.function.id, edge.id)) && (!isLazy || next.model !== null)) {
      meetOnWay(ex, next, edge);
    }
    if (transfer.node !== null) return [next];
    finish(ex, next, edge);
    return [];
  });
}

/** A model of a small instance does not describe arrays that a template writes. */
function keptModel(ex: Explorer, after: ExplorationState, model: ExplorationState["model"]): ExplorationState["model"] {
  return after.parameters === null || stillHolds(ex.symbols, model, itemsOf(after.path)) ? model : null;
}

/** Compact mode: a template represents all numbers of rounds. Null if no run is left. */
function atLoopHead(ex: Explorer, state: ExplorationState): ExplorationState | null {
  const { node } = state;
  const loop = loopsOf(node.function).loopWithHeader(node.location);
  if (loop !== null && ex.bound !== null) return withinBounds(ex, state, ex.bound);
  if (loop === null || ex.summarise === null) return state;
  const key = nodeKey(node);
  const arrived = arriveAt(state, key);
  if (state.leaving !== null) return { ...state, heads: arrived.heads };
  const summary = ex.summarise({
    node,
    memory: state.memory,
    recent: arrived.recent,
    isFeasible: (formulas) => decide(ex, state, formulas),
  });
  if (summary === null) return { ...state, heads: arrived.heads };
  ex.counts.applied++;
  let { path } = state;
  for (const formula of summary.formulas) if (!isTrue(formula)) path = append(path, formula);
  const after: ExplorationState = {
    ...state,
    memory: summary.memory,
    path,
    inputs: summary.inputs === null ? state.inputs : append(state.inputs, summary.inputs),
    parameters: append(state.parameters, summary.parameter),
    model: null,
    heads: arrived.heads,
    leaving: { core: summary.core, at: 0, covered: summary.covered },
  };
  return { ...after, parent: addNode(ex, after, "cycle", since(path, state.path)) };
}

/** Bounded mode: one state represents all rounds; null if it is reached again. */
function withinBounds(ex: Explorer, state: ExplorationState, bound: BoundLoop): ExplorationState | null {
  const key = nodeKey(state.node);
  if (itemsOf(state.bounded).includes(key)) return null;
  const { memory } = state;
  const all = bound({ node: state.node, memory, isFeasible: (formulas) => decide(ex, state, formulas) });
  if (all === null) return state;
  ex.counts.applied++;
  let { path } = state;
  for (const formula of all.formulas) if (!isTrue(formula)) path = append(path, formula);
  const bounded = append(state.bounded, key);
  const after: ExplorationState = { ...state, memory: all.memory, path, bounded, model: null };
  return { ...after, parent: addNode(ex, after, "cycle", since(path, state.path)) };
}

/** Appends this loop head to the list, and returns the way since its last visit. */
function arriveAt(state: ExplorationState, key: string): { heads: ExplorationState["heads"]; recent: LoopCore | null } {
  const at = lengthOf(state.way);
  for (let head = state.heads; head !== null; head = head.before) {
    if (head.item.key !== key) continue;
    const recent: LoopCore = itemsOf(state.way).slice(head.item.at);
    return { heads: append(head.before, { key, at }), recent };
  }
  return { heads: append(state.heads, { key, at }), recent: null };
}

function noteInexact(ex: Explorer, { happening }: Transfer): void {
  for (const { reason, range } of happening.noted) cut(ex, `not exact: ${reason}`, range, "Explore a simpler program.");
}

function failed(ex: Explorer, state: ExplorationState, { edge }: Transfer, reason: string, help?: string): void {
  ex.tree.add({
    parent: state.parent,
    kind: "failed",
    range: edge.range,
    function: state.node.function.name,
    condition: [],
    reason,
  });
  cut(ex, `not decided: ${reason}`, edge.range, help ?? "Another --mode or --solver may decide it.");
}

function addNode(ex: Explorer, state: ExplorationState, kind: NodeKind, condition: readonly Term[]): number {
  const { function: fn, location } = state.node;
  const range = fn.edges.find(({ from }) => from === location)?.range ?? fn.range;
  return ex.tree.add({ parent: state.parent, kind, range, function: fn.name, condition });
}

function leaf(ex: Explorer, state: ExplorationState, kind: NodeKind, condition: readonly Term[]): void {
  addNode(ex, state, kind, condition);
}

/** The state after a step; null if its conditions contradict each other syntactically. */
export function extend(
  { symbols, targets, strict }: Pick<Explorer, "symbols" | "targets" | "strict">,
  state: ExplorationState,
  transfer: Transfer,
): ExplorationState | null {
  const { step, happening, node, edge, key } = transfer;
  const leaving = nextLeaving(state, transfer);
  const isCompleted = leaving !== null && leaving.at === leaving.core.length;
  let { path, pending } = state;
  const added: Term[] = [];
  const assume = (formula: Term) => {
    if (isTrue(formula)) return;
    path = append(path, formula);
    added.push(formula);
  };
  for (const fact of step.facts) assume(fact);
  for (const obligation of step.obligations) {
    if (strict || targets.wantsProblem(obligation.problem)) {
      pending = append(pending, { ...obligation, edge, function: state.node.function.id, before: path });
    }
    assume(obligation.formula);
  }
  assume(step.guard);
  if (isCompleted) assume(symbols.terms.not(leaving.covered));
  if (added.some(isFalse)) return null;
  let { inputs, drawn } = state;
  for (const input of happening.inputs) inputs = append(inputs, input);
  for (const memory of drawnBy(symbols, state.node, edge, step.state, happening.allocated))
    drawn = append(drawn, memory);
  const isStill = stillHolds(symbols, state.model, added);
  return {
    ...state,
    node: node ?? state.node,
    memory: step.state,
    path,
    pending,
    inputs,
    drawn,
    leaving: isCompleted ? null : leaving,
    way: append(state.way, { edge, to: key }),
    model: isStill ? state.model : null,
    near: isStill ? null : (state.model ?? state.near),
    depth: transfer.step.guard.kind === "bool" ? state.depth : state.depth + 1,
  };
}

function nextLeaving({ leaving }: ExplorationState, { edge, key }: Transfer): LoopLeaving | null {
  const next = leaving?.core[leaving.at];
  if (leaving === null || next?.edge !== edge || next.to !== key) return null;
  return { ...leaving, at: leaving.at + 1 };
}

/** The formulas of `path` that are not in `before`. */
export function since(path: Trail<Term>, before: Trail<Term>): readonly Term[] {
  const later: Term[] = [];
  for (let at = path; at !== null && at !== before; at = at.before) later.push(at.item);
  return later.reverse();
}
