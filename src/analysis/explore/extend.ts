import { isFalse, isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { Region } from "../../symbolic/region.ts";
import type { DrawnMemory } from "./confirm.ts";
import { stillHolds } from "./decide.ts";
import type { ExplorationState, Leaving } from "./explorationState.ts";
import type { Explorer } from "./explorer.ts";
import { append, type Trail } from "./trail.ts";
import { drawnBy, type Transfer } from "./transfer.ts";

/** The state behind a step; null where its conditions contradict each other on sight. */
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
  for (const object of drawnBy(symbols, state, transfer)) {
    const { operation } = edge;
    const isDeclared = operation.kind === "declare";
    const contents = new Map<Region, Variable>();
    for (const region of isDeclared ? (object.regions ?? []) : []) {
      const value = step.state.values.get(symbols.region(object, region));
      if (value?.kind === "variable") contents.set(region, value);
    }
    const allocation = isDeclared ? null : { function: state.node.function.id, edge: edge.id };
    const memory: DrawnMemory = { variable: isDeclared ? operation.variable : null, allocation, object, contents };
    drawn = append(drawn, memory);
  }
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

function nextLeaving({ leaving }: ExplorationState, { edge, key }: Transfer): Leaving | null {
  const next = leaving?.core[leaving.at];
  if (leaving === null || next?.edge !== edge || next.to !== key) return null;
  return { ...leaving, at: leaving.at + 1 };
}

/** What a path condition was before: the formulas of `path` that are not in `before`. */
export function since(path: Trail<Term>, before: Trail<Term>): readonly Term[] {
  const later: Term[] = [];
  for (let at = path; at !== null && at !== before; at = at.before) later.push(at.item);
  return later.reverse();
}
