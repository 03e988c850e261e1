import { nth, present } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import type { EndPlace } from "../interpreter/outcome.ts";
import { type BranchEdge, isBranch } from "../ir/branches.ts";
import { controlFlowOf, reachableFrom } from "../ir/controlFlow.ts";
import { postDominatorsOf } from "../ir/dominators.ts";
import { sourceNaming } from "../ir/naming.ts";
import { printCase, printCondition } from "../ir/printOperation.ts";
import type { Edge, Function, LocationId, Program } from "../ir/program.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { TranslationScope } from "../symbolic/stepEnvironment.ts";
import { translateGuard } from "../symbolic/symbolicStep.ts";
import type { LiveFrame, Run, TraceStep } from "./run.ts";

/**
 * The condition that decided where a run went: tests that follow each other without anything in between and leave in
 * two ways. `a && b` is two tests; that the run went one of the two ways is one formula about the state before them.
 */
export type DecidingCondition = {
  /** The first of the run's steps through the tests. */
  readonly step: number;
  readonly stack: readonly LiveFrame[];
  readonly range: Edge["range"];
  readonly text: string;
  /** In the state before `step`. */
  formula(scope: TranslationScope): Term;
};

type FramedStep = TraceStep & { readonly frame: LiveFrame };

/**
 * The last condition of the run that could have kept it from its end: the end is control dependent on it. Tests that lead
 * to the end whichever way they go (the loop of a message that is printed first) decided nothing.
 */
export function decidingCondition(run: Run, end: EndPlace, endStep = run.steps): DecidingCondition | null {
  // If only the end of the run leaves an endless loop, a run avoids that end by looping for ever.
  return lastAvoidable(run, end, endStep, canAvoid) ?? lastAvoidable(run, end, endStep, canGoOnForever);
}

function lastAvoidable(
  run: Run,
  end: EndPlace,
  endStep: number,
  avoids: (fn: Function, start: LocationId, goal: LocationId) => boolean,
): DecidingCondition | null {
  const { stack } = run.between(endStep - 1, endStep);
  const failing = nth(nth(run.program.functions, end.function).edges, end.edge);
  let depth = stack.length - 1;
  let goal = failing.from;
  const avoidable = new Map<string, boolean>();
  // Mostly it is near the end; look further back in growing stretches.
  for (let length = 64, to = endStep; to > 0; length *= 8) {
    const from = Math.max(0, to - length);
    const steps = framed(run, from, to);
    for (let i = steps.length - 1; i >= 0 && depth >= 0; i--) {
      const { edge, frame, entered } = nth(steps, i);
      if (entered !== undefined && entered.frame === nth(stack, depth).frame) {
        depth--;
        goal = edge.from;
        continue;
      }
      if (frame.frame !== stack[depth]?.frame || !isBranch(edge)) continue;
      const key = `${depth}:${edge.from}`;
      const open = remembered(avoidable, key, () => avoids(frame.function, edge.from, goal));
      if (open) return conditionAround(run, steps, i);
    }
    to = from;
  }
  return null;
}

/** The steps of a stretch with the activations they belong to. */
function framed(run: Run, from: number, to: number): FramedStep[] {
  const { steps, stack } = run.between(from, to);
  const live = [...stack];
  return steps.map((step) => {
    const frame = nth(live, live.length - 1);
    if (step.edge.operation.kind === "return") live.pop();
    if (step.entered !== undefined) live.push(step.entered);
    return { ...step, frame };
  });
}

/** Is there a way from a location to the function's exit that does not pass the goal? */
function canAvoid(fn: Function, start: LocationId, goal: LocationId): boolean {
  return reachableWithout(fn, start, goal).has(fn.exit);
}

