import type { SourceRange } from "../../base/sourceRange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import type { Function } from "../../ir/program.ts";
import type { Edit } from "./edit.ts";
import type { Suspect } from "./suspect.ts";
import { compareKeys, suspectKey } from "./suspectOrder.ts";
import type { WhatIf, WhatIfOf } from "./whatIf.ts";

/** What experiments found, line by line; the order of the lines can be asked for at any time. */
export type Findings = {
  /** What a change at a place of the source did. */
  add(fn: Function, range: SourceRange, whatIf: WhatIf): void;
  /** All edits that helped, with their lines; the best lines first. */
  edits(): readonly WhatIfOf<"edit">[];
  /** How many runs that pass an edit breaks is known now. */
  setBroken(edit: WhatIfOf<"edit">, broken: number, asked: number): void;
  best(kind: "flip" | "value", range: SourceRange): number;
  suspects(): readonly Suspect[];
};

type FoundEdit = { readonly range: SourceRange; whatIf: WhatIfOf<"edit"> };

type Line = {
  readonly function: Function;
  range: SourceRange;
  readonly edits: FoundEdit[];
  flip: { range: SourceRange; whatIf: WhatIfOf<"flip"> } | null;
  value: { range: SourceRange; whatIf: WhatIfOf<"value"> } | null;
};

/** `slice` may grow while experiments go on. */
export function createFindings(
  graph: DependenceGraph,
  slice: () => Slice,
  tests: ReadonlySet<Function>,
  failing: SourceRange | null,
): Findings {
  const lines = new Map<string, Line>();
  const byEdit = new Map<Edit, FoundEdit>();
  const key = ({ file, line }: SourceRange) => `${file}:${line}`;
  const lineAt = (fn: Function, range: SourceRange): Line => {
    let line = lines.get(key(range));
    if (line === undefined) {
      line = { function: fn, range, edits: [], flip: null, value: null };
      lines.set(key(range), line);
    }
    return line;
  };
  const suspects = (): readonly Suspect[] => {
    const places = linePlaces(graph, slice());
    for (const { function: fn, range } of places.values()) {
      if (fn.id !== graph.trace.program.initializer) lineAt(fn, range);
    }
    const all = [...lines.values()].map((line): Suspect => {
      const { distance = -1, lastStep = -1 } = places.get(key(line.range)) ?? {};
      return { ...bestOf(line), function: line.function, inTest: tests.has(line.function), distance, lastStep };
    });
    const isFailing = (suspect: Suspect) => failing !== null && key(suspect.range) === key(failing);
    return all
      .filter(({ whatIf, distance, inTest }) => whatIf !== null || distance !== -1 || !inTest)
      .map((suspect) => ({ suspect, key: [isFailing(suspect) ? 0 : 1, ...suspectKey(suspect)] }))
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ suspect }) => suspect);
  };
  return {
    add(fn, range, whatIf) {
      const line = lineAt(fn, range);
      if (whatIf.kind === "edit") {
        const found = { range, whatIf };
        line.edits.push(found);
        byEdit.set(whatIf.edit, found);
      } else if (whatIf.kind === "flip") {
        const known = line.flip?.whatIf;
        const better = known === undefined || whatIf.level > known.level;
        if (better || (whatIf.level === known.level && whatIf.distance < known.distance)) line.flip = { range, whatIf };
      } else if (line.value === null || whatIf.level > line.value.whatIf.level) line.value = { range, whatIf };
    },
    edits: () =>
      suspects().flatMap(({ range }) =>
        lines
          .get(key(range))!
          .edits.map(({ whatIf }) => whatIf)
          .sort(compareEdits),
      ),
    setBroken(whatIf, broken, asked) {
      const found = byEdit.get(whatIf.edit);
      if (found !== undefined) found.whatIf = { ...found.whatIf, broken, asked };
    },
    best: (kind, range) => lines.get(key(range))?.[kind]?.whatIf.level ?? 0,
    suspects,
  };
}

function compareEdits(a: WhatIfOf<"edit">, b: WhatIfOf<"edit">): number {
  const key = ({ broken, level, size }: WhatIfOf<"edit">) => [broken + (level === 1 ? 0.5 : 0), size];
  return compareKeys(key(a), key(b));
}

function bestOf(line: Line): Pick<Suspect, "range" | "edits" | "edit" | "flip" | "value" | "whatIf"> {
  const edits = [...line.edits].sort((a, b) => compareEdits(a.whatIf, b.whatIf));
  const edit = edits[0] ?? null;
  const told = edit ?? line.flip ?? line.value;
  return {
    range: told?.range ?? line.range,
    edits: edits.map(({ whatIf }) => whatIf),
    edit: edit?.whatIf ?? null,
    flip: line.flip?.whatIf ?? null,
    value: line.value?.whatIf ?? null,
    whatIf: told?.whatIf ?? null,
  };
}

type LinePlace = { readonly function: Function; readonly range: SourceRange; distance: number; lastStep: number };

/** The lines of the run's steps: where they begin, how near they are to the failure, when they were last executed. */
function linePlaces(graph: DependenceGraph, slice: Slice): ReadonlyMap<string, LinePlace> {
  const places = new Map<string, LinePlace>();
  for (let step = graph.first; step < graph.end; step++) {
    const { range, operation } = graph.edge(step);
    if (operation.kind === "skip" || operation.kind === "declare") continue;
    const key = `${range.file}:${range.line}`;
    const distance = slice.distance(step);
    const known = places.get(key);
    if (known === undefined) places.set(key, { function: graph.function(step), range, distance, lastStep: step });
    else {
      known.lastStep = step;
      if (distance !== -1 && (known.distance === -1 || distance < known.distance)) known.distance = distance;
    }
  }
  return places;
}
