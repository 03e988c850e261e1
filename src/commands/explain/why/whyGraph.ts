import { nth, present } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { missedUnlinkings, passedWrite, type RefusedCall } from "../../../dependence/missedUpdates.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { Edge } from "../../../ir/program.ts";
import type { Explained, Failure, Suspect, WhyEdge, WhyNode } from "../result.ts";
import { describeFailure, operandValue } from "./describeFailure.ts";
import { describeVisit } from "./describeVisit.ts";
import { memoryAtSteps, unnamed } from "./memoryAtSteps.ts";
import { literalStyles, type PrintPlaced, valuePrinter } from "./printValue.ts";
import { type Operand, type Root, rootOf } from "./root.ts";
import { type Visits, visitsOf } from "./visits.ts";
import { type HopKind, type RootEvent, type SkippedStep, type WhyPaths, whyPaths } from "./whyPaths.ts";
import { comparingStep, createWording, type RenderContext, remarksOn } from "./wording.ts";

export type Why = {
  readonly graph: DependenceGraph;
  readonly visits: Visits;
  readonly root: Root;
  readonly paths: WhyPaths;
  readonly hidden: ReadonlySet<number>;
  readonly omissions: readonly SkippedStep[];
  readonly refused: RefusedCall | null;
  /** A branch that passed by a write to what went on pointing to a dead object. */
  readonly unlinking: number | null;
  /** A branch that passed by a write of a value that failed. */
  readonly passed: SkippedStep | null;
};

export function whyOf(
  graph: DependenceGraph,
  known: readonly SkippedStep[] = [],
  refused: RefusedCall | null = null,
): Why {
  const omissions = refused === null ? known : [...known, { condition: refused.condition, affects: refused.reader }];
  const visits = visitsOf(graph);
  const root = rootOf(graph);
  const hidden = new Set(root.events.map(({ step }) => visits.of(step)));
  const passed = passedWrite(graph, root.operands);
  const paths = whyPaths(graph, visits, rootEvents(root), passed === null ? omissions : [...omissions, passed]);
  const unlinking = root.death === null ? null : (missedUnlinkings(graph, root.failure.step)[0]?.condition ?? null);
  return { graph, visits, root, paths, hidden, omissions, refused, unlinking, passed };
}

/** Use after free: explain the free first, the identity of the object later. */
const identityCost = 6;
/** The reason for an allocation comes before the origin of its pointer. */
const bornCost = 2;
/** The causes of a printed text start at the condition that chose it. */
const chosenCost = 1;
/** The reason for missing output comes after the reason for wrong output. */
const missedCost = 5;

function rootEvents({ events, death, birth, choice, failure }: Root): readonly RootEvent[] {
  const missed = "missed" in failure ? (failure.missed ?? []) : [];
  if (birth !== null) return [...events, { step: birth, part: 0, cost: bornCost }];
  const chosen = choice === null ? [] : [{ step: choice, part: 0, cost: chosenCost }];
  if (death === null) return [...events, ...chosen, ...missed.map((step) => ({ step, part: 0, cost: missedCost }))];
  return [{ step: death, part: 0 }, ...events.map((event) => ({ ...event, cost: identityCost }))];
}

export type DescribedWhys = Pick<Explained, "questions" | "graph"> & {
  readonly failure: Failure;
  /** For each suspect: its node and the nodes on its way. */
  readonly suspects: readonly Pick<Suspect, "node" | "operand" | "way">[];
  /** Prints a value as the source writes it. */
  readonly print: PrintPlaced;
};

