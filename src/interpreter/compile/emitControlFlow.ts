import { nth, present } from "../../base/checked.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { dominatorsOf } from "../../ir/dominators.ts";
import { type Loop, loopsOf } from "../../ir/loops.ts";
import type { Edge, Function, LocationId } from "../../ir/program.ts";
import { fromBigInt } from "../../ir/scalarValue.ts";
import { type FunctionContext, keepsUndefined, temporary } from "./context.ts";
import { pollText } from "./emitCheckpoints.ts";
import { emitCondition, emitExpression, literal } from "./emitExpression.ts";
import { variedCondition, variedValue } from "./emitVaried.ts";

/** The function emitter's interface for control flow. */
export type EdgeEmitter = {
  /** Emits the operation, with counting at the start of a block and the mode's extras. */
  emitEdge(edge: Edge): void;
  arrive(location: LocationId): void;
};

/** Deeper nesting uses the dispatch loop: JavaScript's parser is recursive. */
const maxDepth = 150;
const maxDispatchDepth = 40;
/** Wider intervals of a switch become comparisons. */
const maxCaseLabels = 64;

class TooDeep extends Error {}

/** Emits the body of the function: structured if possible, else a loop around a switch over locations. */
export function emitControlFlow(context: FunctionContext, emitter: EdgeEmitter): void {
  const structure = structureOf(context.fn);
  if (structure !== null) {
    const { length } = context.lines;
    const sites = context.sites.length;
    try {
      context.countsLocally = context.mode.record;
      emitStructured(context, emitter, structure);
      return;
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      context.lines.length = length;
      context.sites.length = sites;
    }
  }
  context.countsLocally = false;
  emitDispatch(context, emitter);
}

/** Emits the jump from an edge to its target; returns the target if its code is to follow at once. */
type Jump = (edge: Edge, depth: number) => LocationId | null;

function emitStructured(context: FunctionContext, emitter: EdgeEmitter, structure: Structure): void {
  const { fn, lines } = context;
  const { order } = controlFlowOf(fn);
  const { loops, loopWithHeader } = loopsOf(fn);
  const jump: Jump = (edge) => {
    const { to } = edge;
    if (to === fn.exit) return null;
    if (order[to]! <= order[edge.from]!) lines.push(`continue l${to};`);
    else if (structure.labelled.has(to)) lines.push(`break b${to};`);
    else return to;
    return null;
  };
  const region = (start: LocationId, depth: number): void => {
    if (depth > maxDepth) throw new TooDeep();
    for (let at: LocationId | null = start; at !== null; ) at = one(at, depth);
  };
  const one = (at: LocationId, depth: number): LocationId | null => {
    if (loopWithHeader(at) === null) return inner(at, depth);
    return enclosed(structure.afterLoop.get(at) ?? [], depth, (inside) => {
      const isInnermost = loops.every(({ parent }) => parent?.header !== at);
      if (isInnermost && !keepsUndefined(context)) innermost(at, inside + 2);
      else loop(at, pollText(context, `${at}`), inside + 1);
      return null;
    });
  };
  const loop = (at: LocationId, poll: string, depth: number): void => {
    lines.push(`l${at}: for (;;) {`, poll);
    const next = inner(at, depth);
    if (next !== null) region(next, depth);
    lines.push("}");
  };
  /** V8 replaces the code of a running loop, but knows no types there; after a poll the loop begins again, with types. */
  const innermost = (at: LocationId, depth: number): void => {
    lines.push("for (;;) {");
    const start = lines.length;
    loop(at, `if (S[0] > S[1]) break l${at};`, depth);
    lines.splice(start, 0, ...typedRegisters(context, lines.slice(start)));
    lines.push("poll(X);", "}");
  };
  const inner = (at: LocationId, depth: number): LocationId | null =>
    enclosed(structure.followers.get(at) ?? [], depth, (inside) =>
      emitStep(context, emitter, at, inside, jump, region),
    );
  /** `emit` inside one labelled block per follower, then the followers. */
  const enclosed = (
    followers: readonly LocationId[],
    depth: number,
    emit: (depth: number) => LocationId | null,
  ): LocationId | null => {
    const count = followers.length;
    if (count === 0) return emit(depth);
    if (depth + count > maxDepth) throw new TooDeep();
    for (let i = count - 1; i >= 0; i--) lines.push(`b${followers[i]}: {`);
    const next = emit(depth + count);
    if (next !== null) region(next, depth + count);
    for (let i = 0; i < count - 1; i++) {
      lines.push("}");
      region(nth(followers, i), depth + count - 1 - i);
    }
    lines.push("}");
    return nth(followers, count - 1);
  };
  region(fn.entry, 0);
}

