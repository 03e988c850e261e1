import { nth } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { isWithin } from "../base/sourceRange.ts";
import { objectIdOf } from "../interpreter/memory/pointer.ts";
import { type LoopActivation, stepCursor } from "../interpreter/stepCursor.ts";
import { isBranch, otherSideDoes } from "../ir/branches.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { type Expression, subexpressions } from "../ir/expression.ts";
import type { Loop } from "../ir/loops.ts";
import type { Operation } from "../ir/operation.ts";
import type { Edge, Function, LocationId, Program, VariableId } from "../ir/program.ts";
import type { DependenceGraph, Event } from "./dependenceGraph.ts";
import type { Read } from "./read.ts";

/** The root of a failure's explanation. `missed`: branches that skipped output. */
export type FailureRoot =
  /**
   * A failed assertion, a reached error location, an abort: the last step (`step`), and the outcomes of tests that decided it, in
   * the order of the run. For `assert(a && b)` with a false `b` that is `b` alone; for `a || b` it is both. Empty where nothing did.
   */
  | { readonly kind: "condition"; readonly step: number; readonly deciding: readonly number[] }
  /** The step that was undefined, which the run did not complete; or the one that printed what was not expected. */
  | { readonly kind: "trap"; readonly step: number; readonly missed?: readonly number[] }
  /** A run that does not end: the loop that it was in, with the last tests that could have left it. */
  | {
      readonly kind: "loop";
      readonly function: Function;
      readonly loop: Loop;
      readonly rounds: number;
      /** The first step in it. */
      readonly entered: number;
      readonly step: number;
      readonly deciding: readonly number[];
    }
  /** Any other end (a normal one, a limit that no loop has to do with): the last step. */
  | { readonly kind: "end"; readonly step: number; readonly missed?: readonly number[] };

export function failureRoot(graph: DependenceGraph): FailureRoot {
  const { trace } = graph;
  const last = graph.end - 1;
  switch (trace.outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
      return { kind: "condition", step: last, deciding: decidingSteps(graph, last) };
    case "undefined-behaviour":
      return { kind: "trap", step: last };
    case "wrong-output":
    case "wrong-exit":
      return outputRoot(graph);
    case "limit":
      return endlessLoop(graph) ?? { kind: "end", step: last };
    case "exit":
    case "assumption-violated":
    case "needs-input":
      return { kind: "end", step: last };
  }
}

/** The last visit at which a watched condition holds; null if the program has none, or if it never holds. */
export function watchedRoot(graph: DependenceGraph): FailureRoot | null {
  const { watched } = graph.trace.program;
  if (watched === undefined) return null;
  for (let step = graph.end - 1; step >= graph.first; step--) {
    const { operation } = graph.edge(step);
    if (operation.kind !== "assign" || operation.target !== watched || graph.value(step) !== 1) continue;
    return { kind: "condition", step, deciding: decidingSteps(graph, step) };
  }
  return null;
}

/** The call that printed what was not expected; where none did, the end of the run. */
function outputRoot(graph: DependenceGraph): FailureRoot {
  const { wrongByte, end } = graph;
  if (wrongByte !== null) return { kind: "trap", step: wrongByte.step, missed: missedPrints(graph, wrongByte.step) };
  const isOutput = graph.trace.outcome.kind === "wrong-output";
  return { kind: "end", step: end - 1, ...(isOutput ? { missed: missedPrints(graph, end) } : {}) };
}

/** The failure itself, without omissions before it. */
export function headEvents(root: FailureRoot): readonly Event[] {
  const steps = root.kind === "condition" || root.kind === "loop" ? [root.step, ...root.deciding] : [root.step];
  return steps.map((step) => ({ step, part: 0 }));
}

/** The start of a backward slice from the root. */
export function rootEvents(root: FailureRoot): readonly Event[] {
  const missed = "missed" in root ? (root.missed ?? []) : [];
  return [...headEvents(root), ...missed.map((step) => ({ step, part: 0 }))];
}