export function describeWhys(
  why: Why,
  suspects: readonly { readonly step: number; readonly hasWay: boolean }[],
  isProved: (step: number) => boolean,
): DescribedWhys {
  const { graph, visits, root, paths } = why;
  const near = nearSteps(why);
  const operandIndex = operandIndexes(why);
  const flows = flowingVisits(why, operandIndex);
  const ways = suspects.map(({ step, hasWay }) => {
    return hasWay && !why.hidden.has(visits.of(step)) ? wayOf(why, step) : null;
  });
  const chosen = withCallers(why, [
    ...near.keys(),
    ...flows.keys(),
    ...startsOf(why).map(visits.of),
    ...(why.passed === null ? [] : [visits.of(why.passed.condition)]),
    ...suspects.map(({ step }) => visits.of(step)),
    ...ways.flatMap((way) => way ?? []),
  ]);
  const ids = new Map(chosen.map((visit, id) => [visit, id]));
  const context = contextOf(why, chosen);
  const questions = questionsOf(why, context);
  const conditions = new Set(why.omissions.map(({ condition }) => condition));
  const isOmission = (step: number) => conditions.has(step);
  const nodes = chosen.map((visit, id): WhyNode => {
    const unit = visits.unit(visit);
    const steps = visits.steps(visit);
    const call = graph.callOf(graph.activation(nth(steps, 0)));
    const next = nextOf(why, visit, ids);
    const remarks = remarksOn(context, visit, why.refused, isOmission);
    return {
      id,
      ...describeVisit(context, visit),
      ...(remarks.length === 0 ? {} : { remarks }),
      steps: steps.map((step) => step + 1),
      depth: depthOf(graph, nth(steps, 0)),
      function: unit.function.name,
      location: unit.range,
      line: unit.id,
      text: unit.text,
      visit: { number: visits.ordinal(visit), of: visits.total(unit) },
      acts: steps.some((step) => doesSomething(graph.edge(step))),
      question: questions.of(visit),
      near: near.get(visit) ?? [],
      flowsInto: flows.get(visit) ?? [],
      handsOn: isHandedOn(why, visit),
      ...(next === null ? {} : { next }),
      calledBy: call === null || call < graph.first ? null : (ids.get(visits.of(call)) ?? null),
      evidence: steps.some(isProved) ? "proved" : "observed",
    };
  });
  const starts = startsOf(why).flatMap((step) => ids.get(visits.of(step)) ?? []);
  const passed = why.passed === null ? null : (ids.get(visits.of(why.passed.condition)) ?? null);
  const mattering = new Set(paths.steps().map(visits.of));
  const left = [...mattering].filter((visit) => visit !== -1 && !why.hidden.has(visit) && !ids.has(visit)).length;
  return {
    questions: questions.texts,
    graph: {
      source: "run",
      starts,
      ...(passed === null ? {} : { passed }),
      failingLines: failingLines(why),
      nodes,
      edges: edgesOf(why, chosen, ids),
      left,
    },
    failure: describeFailure(context, root),
    suspects: suspects.map(({ step }, i) => ({
      node: ids.get(visits.of(step)) ?? null,
      operand: operandIndex(step),
      way: ways[i]?.map((visit) => present(ids.get(visit))) ?? null,
    })),
    print: valuePrinter(context.styles),
  };
}

/** The steps that are shown in any case: the end of a block and what was not done there, the choice of a text, the call that was refused. */
function startsOf({ root, refused, unlinking }: Why): readonly number[] {
  const steps = [root.death, unlinking, root.choice, ...(refused === null ? [] : [refused.call, refused.condition])];
  return steps.filter((step) => step !== null);
}

function failingLines({ visits, hidden }: Why): readonly number[] {
  return [...new Set([...hidden].flatMap((visit) => (visit === -1 ? [] : [visits.unit(visit).id])))];
}

/** The number of executions that are chosen by distance alone: each line once, then further executions. */
const mostNear = 400;

/** For each visit: the ranks of its steps by distance. `screenOf` takes them in this order. */
function nearSteps({ visits, paths, hidden }: Why): ReadonlyMap<number, readonly number[]> {
  const seen = new Set<number>();
  const first: { visit: number; at: number }[] = [];
  const further: { visit: number; at: number }[] = [];
  for (const [at, step] of paths.steps().entries()) {
    const visit = visits.of(step);
    if (visit === -1) continue;
    const { id } = visits.unit(visit);
    const list = seen.has(id) ? further : first;
    seen.add(id);
    if (list.length < mostNear) list.push({ visit, at });
  }
  const near = new Map<number, number[]>();
  for (const { visit, at } of [...first, ...further].slice(0, mostNear)) {
    if (!hidden.has(visit)) near.set(visit, [...(near.get(visit) ?? []), at]);
  }
  return near;
}

/** The number of steps whose data flow is inspected, nearest to the failure first. */
const mostAsked = 2_000;

