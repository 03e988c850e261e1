import type { PrintValue } from "../../analyses/counterfactual/describeChange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Edge } from "../../ir/program.ts";
import type { Because, Failure, Rounds, Row, Section } from "../explanation.ts";
import { collapse, type Line } from "./collapse.ts";
import { describeFailure, operandValue } from "./describeFailure.ts";
import { describeVisit } from "./describeVisit.ts";
import { literalStyles } from "./literalStyles.ts";
import { lookAt } from "./look.ts";
import { type Operand, type Root, rootOf } from "./root.ts";
import { selectVisits, type Wish } from "./selectVisits.ts";
import type { Telling } from "./telling.ts";
import { valuePrinter } from "./valuePrinter.ts";
import { type Visits, visitsOf } from "./visits.ts";
import { type Omission, type RootEvent, type WhyPaths, whyPaths } from "./whyPaths.ts";
import { createWording } from "./wording.ts";

/** What a chain of whys is made from, before anything is chosen. */
export type Why = {
  readonly graph: DependenceGraph;
  readonly visits: Visits;
  readonly root: Root;
  readonly paths: WhyPaths;
  /** Visits that the head shows already. */
  readonly hidden: ReadonlySet<number>;
};

export function whyOf(graph: DependenceGraph, omissions: readonly Omission[] = []): Why {
  const visits = visitsOf(graph);
  const root = rootOf(graph);
  const paths = whyPaths(graph, visits, rootEvents(root), omissions);
  const hidden = new Set(root.events.map(({ step }) => visits.of(step)));
  return { graph, visits, root, paths, hidden };
}

/** Of an object that was used after its end, the end is the point; which object it was matters less. */
const identityCost = 6;

/** Why these bytes were asked for comes before where they came from. */
const bornCost = 2;

/** The condition that chose a text is where its whys begin. */
const chosenCost = 1;

/** What was not printed comes behind why the wrong thing was. */
const missedCost = 5;

function rootEvents({ events, death, birth, choice, failure }: Root): readonly RootEvent[] {
  const missed = "missed" in failure ? (failure.missed ?? []) : [];
  if (birth !== null) return [...events, { step: birth, part: 0, cost: bornCost }];
  const chosen = choice === null ? [] : [{ step: choice, part: 0, cost: chosenCost }];
  if (death === null) return [...events, ...chosen, ...missed.map((step) => ({ step, part: 0, cost: missedCost }))];
  return [{ step: death, part: 0 }, ...events.map((event) => ({ ...event, cost: identityCost }))];
}

export type ToldWhy = {
  readonly sections: readonly Section[];
  readonly left: number;
  readonly failure: Failure;
  /** By row, the steps that it tells. */
  readonly steps: ReadonlyMap<number, readonly number[]>;
  /** A value as the source writes it. */
  readonly print: PrintValue;
};

/** The chosen part of a chain of whys, told. */
export function tellWhy(why: Why, wishes: readonly Wish[], mostLines: number): ToldWhy {
  const { graph, visits, paths, hidden, root } = why;
  const marked = new Set(wishes.filter(({ withPath }) => withPath).map(({ step }) => visits.of(step)));
  const order = (chosen: Iterable<number>) => [...chosen].sort((a, b) => visits.first(a) - visits.first(b));
  const sectionsOf = (lines: readonly Line[]) => new Set(lines.map(({ visit }) => sectionOf(why, visit))).size;
  const room = {
    most: mostLines,
    lines(chosen: ReadonlySet<number>) {
      const lines = collapse(visits, order(chosen), marked);
      return lines.length + sectionsOf(lines) - 1;
    },
  };
  const selection = selectVisits(graph, visits, paths, wishes, hidden, room);
  const lines = collapse(visits, selection.visits, marked).filter((line, _, all) => !isRepeated(why, line, all));
  const shown = [
    ...root.operands.map(({ step }) => step),
    ...lines.flatMap(({ visit, before }) => [visit, ...before].flatMap(visits.steps)),
  ];
  const look = lookAt(graph, [...new Set(shown)]);
  const styles = literalStyles(graph.trace.program);
  const telling: Telling = {
    graph,
    visits,
    styles,
    look,
    wording: createWording(graph, styles, look),
    matters: (step) => paths.cost(step) !== null,
  };
  return {
    sections: tellSections(why, telling, lines),
    left: selection.left,
    failure: describeFailure(telling, root),
    print: valuePrinter(styles),
    steps: new Map(lines.map(({ visit, before }, id) => [id, [visit, ...before].flatMap(visits.steps)])),
  };
}

