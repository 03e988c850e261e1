import { libraryFunction } from "../../c/library/table.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { makePointer, offsetOf } from "../../interpreter/memory/pointer.ts";
import type { Edge } from "../../ir/program.ts";
import { type PointerType, sizeOf, type Type } from "../../ir/type.ts";
import type { BlockName } from "../../symbolic/placeStyle.ts";

/**
 * A block by where it comes from: `the job`; `the 3rd job`, where one place has allocated several; `the 3rd job of push` where
 * several functions have allocated blocks, `the 3rd job of main:20` where one function has in several places.
 */
export function heapName(graph: DependenceGraph, pointer: number, type: PointerType): string | null {
  const born = graph.birth(pointer);
  if (born === null || born < graph.first) return null;
  const edge = graph.edge(born);
  const sites = allocationsOf(graph);
  const siblings = sites.get(edge);
  if (siblings === undefined) return null;
  const to = type.to.kind === "void" ? (madeFor(graph, born) ?? type.to) : type.to;
  const noun = to.kind === "struct" ? to.name.replace(/^(struct|union) /, "").replace(/<.*/, "block") : "block";
  const which = siblings.length === 1 ? "the" : `the ${ordinal(siblings.indexOf(born) + 1)}`;
  const name = `${which} ${noun}${siteOf(graph, born, sites)}`;
  const offset = offsetOf(pointer);
  if (offset === 0) return name;
  const size = to.kind === "void" ? 1 : sizeOf(to, graph.trace.program.pointerBytes);
  return size !== null && size > 0 && offset % size === 0 ? `${name}[${offset / size}]` : `${name} + ${offset} bytes`;
}

/** What the pointer to a new block was assigned as. */
function madeFor(graph: DependenceGraph, born: number): Type | null {
  const { variables } = graph.trace.program;
  const last = Math.min(graph.end - 1, born + soon);
  for (let step = born; step <= last; step++) {
    const { operation } = graph.edge(step);
    const target = "target" in operation ? operation.target : null;
    const type = operation.kind === "store" ? operation.type : target === null ? null : variables[target]!.type;
    const isIt = graph.value(step) === graph.value(born);
    if (isIt && type?.kind === "pointer" && type.to.kind !== "void") return type.to;
  }
  return null;
}

/** In steps. */
const soon = 4;

/** As much of the place as tells it from the others. */
function siteOf(graph: DependenceGraph, born: number, sites: Allocations): string {
  if (sites.size === 1) return "";
  const { name } = graph.function(born);
  const inFunction = [...sites].filter(([, steps]) => graph.function(steps[0]!).name === name);
  if (inFunction.length === 1) return ` of ${name}`;
  return ` of ${name}:${graph.edge(born).range.line}`;
}

/** By place, the steps that allocated. */
type Allocations = ReadonlyMap<Edge, readonly number[]>;

const cache = new WeakMap<DependenceGraph, Allocations>();

function allocationsOf(graph: DependenceGraph): Allocations {
  let sites = cache.get(graph);
  if (sites !== undefined) return sites;
  const found = new Map<Edge, number[]>();
  for (let step = graph.first; step < graph.end; step++) {
    const edge = graph.edge(step);
    const { operation } = edge;
    if (operation.kind !== "callLibrary" || libraryFunction(operation.name).allocates === null) continue;
    const steps = found.get(edge);
    if (steps === undefined) found.set(edge, [step]);
    else steps.push(step);
  }
  sites = found;
  cache.set(graph, sites);
  return sites;
}

const anyBlock: PointerType = { kind: "pointer", to: { kind: "void" } };

/** What the blocks of a run are called, by their numbers. */
export function blockNames(graph: DependenceGraph): BlockName {
  const names = new Map<number, string | null>();
  return (number) => {
    let name = names.get(number);
    if (name === undefined) {
      // Blocks that no recorded run has are negative.
      name = number < 0 ? null : heapName(graph, makePointer(number, 0), anyBlock);
      names.set(number, name);
    }
    return name;
  };
}

export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${suffix}`;
}