/** Visits whose value reached an operand of the failed condition by data flow alone. */
function flowingVisits(
  why: Why,
  operandIndex: (step: number) => number | null,
): ReadonlyMap<number, WhyNode["flowsInto"]> {
  const { paths, visits, hidden } = why;
  const flows = new Map<number, { operand: number; near: number }[]>();
  const lines = new Set<string>();
  for (const [near, step] of paths.steps().slice(0, mostAsked).entries()) {
    const visit = visits.of(step);
    if (visit === -1 || hidden.has(visit) || !isMadeOf(why, step)) continue;
    const operand = operandIndex(step);
    if (operand === null) continue;
    // The first execution of a line stands for the others.
    const key = `${operand}:${visits.unit(visit).id}`;
    if (lines.has(key)) continue;
    lines.add(key);
    flows.set(visit, [...(flows.get(visit) ?? []), { operand, near }]);
  }
  return flows;
}

/** The first operand that the way from a step to the root reaches, as a function of the step. */
function operandIndexes({ root, paths }: Why): (step: number) => number | null {
  const { operands } = root;
  const first = paths.along<number>((step, next) => {
    const own = operands.findIndex(({ writers }) => writers.has(step));
    return Math.min(own === -1 ? operands.length : own, next ?? operands.length);
  });
  return (step) => {
    const index = first(step);
    return index === operands.length ? null : index;
  };
}

/** True if the step's value reached the failing one by data flow alone. */
function isMadeOf({ paths, visits }: Why, step: number): boolean {
  let from = step;
  return paths.walk(step, (to, kind) => {
    const isValue = kind === "data" || visits.of(to) === visits.of(from);
    from = to;
    return isValue;
  });
}

/** The visits from a step to the root, its own first, without those that only pass on a value. */
function wayOf(why: Why, step: number): readonly number[] {
  const { visits, paths, hidden } = why;
  const way = paths.path(step).map((hop) => visits.of(hop.step));
  const isTold = (visit: number) => visit !== -1 && !hidden.has(visit) && !isHandedOn(why, visit);
  return [visits.of(step), ...endsOfMany(visits, way.filter(isTold))];
}

/** The number of executions at each end that represent a repeated line. */
const mostAtEnd = 16;

function endsOfMany(visits: Visits, way: readonly number[]): readonly number[] {
  if (way.length <= 2 * mostAtEnd) return way;
  const byUnit = new Map<number, number[]>();
  for (const visit of way) {
    const { id } = visits.unit(visit);
    remembered(byUnit, id, () => []).push(visit);
  }
  const kept = new Set<number>();
  for (const group of byUnit.values()) {
    for (const visit of [...group.slice(0, mostAtEnd), ...group.slice(-mostAtEnd)]) kept.add(visit);
  }
  return way.filter((visit) => kept.has(visit));
}

