import type { AbstractErrorTrace } from "../../analyses/errorInvariants/abstractErrorTrace.ts";
import { nth } from "../../base/checked.ts";
import { isWithin } from "../../base/sourceRange.ts";
import { isBranch, isUnder, otherSideDoes } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { writesVariable } from "../../ir/dataFlow.ts";
import { postDominatorsOf } from "../../ir/dominators.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Edge, Function, LocationId } from "../../ir/program.ts";
import type { Variable as Place } from "../../logic/term.ts";
import type { LiveFrame, Run } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import { locationAt, type Transition } from "../../recordedRun/traceFormula.ts";
import { variableOfPlace } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** Explanations with more statements get no extra conditions. */
const statementLimit = 40;
/** Only the nearest conditions of a chain are shown. */
const chainLimit = 3;

/**
 * Conditions that are worth showing though no fact needs them, because wrong conditions are common faults: for each
 * statement the innermost branch around it, and the branches whose other side would have written another value. Each
 * source location once, at its last execution.
 */
export function wayConditions(
  symbols: Symbols,
  run: Run,
  { formula, stretches, relevant }: AbstractErrorTrace,
  target: Target,
): readonly Transition[] {
  const { transitions } = formula;
  const kept = stretches.flatMap((stretch) => stretch.kept ?? []);
  if (kept.length > statementLimit) return [];
  const branches = transitions.flatMap((transition) => {
    const { origin } = transition;
    // The test of an assertion adds nothing to the assertion.
    return origin.kind === "step" && isBranch(origin.edge) && !isWithin(origin.edge.range, target.range)
      ? [{ transition, edge: origin.edge, frame: nth(origin.stack, origin.stack.length - 1) }]
      : [];
  });
  const shown = new Map<Edge, Transition>();
  const show = (found: readonly Branch[]) => {
    for (const { edge, transition } of found) if (!relevant.includes(transition)) shown.set(edge, transition);
  };
  for (const statement of kept) {
    const point = pointOf(statement);
    if (point !== null) show(controlling(branches, point).slice(-1).filter(isNoLoop));
    for (const { place } of statement.writes) show(alternatives(symbols, branches, transitions, statement, place));
  }
  const location = locationAt(run, target.step);
  if (location !== null) {
    show(controlling(branches, { index: transitions.length, stack: target.stack, location }).slice(-1));
  }
  return [...shown.values()].sort((a, b) => a.index - b.index);
}

type Branch = { readonly transition: Transition; readonly edge: Edge; readonly frame: LiveFrame };

type Point = { readonly index: number; readonly stack: readonly LiveFrame[]; readonly location: LocationId };

function pointOf({ index, origin }: Transition): Point | null {
  if (origin.kind !== "step" || isBranch(origin.edge)) return null;
  return { index, stack: origin.stack, location: origin.edge.from };
}

/** The branches that control a point in its own function, or else in the nearest caller. */
function controlling(branches: readonly Branch[], { index, stack, location }: Point): readonly Branch[] {
  let at: LocationId | undefined = location;
  for (let depth = stack.length - 1; depth >= 0 && at !== undefined; depth--) {
    const { frame, function: fn, call } = nth(stack, depth);
    const here = at;
    const found = latest(
      branches.filter((branch) => branch.transition.index < index && branch.frame.frame === frame),
    ).filter(({ edge }) => isUnder(fn, edge, here) && !isGuard(fn, edge, here));
    if (found.length > 0) return found;
    at = call?.from;
  }
  return [];
}

/** The last outcome of each branch: earlier rounds no longer control anything. */
function latest(branches: readonly Branch[]): readonly Branch[] {
  const last = new Map(branches.map((branch) => [branch.edge.from, branch]));
  return branches.filter((branch) => last.get(branch.edge.from) === branch);
}

/** The branches between a write and the next write of the same place whose other side also writes it. */
function alternatives(
  symbols: Symbols,
  branches: readonly Branch[],
  transitions: readonly Transition[],
  statement: Transition,
  place: Place,
): readonly Branch[] {
  const variable = variableOfPlace(symbols, place);
  if (variable === null) return [];
  const { index } = statement;
  const next = transitions.find((other) => other.index > index && other.writes.some((write) => write.place === place));
  const end = next?.index ?? Number.POSITIVE_INFINITY;
  const point = pointOf(statement);
  const candidates = [
    ...(point === null ? [] : controlling(branches, point)),
    ...branches.filter(({ transition }) => transition.index > index && transition.index < end),
  ];
  const writes = ({ edge, frame }: Branch) =>
    otherSideDoes(frame.function, edge, (operation) => writesVariable(operation, variable.id));
  return candidates.filter((branch) => isNoLoop(branch) && writes(branch)).slice(-chainLimit);
}

/** Loop conditions are shown with the loop. */
function isNoLoop({ edge, frame: { function: fn } }: Branch): boolean {
  const ways = nth(controlFlowOf(fn).outgoing, edge.from);
  return !loopsOf(fn).loops.some(({ body }) => body.has(edge.from) && ways.some(({ to }) => !body.has(to)));
}

/** A branch that returns early controls everything after it, but explains only the returned value. */
function isGuard(fn: Function, edge: Edge, location: LocationId): boolean {
  if (postDominatorsOf(fn).immediate[edge.from] !== fn.exit) return false;
  return !nth(controlFlowOf(fn).outgoing, location).some(({ operation }) => operation.kind === "return");
}