/** The nearest branch up the control dependences, with the other tests of its condition that decided. */
function decidingSteps(graph: DependenceGraph, failing: number): number[] {
  let nearest: number | null = failing;
  do nearest = graph.parent(nearest);
  while (nearest !== null && nearest >= graph.first && !isBranch(graph.edge(nearest)));
  if (nearest === null || nearest < graph.first) return [];
  const fn = graph.function(nearest);
  const deciding = [nearest];
  const outcomes = new Map([[graph.edge(nearest).from, graph.edge(nearest).to]]);
  // The start of the condition's false side: avoiding it would have helped.
  const failed = graph.edge(nearest).to;
  const { range } = graph.edge(failing);
  for (let at = nearest; ; ) {
    const before = graph.parent(at);
    if (before === null || before < graph.first || graph.activation(before) !== graph.activation(nearest)) break;
    const edge = graph.edge(before);
    if (!isOperand(edge) || !(edge.to === graph.edge(at).from || isWithin(edge.range, range))) break;
    const others = nth(controlFlowOf(fn).outgoing, edge.from).filter((other) => other !== edge);
    if (others.some(({ to }) => avoids(fn, followed(outcomes, to), failed))) deciding.unshift(before);
    outcomes.set(edge.from, edge.to);
    at = before;
  }
  return deciding;
}

/** A test that is an operand of `&&`, `||` or `?:`, or that an assertion is made of. */
function isOperand({ operation }: Edge): boolean {
  return operation.kind === "assume" && /^(shortCircuit|conditional|assert)$/.test(operation.origin);
}

/** The locations behind tests with known outcomes. */
function followed(outcomes: ReadonlyMap<LocationId, LocationId>, from: LocationId): LocationId {
  const next = outcomes.get(from);
  return next === undefined ? from : followed(outcomes, next);
}

function avoids(fn: Function, from: LocationId, failed: LocationId): boolean {
  if (from === failed) return false;
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<LocationId>([from]);
  for (const location of seen) {
    if (location === fn.exit) return true;
    for (const { to } of nth(outgoing, location)) if (to !== failed) seen.add(to);
  }
  return false;
}

/** The active loop with the most rounds at the end of the run, in any function on the stack. */
function endlessLoop(graph: DependenceGraph): FailureRoot | null {
  const { trace } = graph;
  const cursor = stepCursor(trace);
  const live: { activation: number; function: Function; loops: readonly LoopActivation[] }[] = [];
  while (cursor.next()) {
    live.length = Math.min(live.length, cursor.depth + 1);
    const top = live[cursor.depth];
    if (top?.activation !== cursor.activation) {
      const fn = nth(trace.program.functions, cursor.function);
      live[cursor.depth] = { activation: cursor.activation, function: fn, loops: cursor.loops };
    }
  }
  let best: { function: Function; loop: Loop; number: number; iteration: number; activation: number } | null = null;
  for (const { activation, function: fn, loops } of live) {
    for (const { loop, number, iteration } of loops) {
      if (best === null || iteration >= best.iteration) best = { function: fn, loop, number, iteration, activation };
    }
  }
  if (best === null || best.iteration < 2) return null;
  const { function: fn, loop, number, iteration: rounds, activation } = best;
  const entered = firstStepOf(graph, number);
  return {
    kind: "loop",
    function: fn,
    loop,
    rounds,
    entered,
    step: graph.end - 1,
    deciding: lastTests(graph, loop, activation),
  };
}

function firstStepOf({ trace }: DependenceGraph, loopActivation: number): number {
  const cursor = stepCursor(trace);
  while (cursor.next()) if (cursor.loops.some(({ number }) => number === loopActivation)) break;
  return cursor.step;
}