/** Adds the calls that led to the visits, in the order of the run. */
function withCallers({ graph, visits, hidden }: Why, told: readonly number[]): readonly number[] {
  const chosen = new Set(told.filter((visit) => visit !== -1 && !hidden.has(visit)));
  for (const visit of chosen) {
    const call = graph.callOf(graph.activation(visits.first(visit)));
    const caller = call === null || call < graph.first ? -1 : visits.of(call);
    if (caller !== -1 && !hidden.has(caller)) chosen.add(caller);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** The context of the last visits that were described: with a proof, the same ones are described again. */
const described = new WeakMap<Why, { readonly chosen: readonly number[]; readonly context: RenderContext }>();

function contextOf(why: Why, chosen: readonly number[]): RenderContext {
  const known = described.get(why);
  if (known?.chosen.length === chosen.length && known.chosen.every((visit, i) => visit === chosen[i]))
    return known.context;
  const context = createContext(why, chosen);
  described.set(why, { chosen, context });
  return context;
}

function createContext({ graph, visits, root, paths }: Why, chosen: readonly number[]): RenderContext {
  const compared = root.operands.flatMap((operand) => comparingStep(graph, operand) ?? []);
  const steps = [...root.operands.map(({ step }) => step), ...compared, ...chosen.flatMap(visits.steps)];
  const memory = memoryAtSteps(graph, [...new Set(steps)]);
  const styles = literalStyles(graph.trace.program);
  return {
    graph,
    visits,
    styles,
    memory,
    wording: createWording(graph, styles, memory),
    matters: (step) => paths.cost(step) !== null,
  };
}

function questionsOf(why: Why, context: RenderContext) {
  const order = [...(why.root.death === null ? [] : ["death" as const]), ...why.root.operands, null];
  const used = new Map<Operand | "death" | null, number>();
  const texts = order.map((about) => {
    used.set(about, used.size);
    if (about === null) return "why it came to this";
    if (about === "death") return "why it was freed there";
    const value = operandValue(context, about);
    const text = context.wording.text(about.step, about.expression);
    if (value === unnamed) return `where ${text} comes from`;
    return value === null ? `why ${text} has no value` : `why ${text} is ${value}`;
  });
  const about = questionsByVisit(why);
  return { texts, of: (visit: number) => present(used.get(about(visit))) };
}

/** The part of the root that a visit affected; null if it only caused the root's execution. */
function questionsByVisit({ visits, paths, root }: Why): (visit: number) => Operand | "death" | null {
  type End = { readonly last: number; readonly nearest: Operand | null };
  const endOf = paths.along<End>((step, next) => ({
    last: next?.last ?? step,
    nearest: next?.nearest ?? root.operands.find(({ writers }) => writers.has(step)) ?? null,
  }));
  return (visit) => {
    const step = visits.steps(visit).find((each) => paths.cost(each) !== null);
    if (step === undefined) return root.operands[0] ?? null;
    const { last, nearest } = endOf(step);
    return last === root.death ? "death" : nearest;
  };
}

function depthOf(graph: DependenceGraph, step: number): number {
  let depth = 0;
  for (let at: number | null = step; at !== null; depth++) {
    if (at < graph.first) break;
    at = graph.callOf(graph.activation(at));
  }
  return depth - 1;
}

function doesSomething({ operation: { kind } }: Edge): boolean {
  return kind !== "assume" && kind !== "skip" && kind !== "declare";
}

/** True for `return x;`, which passes on a value that other lines show. */
function isHandedOn({ graph, visits }: Why, visit: number): boolean {
  if (visits.unit(visit).kind !== "return") return false;
  return visits.steps(visit).every((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind !== "return" || operation.value === null) return false;
    let { value } = operation;
    while (value.kind === "convert" && !value.explicit) value = value.operand;
    const id = value.kind === "variable" ? value.variable : value.kind === "load" ? namedBy(value.address) : null;
    const variable = id === null ? undefined : graph.trace.program.variables[id];
    return variable !== undefined && !variable.madeUp && variable.partOf === undefined;
  });
}

function namedBy(address: Expression): number | null {
  return address.kind === "addressOf" && address.object.kind === "variable" ? address.object.variable : null;
}

const edgeKinds: Readonly<Record<HopKind, WhyEdge["kind"]>> = {
  data: "data",
  control: "control",
  address: "identity",
  omission: "omission",
};

/** The next node on the shortest way to the root; null if the visit does not lead there. */
function nextOf(
  { visits, paths }: Why,
  visit: number,
  ids: ReadonlyMap<number, number>,
): NonNullable<WhyNode["next"]> | null {
  const step = visits.steps(visit).find((each) => paths.cost(each) !== null);
  if (step === undefined) return null;
  let edge: WhyEdge["kind"] | null = null;
  let node: number | null = null;
  paths.walk(step, (to, kind) => {
    const other = visits.of(to);
    if (other === visit) return true;
    edge ??= edgeKinds[kind];
    node = ids.get(other) ?? null;
    return node === null;
  });
  return { node, edge: edge ?? "control" };
}

/** All dependences between two nodes, and of the failure on a node, each once. */
function edgesOf(why: Why, chosen: readonly number[], ids: ReadonlyMap<number, number>): readonly WhyEdge[] {
  const { graph, visits, root } = why;
  const edges = new Map<string, WhyEdge>();
  const add = (source: number, to: number | null, kind: WhyEdge["kind"]) => {
    const from = source < graph.first ? undefined : ids.get(visits.of(source));
    if (from !== undefined && from !== to) edges.set(`${from} ${to} ${kind}`, { from, to, kind });
  };
  const addSources = (step: number, part: number, to: number | null) =>
    graph.visitDependences(step, part, (source, _, kind) => add(source, to, edgeKinds[kind]));
  for (const [to, visit] of chosen.entries()) {
    for (const step of visits.steps(visit)) addSources(step, 0, to);
    const call = graph.callOf(graph.activation(visits.first(visit)));
    if (call !== null) add(call, to, "call");
  }
  for (const { step, part } of root.events) addSources(step, part, null);
  if (root.death !== null) add(root.death, null, "identity");
  for (const { condition, affects } of why.omissions) {
    const to = ids.get(visits.of(affects));
    if (to !== undefined) add(condition, to, "omission");
    else if (why.hidden.has(visits.of(affects))) add(condition, null, "omission");
  }
  return [...edges.values()];
}