/** Is there an endless way from a location that does not pass the goal? */
function canGoOnForever(fn: Function, start: LocationId, goal: LocationId): boolean {
  const { outgoing } = controlFlowOf(fn);
  const left = reachableWithout(fn, start, goal);
  // After removing every location that leads to no other one, the rest has a cycle.
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const location of left) if (!nth(outgoing, location).some(({ to }) => left.has(to))) left.delete(location);
  }
  return left.size > 0;
}

function reachableWithout(fn: Function, start: LocationId, goal: LocationId): Set<LocationId> {
  const { outgoing } = controlFlowOf(fn);
  return reachableFrom([start], (location) => {
    const next = nth(outgoing, location).map(({ to }) => to);
    return next.filter((to) => to !== goal);
  });
}

/** The step's test and the tests before it that belong to the same condition. */
function conditionAround(run: Run, steps: readonly FramedStep[], last: number): DecidingCondition {
  const { edge, frame } = nth(steps, last);
  let first = last;
  let group = new Set<LocationId>([edge.from]);
  for (let i = last - 1; i >= 0; i--) {
    const { edge: before, frame: owner } = nth(steps, i);
    const part = before.operation.kind === "assume" ? before.operation.origin : null;
    if (owner.frame !== frame.frame || (part !== "shortCircuit" && part !== "conditional")) break;
    const larger = testsBetween(frame.function, before.from, group);
    if (larger === null) continue;
    group = larger;
    first = i;
  }
  const start = nth(steps, first);
  const { outgoing } = controlFlowOf(frame.function);
  const waysOf = (location: LocationId) => nth(outgoing, location) as readonly BranchEdge[];
  return {
    step: start.step,
    stack: run.between(start.step, start.step + 1).stack,
    range: edge.range,
    text:
      edge.operation.kind === "case"
        ? printCase(run.program, edge.operation, sourceNaming(run.program))
        : printTests(run.program, waysOf, start.edge.from, edge.to, group).text,
    formula: (scope) =>
      edge.operation.kind === "case"
        ? translateGuard(scope, edge.operation)
        : reaching(scope, waysOf, start.edge.from, edge.to, group),
  };
}

/** Tests that are passed between a test and the known ones; null unless all of them leave in two ways. */
function testsBetween(fn: Function, start: LocationId, known: ReadonlySet<LocationId>): Set<LocationId> | null {
  const { outgoing } = controlFlowOf(fn);
  const group = new Set<LocationId>(known);
  // A way out of the earlier test belongs to the condition if it is a test that leads to where the others lead.
  const exitsOf = (tests: ReadonlySet<LocationId>) =>
    new Set([...tests].flatMap((test) => nth(outgoing, test).map(({ to }) => to)).filter((to) => !tests.has(to)));
  group.add(start);
  for (;;) {
    const exits = exitsOf(group);
    if (exits.size === 2) return nth(outgoing, start).some(({ to }) => group.has(to)) ? group : null;
    if (exits.size < 2) return null;
    const inner = [...exits].find(
      (to) =>
        isTest(nth(outgoing, to)) && nth(outgoing, to).every(({ to: next }) => exits.has(next) || group.has(next)),
    );
    if (inner === undefined) return null;
    group.add(inner);
  }
}

function isTest(edges: readonly Edge[]): boolean {
  return edges.length === 2 && edges.every(({ operation }) => operation.kind === "assume");
}

type Ways = (location: LocationId) => readonly BranchEdge[];

/** The condition that the tests from `location` on lead to `goal`. */
function reaching(
  scope: TranslationScope,
  waysOf: Ways,
  location: LocationId,
  goal: LocationId,
  group: ReadonlySet<LocationId>,
) {
  const { terms } = scope.symbols;
  const known = new Map<LocationId, Term>();
  const visit = (at: LocationId): Term => {
    if (at === goal) return terms.bool(true);
    if (!group.has(at)) return terms.bool(false);
    return remembered(known, at, () =>
      terms.any(
        waysOf(at).map((edge) => terms.and(translateGuard(scope, edge.operation), visit(edge.to as LocationId))),
      ),
    );
  };
  return visit(location);
}