/** Of a loop that is shown with the round that matters, that it had others which wrote nothing is no news. */
function isRepeated({ graph, visits }: Why, { visit, before }: Line, all: readonly Line[]): boolean {
  const unit = visits.unit(visit);
  if (before.length === 0 || unit.kind !== "loop" || !all.some((line) => isOther(visits, line, visit))) return false;
  const writes = ({ operation: { kind } }: Edge) => kind !== "assume" && kind !== "skip" && kind !== "declare";
  return !visits.steps(visit).some((step) => writes(graph.edge(step)));
}

function isOther(visits: Visits, line: Line, visit: number): boolean {
  return line.visit !== visit && visits.unit(line.visit) === visits.unit(visit);
}

function tellSections(why: Why, telling: Telling, lines: readonly Line[]): readonly Section[] {
  const ids = new Map(lines.map((line, id) => [line.visit, id]));
  for (const [id, { before }] of lines.entries()) for (const visit of before) ids.set(visit, id);
  const sections = new Map<Operand | "death" | null, Row[]>();
  for (const [id, line] of lines.entries()) {
    const about = sectionOf(why, line.visit);
    const rows = sections.get(about) ?? [];
    rows.push(tellRow(why, telling, line, id, ids));
    sections.set(about, rows);
  }
  const order = ["death" as const, ...why.root.operands, null];
  return order.flatMap((about) => {
    const rows = sections.get(about);
    return rows === undefined ? [] : [{ question: question(telling, about), rows }];
  });
}

function question(telling: Telling, about: Operand | "death" | null): string {
  if (about === null) return "why it came to this";
  if (about === "death") return "why it was freed there";
  const value = operandValue(telling, about);
  const text = telling.wording.text(about.step, about.expression);
  return value === null ? `why ${text} has no value` : `why ${text} is ${value}`;
}

/** Through which part of the root a visit mattered; null where it only had the root executed. */
function sectionOf({ visits, paths, root }: Why, visit: number): Operand | "death" | null {
  const step = visits.steps(visit).find((each) => paths.cost(each) !== null);
  if (step === undefined) return root.operands[0] ?? null;
  const way = [step, ...paths.path(step).map((hop) => hop.step)];
  if (root.death !== null && way.at(-1) === root.death) return "death";
  for (const passed of way.toReversed()) {
    const operand = root.operands.find(({ writers }) => writers.has(passed));
    if (operand !== undefined) return operand;
  }
  return null;
}

function tellRow(why: Why, telling: Telling, line: Line, id: number, ids: ReadonlyMap<number, number>): Row {
  const { graph, visits } = why;
  const { visit, before, count } = line;
  const unit = visits.unit(visit);
  const steps = visits.steps(visit);
  return {
    id,
    ...describeVisit(telling, visit),
    step: steps.at(-1)! + 1,
    depth: depthOf(graph, steps[0]!),
    function: unit.function.name,
    location: unit.range,
    text: unit.text,
    visit: { number: visits.ordinal(visit), of: visits.total(unit) },
    rounds: before.length === 0 ? null : { count, changes: changesOf(telling, [...before, visit]) },
    because: becauseOf(why, visit, ids),
    evidence: "observed",
    facts: [],
    suspect: null,
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

/** What repeated executions of a line wrote. */
function changesOf(telling: Telling, all: readonly number[]): Rounds["changes"] {
  const changes = new Map<string, string[]>();
  for (const visit of all) {
    for (const { role, text, value } of describeVisit(telling, visit).values) {
      if (role === "written") changes.set(text, [...(changes.get(text) ?? []), value]);
    }
  }
  return [...changes].map(([text, values]) => ({ text, values }));
}

/** The next row on the way to the root. */
function becauseOf({ visits, paths }: Why, visit: number, ids: ReadonlyMap<number, number>): readonly Because[] {
  const own = ids.get(visit);
  const step = visits.steps(visit).find((each) => paths.cost(each) !== null);
  if (step === undefined) return [];
  let edge: Because["edge"] | null = null;
  for (const hop of paths.path(step)) {
    const next = visits.of(hop.step);
    if (next === visit) continue;
    edge ??= hop.kind;
    const row = ids.get(next);
    if (row !== undefined && row !== own) return [{ for: row, edge }];
  }
  return [{ for: null, edge: edge ?? "control" }];
}
