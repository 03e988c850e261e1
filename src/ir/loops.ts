import { nth, present } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf } from "./controlFlow.ts";
import { dominatorsOf } from "./dominators.ts";
import type { Edge, Function, LocationId } from "./program.ts";

/** A natural loop: a header that dominates the sources of its back edges. Loops with the same header are one loop. */
export type Loop = {
  /** Index in `LoopForest.loops`; outer loops have smaller indices than those inside. */
  readonly index: number;
  readonly header: LocationId;
  readonly body: ReadonlySet<LocationId>;
  readonly backEdges: readonly Edge[];
  readonly exits: readonly Edge[];
  readonly parent: Loop | null;
  /** 1 for an outermost loop. */
  readonly depth: number;
};

export type LoopForest = {
  /** Ordered by the header's position in reverse postorder. */
  readonly loops: readonly Loop[];
  innermost(location: LocationId): Loop | null;
  loopWithHeader(location: LocationId): Loop | null;
  /** Edges that enter a cycle other than through a dominating header (jumps into loops). */
  readonly irreducible: readonly Edge[];
};

export const loopsOf = memoised((fn: Function): LoopForest => findLoops(fn));

function findLoops(fn: Function): LoopForest {
  const { incoming, order, outgoing } = controlFlowOf(fn);
  const { dominates } = dominatorsOf(fn);
  const backEdges = new Map<LocationId, Edge[]>();
  const irreducible: Edge[] = [];
  for (const edge of fn.edges) {
    if (order[edge.from] === -1 || order[edge.from]! < order[edge.to]!) continue;
    if (!dominates(edge.to, edge.from)) {
      irreducible.push(edge);
      continue;
    }
    const known = backEdges.get(edge.to);
    if (known === undefined) backEdges.set(edge.to, [edge]);
    else known.push(edge);
  }

  const loops: Loop[] = [];
  const byHeader = new Map<LocationId, Loop>();
  const innermost: (Loop | null)[] = new Array(fn.locations).fill(null);
  const headers = [...backEdges.keys()].sort((a, b) => order[a]! - order[b]!);
  for (const header of headers) {
    const edges = present(backEdges.get(header));
    const body = naturalLoopBody(header, edges, incoming, order);
    // In reverse postorder, so the loops around this header are known.
    const parent = innermost[header]!;
    const exits: Edge[] = [];
    for (const location of body) for (const edge of nth(outgoing, location)) if (!body.has(edge.to)) exits.push(edge);
    exits.sort((a, b) => a.id - b.id);
    const loop: Loop = {
      index: loops.length,
      header,
      body,
      backEdges: edges,
      exits,
      parent,
      depth: parent === null ? 1 : parent.depth + 1,
    };
    loops.push(loop);
    byHeader.set(header, loop);
    for (const location of body) innermost[location] = loop;
  }
  return {
    loops,
    innermost: (location) => innermost[location] ?? null,
    loopWithHeader: (location) => byHeader.get(location) ?? null,
    irreducible,
  };
}

/** All locations that reach a back edge without passing the header. */
function naturalLoopBody(
  header: LocationId,
  backEdges: readonly Edge[],
  incoming: readonly (readonly Edge[])[],
  order: Int32Array,
): Set<LocationId> {
  const body = new Set<LocationId>([header]);
  const work = backEdges.map((edge) => edge.from);
  while (work.length > 0) {
    const location = present(work.pop());
    if (body.has(location) || order[location] === -1) continue;
    body.add(location);
    for (const edge of nth(incoming, location)) work.push(edge.from);
  }
  return body;
}

/** The range to show for a loop: its condition, or the first operation of an iteration. */
export function loopRange(fn: Function, loop: Loop): SourceRange {
  const isTest = ({ operation }: Edge) =>
    operation.kind === "assume" && (operation.origin === "loop" || operation.origin === "shortCircuit");
  const leaving = nth(controlFlowOf(fn).outgoing, loop.header);
  const test = leaving.find(isTest) ?? loop.backEdges.find(isTest);
  return (test ?? nth(leaving, 0)).range;
}