type Printed = { readonly text: string; readonly kind: "atom" | "and" | "or" | "other" };

/** The same in source syntax. */
function printTests(
  program: Program,
  waysOf: Ways,
  location: LocationId,
  goal: LocationId,
  group: ReadonlySet<LocationId>,
): Printed {
  const truth = (at: LocationId): boolean | null => (at === goal ? true : group.has(at) ? null : false);
  const ways = waysOf(location);
  const [yes, no] = [present(ways.find(isPlain)), present(ways.find((edge) => !isPlain(edge)))];
  const test = (negated: boolean): Printed => {
    const { operation } = yes;
    const text =
      operation.kind === "assume" ? printCondition(program, operation.condition, negated, sourceNaming(program)) : "…";
    return { text, kind: "atom" };
  };
  const rest = (edge: BranchEdge) => printTests(program, waysOf, edge.to, goal, group);
  const [whenTrue, whenFalse] = [truth(yes.to), truth(no.to)];
  if (whenTrue === null && whenFalse === null) {
    const [a, b] = [rest(yes), rest(no)].map((part) => within(part, "other"));
    return { text: `${test(false).text} ? ${a} : ${b}`, kind: "other" };
  }
  if (whenTrue === null) return whenFalse ? join("or", test(true), rest(yes)) : join("and", test(false), rest(yes));
  if (whenFalse === null) return whenTrue ? join("or", test(false), rest(no)) : join("and", test(true), rest(no));
  return test(!whenTrue);
}

function isPlain(edge: BranchEdge): boolean {
  return edge.operation.kind === "assume" && !edge.operation.negated;
}

function join(kind: "and" | "or", left: Printed, right: Printed): Printed {
  return { text: `${within(left, kind)} ${kind === "and" ? "&&" : "||"} ${within(right, kind)}`, kind };
}

function within(part: Printed, kind: Printed["kind"]): string {
  return part.kind === "atom" || part.kind === kind ? part.text : `(${part.text})`;
}

/** The branches that the run is under the control of, at each call depth: those whose ways have not met again. */
export type ControlStack = {
  /** That the branches which control a location of a live frame went the run's way. */
  guardAt(frame: LiveFrame, depth: number, location: LocationId | null): Term;
  /** A branch was taken: the condition that says so, which the branch has to define. */
  branch(frame: LiveFrame, depth: number, traced: TraceStep): Variable;
  isTaken(variable: Variable): boolean;
};

/** Control dependence by post-dominators: a branch controls what comes before the place where its ways meet. */
export function controlStack(terms: Terms): ControlStack {
  type Entry = { readonly join: number; readonly taken: Variable };
  const levels: { readonly frame: number; readonly entries: Entry[] }[] = [];
  const known = new Set<Variable>();

  const levelOf = (frame: LiveFrame, depth: number) => {
    levels.length = Math.min(levels.length, depth + 1);
    while (levels.length <= depth) levels.push({ frame: -1, entries: [] });
    if (nth(levels, depth).frame !== frame.frame) levels[depth] = { frame: frame.frame, entries: [] };
    return nth(levels, depth);
  };

  return {
    guardAt(frame, depth, location) {
      const { entries } = levelOf(frame, depth);
      while (entries.length > 0 && nth(entries, entries.length - 1).join === location) entries.pop();
      // Each condition includes those around it.
      for (let at = depth; at >= 0; at--) {
        const innermost = levels[at]?.entries.at(-1);
        if (innermost !== undefined) return innermost.taken;
      }
      return terms.bool(true);
    },
    branch(frame, depth, traced) {
      const taken = terms.variable(`taken#${traced.step}`, "Bool");
      known.add(taken);
      const join = nth(postDominatorsOf(frame.function).immediate, traced.edge.from);
      levelOf(frame, depth).entries.push({ join, taken });
      return taken;
    },
    isTaken: (variable) => known.has(variable),
  };
}
