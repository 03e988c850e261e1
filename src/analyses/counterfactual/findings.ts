import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { byPromise } from "../../changes/kinds.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import type { Function } from "../../ir/program.ts";
import { isOfLibrary } from "../../ir/reservedNames.ts";
import { contentOfLines, type Examined, lineKey, noContent, suspectOrder } from "./evidence.ts";
import { type Level, levelRank } from "./experimentRunner.ts";
import type { Omission } from "./omissions.ts";
import type { SuspectedLine, TriedChange, WhatIfOf } from "./suspect.ts";
import { isInTest, testOracles } from "./testCode.ts";

export type Findings = {
  /** Records the effect of a change at a source range. */
  add(fn: Function, range: SourceRange, whatIf: TriedChange): void;
  /** Replaces what is known about a change; null: it does not help after all. */
  confirm(change: WhatIfOf<"change">, confirmed: WhatIfOf<"change"> | null): void;
  /** Sets the lines that each passing run reaches. */
  setCoverage(runs: readonly ReadonlySet<string>[]): void;
  best(kind: "flip" | "value", range: SourceRange): Level;
  suspects(): readonly SuspectedLine[];
};

type FoundChange = { readonly range: SourceRange; readonly whatIf: WhatIfOf<"change"> };

type Line = {
  readonly function: Function;
  range: SourceRange;
  changes: readonly FoundChange[];
  flip: { range: SourceRange; whatIf: WhatIfOf<"flip"> } | null;
  value: { range: SourceRange; whatIf: WhatIfOf<"value"> } | null;
};

/** Other results of the experiments; they may grow meanwhile. */
export type FindingsContext = {
  readonly slice: Slice;
  /** Conditions that prevented a write. */
  readonly omissions: readonly Omission[];
  /** Those that prevented a write to a pointer to a dead object. */
  readonly unlinkings: readonly Omission[];
  /** Changes of a source whose derived value was not updated. */
  readonly stale: readonly Omission[];
};

export function createFindings(
  graph: DependenceGraph,
  environment: () => FindingsContext,
  tests: ReadonlySet<Function>,
  failing: SourceRange | null,
): Findings {
  const lines = new Map<string, Line>();
  const contents = contentOfLines(graph.trace.program);
  // If the test itself fails, its oracles have answered.
  const questions = failing === null ? testOracles(graph.trace.program, tests) : new Set<Function>();
  let coverage: readonly ReadonlySet<string>[] = [];
  const lineAt = (fn: Function, range: SourceRange): Line => {
    return remembered(lines, lineKey(range), () => ({ function: fn, range, changes: [], flip: null, value: null }));
  };
  const examine = (line: Line, place: LinePlace | undefined, omission: Omission | null): Examined => {
    const key = lineKey(line.range);
    return {
      ...bestOf(line),
      function: line.function,
      inTest: isInTest(graph.trace.program, tests, line.function, line.range),
      distance: place?.distance ?? -1,
      lastStep: place?.lastStep ?? -1,
      content: contents.get(key) ?? noContent,
      covered: coverage.filter((run) => run.has(key)).length,
      asked: coverage.length,
      omission,
      ...signsOf(environment(), omission),
      asks: questions.has(line.function),
      failing: failing !== null && key === lineKey(failing),
    };
  };
  const suspects = (): readonly SuspectedLine[] => {
    const { slice, omissions, unlinkings, stale } = environment();
    const places = linePlaces(graph, slice);
    // Of several on a line, the last one counts, and these tell most.
    const omitting = new Map(
      [...omissions, ...unlinkings, ...stale].map((each) => [lineKey(graph.edge(each.condition).range), each]),
    );
    for (const { function: fn, range, distance } of places.values()) {
      // A static initialiser is no line of a function; it counts if the failure depends on it.
      if (fn.id !== graph.trace.program.initializer || distance !== -1) lineAt(fn, range);
    }
    const all = [...lines].map(([key, line]) => examine(line, places.get(key), omitting.get(key) ?? null));
    // Lines without any evidence are suspected only where the program itself is.
    const isProgram = ({ inTest, function: fn }: Examined) => !inTest && fn.id !== graph.trace.program.entry;
    return suspectOrder(all.filter((each) => each.whatIf !== null || each.distance !== -1 || isProgram(each)));
  };
  return {
    add(fn, range, whatIf) {
      const line = lineAt(fn, range);
      if (whatIf.kind === "change") line.changes = [...line.changes, { range, whatIf }];
      else if (whatIf.kind === "flip") {
        const known = line.flip?.whatIf;
        const better = known === undefined || reach(whatIf) > reach(known);
        if (better || (reach(whatIf) === reach(known) && whatIf.distance < known.distance))
          line.flip = { range, whatIf };
      } else if (line.value === null || reach(whatIf) > reach(line.value.whatIf)) line.value = { range, whatIf };
    },
    confirm(change, confirmed) {
      for (const line of lines.values()) {
        line.changes = line.changes.flatMap((found) => {
          if (found.whatIf.change !== change.change) return [found];
          return confirmed === null ? [] : [{ ...found, whatIf: confirmed }];
        });
      }
    },
    setCoverage(runs) {
      coverage = runs;
    },
    best: (kind, range) => lines.get(lineKey(range))?.[kind]?.whatIf.level ?? "same",
    suspects,
  };
}