/** The last outcome of each test that could have left the loop. */
function lastTests(graph: DependenceGraph, loop: Loop, activation: number): number[] {
  const open = new Set<LocationId>(loop.exits.map(({ from }) => from));
  const found: number[] = [];
  for (let step = graph.end - 1; step >= graph.first && open.size > 0; step--) {
    if (graph.activation(step) !== activation || !open.delete(graph.edge(step).from)) continue;
    found.unshift(step);
  }
  return found;
}

/** A place in memory that went on pointing to an object when the object ended. */
export type KeptPointer = {
  /** The step that read the place afterwards. */
  readonly step: number;
  readonly place: Expression;
  /** The step that had written it. */
  readonly writer: number;
};

/**
 * The place that a pointer to a dead object was kept in: a field or a static variable that was written before the object ended
 * and read afterwards. Forgetting to change it is what most uses of dead objects are. null for local variables, whose names
 * stand where they are used.
 */
export function keptPointer(graph: DependenceGraph, used: number, pointer: number, death: number): KeptPointer | null {
  const object = objectIdOf(pointer);
  const isPointerTo = ({ value, expression }: Read) =>
    expression?.type.kind === "pointer" && typeof value === "number" && objectIdOf(value) === object;
  // Copies lead back in time, so this ends.
  for (let step = used; step > death && step >= graph.first; ) {
    const read = graph.reads(step).find(isPointerTo);
    if (read?.expression == null || read.writer === null) return null;
    const { expression: place, writer } = read;
    if (writer < death) return isKept(graph, place) && writer >= graph.first ? { step, place, writer } : null;
    step = writer;
  }
  return null;
}

function isKept({ trace }: DependenceGraph, place: Expression): boolean {
  if (place.kind === "variable") return nth(trace.program.variables, place.variable).kind === "static";
  return place.kind === "load";
}

/** At most this many branches that passed by a print are reported, the last ones. */
const mostMissed = 6;

/**
 * Between the last byte that was printed as expected and a step: branches with another outcome of which something would have been printed
 * there, and calls that printed nothing, of an empty string. What is not in the output leaves no other trace. The last of each line, in
 * the order of the run.
 */
export function missedPrints(graph: DependenceGraph, before: number): readonly number[] {
  const prints = printingOperations(graph.trace.program);
  const missed: number[] = [];
  const seen = new Set<object>();
  const from = Math.max(graph.first, (graph.lastRightByte ?? -1) + 1);
  for (let step = before - 1; step >= from && missed.length < mostMissed; step--) {
    const edge = graph.edge(step);
    if (seen.has(edge)) continue;
    seen.add(edge);
    const isSilent = edge.operation.kind === "callLibrary" && prints(edge.operation) && !graph.printed(step);
    if (isSilent || (isBranch(edge) && otherSideDoes(graph.function(step), edge, prints))) missed.push(step);
  }
  return missed.reverse();
}

const printers = new Set(
  "printf vprintf fprintf vfprintf puts putchar fputs fputc putc fwrite".split(" ") as readonly string[],
);

/** Standard error is not compared with anything. */
function isErrors(program: Program, expression: Expression): boolean {
  const isStderr = (variable: VariableId) => program.variables[variable]?.role === "stderr";
  return subexpressions(expression).some((part) => {
    if (part.kind === "variable") return isStderr(part.variable);
    return part.kind === "addressOf" && part.object.kind === "variable" && isStderr(part.object.variable);
  });
}

/** Does an operation print, or call a function that may? */
const printingOperations = memoised((program: Program): ((operation: Operation) => boolean) => {
  const functions = new Set<number>();
  const prints = (operation: Operation): boolean => {
    if (operation.kind === "callLibrary") {
      return printers.has(operation.name) && !operation.arguments.some((argument) => isErrors(program, argument));
    }
    if (operation.kind !== "call") return false;
    return operation.callee.kind !== "direct" || functions.has(operation.callee.function);
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const { id, edges } of program.functions) {
      if (functions.has(id) || !edges.some(({ operation }) => prints(operation))) continue;
      functions.add(id);
      changed = true;
    }
  }
  return prints;
});