/** Tells V8 the types of the registers that some lines assign. */
function typedRegisters(context: FunctionContext, lines: readonly string[]): readonly string[] {
  const assigned = new Set(lines.join("\n").match(/\bv\d+(?= = )/g));
  return [...assigned].flatMap((name) => {
    const id = Number(name.slice(1));
    const { type } = nth(context.program.variables, id);
    if (context.checkedRegisters.has(id)) return [];
    if (type.kind === "float" || type.kind === "pointer") return [`${name} = +${name};`];
    if (type.kind !== "int" || type.bits > 32) return [];
    return [`${name} = ${name} ${type.signed || type.bits < 32 ? "|" : ">>>"} 0;`];
  });
}

function emitDispatch(context: FunctionContext, emitter: EdgeEmitter): void {
  const { fn, lines } = context;
  const { incoming } = controlFlowOf(fn);
  const pending: LocationId[] = [fn.entry];
  const known = new Set<LocationId>(pending);
  const jump: Jump = (edge, depth) => {
    const { to } = edge;
    if (to === fn.exit) return null;
    if (!known.has(to) && nth(incoming, to).length === 1 && depth < maxDispatchDepth) return to;
    if (!known.has(to)) {
      known.add(to);
      pending.push(to);
    }
    lines.push(`pc = ${to}; continue d;`);
    return null;
  };
  const region = (start: LocationId, depth: number): void => {
    for (let at: LocationId | null = start; at !== null; ) at = emitStep(context, emitter, at, depth, jump, region);
  };
  lines.push(`let pc = ${fn.entry};`, "d: for (;;) {", pollText(context, "pc"), "switch (pc) {");
  for (let i = 0; i < pending.length; i++) {
    lines.push(`case ${pending[i]}: {`);
    region(nth(pending, i), 0);
    lines.push("}");
  }
  lines.push("}", "}");
}

/** The edges that leave a location; every arm ends with a jump, so the last one needs no nesting. */
function emitStep(
  context: FunctionContext,
  emitter: EdgeEmitter,
  at: LocationId,
  depth: number,
  jump: Jump,
  region: (start: LocationId, depth: number) => void,
): LocationId | null {
  const { lines } = context;
  emitter.arrive(at);
  const edges = nth(controlFlowOf(context.fn).outgoing, at);
  const arm = (edge: Edge): void => {
    emitter.emitEdge(edge);
    const next = jump(edge, depth + 1);
    if (next !== null) region(next, depth + 1);
  };
  const last = (edge: Edge): LocationId | null => {
    emitter.emitEdge(edge);
    return jump(edge, depth);
  };
  const first = nth(edges, 0);
  if (first.operation.kind === "assume") {
    const taken = present(edges.find(({ operation }) => operation.kind === "assume" && !operation.negated));
    startEdge(context, first);
    const condition = variedCondition(context, at, emitCondition(context, first.operation.condition));
    lines.push(`if (${condition}) {`);
    arm(taken);
    lines.push("}");
    return last(present(edges.find((edge) => edge !== taken)));
  }
  if (first.operation.kind === "case") return emitCases(context, edges, arm, last);
  return last(first);
}

