import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { UndefinedBehaviour } from "../../ir/operation.ts";
import { printExpression } from "../../ir/printOperation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import { calleesOf, type InlinedNode, isCallEdge } from "../../symbolic/followEdge.ts";

export type ExploreTarget = {
  readonly id: number;
  readonly kind: "assertion" | "error-location" | "undefined-behaviour" | "line" | "branch";
  readonly text: string;
  readonly range: SourceRange;
  /** Reached by following one of these edges; see `edgeKey`. */
  readonly edges: ReadonlySet<string>;
  /** Or by one of these problems, anywhere. */
  readonly problems: ReadonlySet<UndefinedBehaviour>;
};

export function edgeKey(fn: number, edge: number): string {
  return `${fn}:${edge}`;
}

export type Goal =
  | { readonly kind: "property"; readonly properties: readonly ExploreProperty[] }
  | { readonly kind: "reach"; readonly file: string | null; readonly line: number }
  | { readonly kind: "cover"; readonly unit: "lines" | "branches" };

export const properties = ["assertions", "overflow", "division", "shift", "undefined"] as const;
export type ExploreProperty = (typeof properties)[number];

/** Kinds of undefined behaviour that symbolic execution detects completely. */
const decided: Readonly<Record<Exclude<ExploreProperty, "assertions" | "undefined">, readonly UndefinedBehaviour[]>> = {
  overflow: ["signed-overflow"],
  division: ["division-by-zero"],
  shift: ["bad-shift"],
};

/** Kinds that runs detect, but whose absence a state does not show. */
const metByRuns: readonly UndefinedBehaviour[] = [
  ...(["float-conversion", "out-of-bounds-read", "out-of-bounds-write", "index-out-of-bounds"] as const),
  ...(["null-dereference", "invalid-pointer", "use-after-free", "use-after-scope", "double-free"] as const),
  ...(["invalid-free", "uninitialised-read", "write-to-literal", "bad-call", "missing-return-value"] as const),
  ...(["invalid-value", "pointer-arithmetic", "pointer-comparison", "overlapping-copy", "array-length"] as const),
  ...(["library-argument", "unreachable", "misaligned-access"] as const),
];

/** True if a complete tree can show that no run reaches the target. */
export function isDecidable({ problems }: ExploreTarget): boolean {
  return !metByRuns.some((problem) => problems.has(problem));
}

/** Assertions and error locations if the program has any, otherwise all undefined behaviour. */
export function defaultProperties(program: Program): readonly ExploreProperty[] {
  const has = program.functions.some(({ edges }) => edges.some(isError));
  return has ? ["assertions"] : ["undefined"];
}

function isError({ operation }: Edge): boolean {
  return operation.kind === "fail" && (operation.reason === "assertion" || operation.reason === "error-location");
}

export function targetsOf(program: Program, goal: Goal): readonly ExploreTarget[] {
  const found: Omit<ExploreTarget, "id">[] = [];
  if (goal.kind === "property") {
    if (goal.properties.includes("assertions")) found.push(...errorTargets(program));
    found.push(...undefinedTargets(program, goal.properties));
  } else found.push(...placeTargets(program, goal));
  return found.toSorted(byPlace).map((target, id) => ({ ...target, id }));
}

function byPlace({ range: a }: Omit<ExploreTarget, "id">, { range: b }: Omit<ExploreTarget, "id">): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

const nothing: Pick<ExploreTarget, "problems"> = { problems: new Set() };

function errorTargets(program: Program): Omit<ExploreTarget, "id">[] {
  return program.functions.flatMap((fn) =>
    fn.edges.flatMap((edge) => {
      const { operation, range } = edge;
      if (operation.kind !== "fail" || !isError(edge)) return [];
      const kind = operation.reason === "assertion" ? ("assertion" as const) : ("error-location" as const);
      return [{ kind, text: operation.text, range, edges: new Set([edgeKey(fn.id, edge.id)]), ...nothing }];
    }),
  );
}

