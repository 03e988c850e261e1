import type { SourceRange } from "../../base/sourceRange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { BinaryOperator, ComparisonOperator } from "../../ir/expression.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { rangeOfPlace } from "./executedPlaces.ts";
import type { Connective, SwappedArguments } from "./proposeEdits.ts";

type PlaceOf<K extends VariedPlace["kind"]> = Extract<VariedPlace, { readonly kind: K }>;

/** A change of the program at one place, for all its visits. `number` is its index in `VariedPlaces`. */
export type Edit =
  | {
      readonly kind: "comparison";
      readonly number: number;
      readonly place: PlaceOf<"comparison">;
      readonly to: ComparisonOperator;
    }
  | {
      readonly kind: "truth";
      readonly number: number;
      readonly place: PlaceOf<"condition">;
      readonly to: "negated" | "true" | "false";
    }
  | {
      readonly kind: "constant";
      readonly number: number;
      readonly place: PlaceOf<"constant">;
      readonly to: ScalarValue;
    }
  | {
      readonly kind: "operator";
      readonly number: number;
      readonly place: PlaceOf<"operator">;
      readonly to: BinaryOperator;
    }
  | {
      readonly kind: "value";
      readonly number: number;
      readonly place: PlaceOf<"value">;
      readonly to: ValueChange;
    }
  /** Reads another variable; `to` is its index among the similar ones. */
  | { readonly kind: "variable"; readonly number: number; readonly place: PlaceOf<"variable">; readonly to: number }
  /** A `switch` treats one value like another. */
  | {
      readonly kind: "case";
      readonly number: number;
      readonly place: PlaceOf<"value">;
      readonly from: ScalarValue;
      readonly to: ScalarValue;
    }
  | { readonly kind: "skip"; readonly number: number; readonly place: PlaceOf<"statement"> }
  | { readonly kind: "connective"; readonly connective: Connective }
  /** Swaps the operands. */
  | { readonly kind: "order"; readonly number: number; readonly place: PlaceOf<"operator"> }
  | { readonly kind: "arguments"; readonly swap: SwappedArguments };

export type ValueChange = "plus one" | "minus one" | "zero" | "one" | "negated";

/** The size of an edit: smaller ones are likelier slips. */
export type EditSize = 0 | 1 | 2 | 3;

const neighbours: ReadonlySet<string> = new Set(["< <=", "<= <", "> >=", ">= >"]);

export function editSize(edit: Edit): EditSize {
  switch (edit.kind) {
    case "comparison":
      return neighbours.has(`${edit.place.expression.operator} ${edit.to}`) ? 0 : 1;
    case "constant":
      return Math.abs(Number(edit.to) - Number(edit.place.expression.value)) === 1 ? 0 : 1;
    case "operator":
    case "connective":
    case "case":
      return 1;
    case "truth":
      return edit.to === "negated" ? 1 : 3;
    case "variable":
    case "order":
    case "arguments":
      return 2;
    case "value":
      return edit.to === "plus one" || edit.to === "minus one" ? 1 : 2;
    case "skip":
      return 3;
  }
}

export type EditSite = {
  readonly function: Function;
  readonly edges: readonly Edge[];
  readonly range: SourceRange;
};

export function siteOfEdit(edit: Edit): EditSite {
  switch (edit.kind) {
    case "connective": {
      const { function: fn, left } = edit.connective;
      return { function: fn, edges: [left], range: left.range };
    }
    case "arguments": {
      const { function: fn, call, range } = edit.swap;
      return { function: fn, edges: [call], range };
    }
    default: {
      const { place } = edit;
      const edges = place.kind === "statement" ? place.edges : [place.edge];
      return { function: place.function, edges, range: rangeOfPlace(place) };
    }
  }
}

export type Rewriting = Extract<Edit, { readonly kind: "connective" | "arguments" }>;

export function isRewriting(edit: Edit): edit is Rewriting {
  return edit.kind === "connective" || edit.kind === "arguments";
}

export function rewrittenBy(edit: Rewriting, program: Program): Program {
  return edit.kind === "connective" ? edit.connective.rewritten(program) : edit.swap.rewritten(program);
}

/**
 * The order in which edits are tried, for runs that are too long to try all: small ones first, then by distance of the
 * place to the failure. Places that the failure does not depend on, constants far from the original, table entries, and
 * expensive edits come later.
 */
export function inOrderOfPromise(graph: DependenceGraph, slice: Slice, edits: readonly Edit[]): readonly Edit[] {
  const distances = distancesOfLocations(graph, slice);
  const { initializer, functions } = graph.trace.program;
  // A rewritten program must be compiled, which costs as much as many re-runs if it is large.
  const compiling = functions.reduce((edges, fn) => edges + fn.edges.length, 0) / largeProgram;
  const keyed = edits.map((edit, i) => {
    const { function: fn, edges } = siteOfEdit(edit);
    const near = edges.map(({ from }) => distances.get(locationKey(fn, from)) ?? Number.POSITIVE_INFINITY);
    const distance = Math.min(...near);
    const isTable = fn.id === initializer;
    const effort =
      editSize(edit) +
      (distance === Number.POSITIVE_INFINITY ? outside : 0) +
      (isFarConstant(edit) ? farConstant : 0) +
      (isTable ? table : 0) +
      (isRewriting(edit) ? Math.min(compiling, 1.5) : 0);
    return { edit, effort, distance, i };
  });
  keyed.sort((a, b) => a.effort - b.effort || (a.distance === b.distance ? a.i - b.i : a.distance - b.distance));
  return keyed.map(({ edit }) => edit);
}

const outside = 1;
const farConstant = 1.5;
const table = 2;
const largeProgram = 3_000;

/** True for a constant that is neither close to the original nor a typical alternative. */
function isFarConstant(edit: Edit): boolean {
  if (edit.kind !== "constant") return false;
  const [own, other] = [Number(edit.place.expression.value), Number(edit.to)];
  return Math.abs(own - other) !== 1 && other !== 0 && other !== 1 && other !== -own;
}

/** The smallest distance of each location in the slice, for both outcomes of a branch. */
function distancesOfLocations(graph: DependenceGraph, slice: Slice): ReadonlyMap<number, number> {
  const byEdge = slice.distances();
  const distances = new Map<number, number>();
  for (const fn of graph.trace.program.functions) {
    for (const edge of fn.edges) {
      const distance = byEdge.get(edge);
      const key = locationKey(fn, edge.from);
      if (distance !== undefined && distance < (distances.get(key) ?? Number.POSITIVE_INFINITY)) {
        distances.set(key, distance);
      }
    }
  }
  return distances;
}

function locationKey(fn: Function, location: number): number {
  return fn.id * 2 ** 20 + location;
}