function emitCases(
  context: FunctionContext,
  edges: readonly Edge[],
  arm: (edge: Edge) => void,
  last: (edge: Edge) => LocationId | null,
): LocationId | null {
  const { lines } = context;
  const first = nth(edges, 0);
  if (first.operation.kind !== "case") return null;
  startEdge(context, first);
  const selector = temporary(context);
  const value = variedValue(
    context,
    context.varied?.value(first) ?? -1,
    emitExpression(context, first.operation.selector),
  );
  lines.push(`${selector} = ${value};`);
  const labels: { edge: Edge; texts: string[] }[] = [];
  let otherwise = first;
  for (const edge of edges) {
    const values = edge.operation.kind === "case" ? edge.operation.values : null;
    if (values === null) {
      otherwise = edge;
      continue;
    }
    const count = values.reduce((sum, [low, high]) => sum + Number(high - low) + 1, 0);
    if (count <= maxCaseLabels) labels.push({ edge, texts: values.flatMap(([low, high]) => caseLabels(low, high)) });
    else {
      const tests = values.map(([low, high]) => `${selector} >= ${number(low)} && ${selector} <= ${number(high)}`);
      lines.push(`if (${tests.join(" || ")}) {`);
      arm(edge);
      lines.push("}");
    }
  }
  if (labels.length > 0) {
    lines.push(`switch (${selector}) {`);
    for (const { edge, texts } of labels) {
      lines.push(...texts, "{");
      arm(edge);
      lines.push("}");
    }
    lines.push("}");
  }
  return last(otherwise);
}

function caseLabels(low: bigint, high: bigint): string[] {
  const labels: string[] = [];
  for (let value = low; value <= high; value++) labels.push(`case ${number(value)}:`);
  return labels;
}

function number(value: bigint): string {
  return literal(fromBigInt(value));
}

export function startEdge(context: FunctionContext, edge: Edge): void {
  context.edge = edge;
  context.temporaries = 0;
}

/**
 * Placement of locations in structured JavaScript, after N. Ramsey, "Beyond Relooper" (ICFP 2022): a location's code is
 * nested in that of its immediate dominator, directly if one forward edge leads to it, else after a labelled block that
 * jumps leave. Unlike in the paper, code after a loop is always placed after it, so that loops in the text match loops
 * in the graph.
 */
export type Structure = {
  /** By location: those whose code follows its code, in text order. */
  readonly followers: ReadonlyMap<LocationId, readonly LocationId[]>;
  /** By loop header: those whose code follows the loop. */
  readonly afterLoop: ReadonlyMap<LocationId, readonly LocationId[]>;
  /** Locations reached by leaving a labelled block. */
  readonly labelled: ReadonlySet<LocationId>;
};

/** null for a function with jumps into loops. */
export function structureOf(fn: Function): Structure | null {
  const forest = loopsOf(fn);
  if (forest.irreducible.length > 0) return null;
  const { incoming, order, reversePostorder } = controlFlowOf(fn);
  const { immediate } = dominatorsOf(fn);
  const followers = new Map<LocationId, LocationId[]>();
  const afterLoop = new Map<LocationId, LocationId[]>();
  const labelled = new Set<LocationId>();
  // In reverse postorder, so that every list is in jump order.
  for (const location of reversePostorder) {
    if (location === fn.entry || location === fn.exit) continue;
    const dominator = immediate[location] as LocationId;
    const left = outermostLoopLeft(forest.innermost(dominator), location);
    if (left !== null) {
      labelled.add(location);
      append(afterLoop, left.header, location);
    } else if (nth(incoming, location).filter((edge) => order[edge.from]! < order[location]!).length > 1) {
      labelled.add(location);
      append(followers, dominator, location);
    }
  }
  return { followers, afterLoop, labelled };
}

function outermostLoopLeft(innermost: Loop | null, location: LocationId): Loop | null {
  let result: Loop | null = null;
  for (let loop = innermost; loop !== null && !loop.body.has(location); loop = loop.parent) result = loop;
  return result;
}

function append(map: Map<LocationId, LocationId[]>, key: LocationId, value: LocationId): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