function undefinedTargets(program: Program, wanted: readonly ExploreProperty[]): Omit<ExploreTarget, "id">[] {
  const { range } = nth(program.functions, program.entry);
  const make = (text: string, problems: readonly UndefinedBehaviour[]) => ({
    kind: "undefined-behaviour" as const,
    text,
    range,
    edges: new Set<string>(),
    problems: new Set(problems),
  });
  const all = wanted.includes("undefined");
  const groups = Object.entries(decided).filter(([name]) => all || wanted.includes(name as ExploreProperty));
  const targets = groups.map(([name, problems]) => make(name, problems));
  return all ? [...targets, make("other undefined behaviour", metByRuns)] : targets;
}

function placeTargets(program: Program, goal: Goal & { kind: "reach" | "cover" }): Omit<ExploreTarget, "id">[] {
  const byKey = new Map<string, Omit<ExploreTarget, "id"> & { edges: Set<string> }>();
  for (const fn of program.functions) {
    if (fn.id === program.initializer) continue;
    for (const edge of fn.edges) {
      const place = placeOf(program, edge, goal);
      if (place === null) continue;
      const known = byKey.get(place.key);
      if (known !== undefined) known.edges.add(edgeKey(fn.id, edge.id));
      else {
        const edges = new Set([edgeKey(fn.id, edge.id)]);
        byKey.set(place.key, { kind: place.kind, text: place.text, range: edge.range, edges, ...nothing });
      }
    }
  }
  return [...byKey.values()];
}

type TargetPlace = { readonly key: string; readonly kind: "line" | "branch"; readonly text: string };

function placeOf(program: Program, edge: Edge, goal: Goal & { kind: "reach" | "cover" }): TargetPlace | null {
  const { range } = edge;
  const line = { key: `${range.file}:${range.line}`, kind: "line" as const, text: `line ${range.line}` };
  if (goal.kind === "reach") return range.line === goal.line && isFile(range.file, goal.file) ? line : null;
  if (goal.unit === "lines") return line;
  if (!isBranch(edge)) return null;
  const { operation } = edge;
  const way =
    operation.kind === "assume"
      ? `${printExpression(program, operation.condition)} is ${operation.negated ? "false" : "true"}`
      : `case ${operation.values?.map(([low]) => low).join(", ") ?? "default"}`;
  return { key: `${range.file}:${range.line}:${range.column}:${edge.id}`, kind: "branch", text: way };
}

/** `--reach main.c:3` matches the end of the path. */
function isFile(path: string, wanted: string | null): boolean {
  return wanted === null || path === wanted || path.endsWith(`/${wanted}`);
}

export type Relevance = (node: InlinedNode) => boolean;

export function relevanceOf(program: Program, targets: readonly ExploreTarget[]): Relevance {
  if (targets.some(({ problems }) => problems.size > 0)) return () => true;
  const wanted = new Set(targets.flatMap(({ edges }) => [...edges]));
  const reaching = program.functions.map((fn) => new Uint8Array(fn.locations));
  for (let changed = true; changed; ) {
    changed = false;
    for (const fn of program.functions) {
      const marks = nth(reaching, fn.id);
      for (const location of controlFlowOf(fn).reversePostorder.toReversed()) {
        if (marks[location] === 1) continue;
        const leads = nth(controlFlowOf(fn).outgoing, location).some(
          (edge) =>
            wanted.has(edgeKey(fn.id, edge.id)) ||
            (edge.operation.kind !== "fail" && marks[edge.to] === 1) ||
            (isCallEdge(edge) &&
              calleesOf(program, edge).some((callee) => nth(reaching, callee.id)[callee.entry] === 1)),
        );
        if (!leads) continue;
        marks[location] = 1;
        changed = true;
      }
    }
  }
  const entry = nth(program.functions, program.entry);
  return (node) => {
    if (node.function.id === program.initializer) return nth(reaching, entry.id)[entry.entry] === 1;
    if (nth(reaching, node.function.id)[node.location] === 1) return true;
    for (let { context } = node; context !== null; context = context.caller.context) {
      if (nth(reaching, context.caller.function.id)[context.edge.to] === 1) return true;
    }
    return false;
  };
}