function signsOf(
  { unlinkings, stale }: FindingsContext,
  omission: Omission | null,
): Pick<Examined, "unlinks" | "stales"> {
  const isIn = (some: readonly Omission[]) => omission !== null && some.includes(omission);
  return { unlinks: isIn(unlinkings), stales: isIn(stale) };
}

/** Passing a check is better than not reaching it. */
function reach({ level, avoids }: TriedChange): number {
  return levelRank[level] - (avoids ? 0.5 : 0);
}

function compareChanges(a: WhatIfOf<"change">, b: WhatIfOf<"change">): number {
  const promise = ({ level, avoids, broken }: WhatIfOf<"change">) =>
    level === "getsPast" ? 3 : broken.length > 0 ? 2 : avoids ? 1 : 0;
  return promise(a) - promise(b) || b.agreement - a.agreement || byPromise(a.change, b.change);
}

function bestOf(line: Line): Pick<SuspectedLine, "range" | "changes" | "change" | "flip" | "value" | "whatIf"> {
  const changes = [...line.changes].sort((a, b) => compareChanges(a.whatIf, b.whatIf));
  const change = changes[0] ?? null;
  // What only keeps the run from the check, or is the expected answer, explains nothing.
  const value = line.value?.whatIf.avoids === true ? null : line.value;
  const told = (change?.whatIf.avoids === true ? null : change) ?? line.flip ?? value;
  return {
    range: told?.range ?? line.range,
    changes: changes.map(({ whatIf }) => whatIf),
    change: change?.whatIf.avoids === true ? null : (change?.whatIf ?? null),
    flip: line.flip?.whatIf ?? null,
    value: line.value?.whatIf ?? null,
    whatIf: told?.whatIf ?? null,
  };
}

type LinePlace = { readonly function: Function; readonly range: SourceRange; distance: number; lastStep: number };

/** The lines of the run's steps: their location, distance to the failure and last execution. */
function linePlaces(graph: DependenceGraph, slice: Slice): ReadonlyMap<string, LinePlace> {
  const places = new Map<string, LinePlace>();
  // Keys are computed once for each edge, not for each step.
  const byEdge: (LinePlace | null | undefined)[] = new Array(graph.edges.length);
  for (let step = graph.first; step < graph.end; step++) {
    const code = graph.code(step);
    let place = byEdge[code];
    if (place === undefined) {
      const { range, operation } = nth(graph.edges, code);
      const fn = graph.function(step);
      const isSilent = operation.kind === "skip" || operation.kind === "declare" || isOfLibrary(fn);
      const key = lineKey(range);
      place = isSilent ? null : (places.get(key) ?? { function: fn, range, distance: -1, lastStep: step });
      byEdge[code] = place;
      if (place !== null) places.set(key, place);
    }
    if (place === null) continue;
    const distance = slice.distance(step);
    place.lastStep = step;
    if (distance !== -1 && (place.distance === -1 || distance < place.distance)) place.distance = distance;
  }
  return places;
}
