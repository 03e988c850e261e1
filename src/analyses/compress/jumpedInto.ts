import { nth, present } from "../../base/checked.ts";
import { edgeAt } from "../../interpreter/stepCursor.ts";
import { controlFlowOf, reachableFrom } from "../../ir/controlFlow.ts";
import { type Loop, loopsOf } from "../../ir/loops.ts";
import type { Edge, Function, LocationId } from "../../ir/program.ts";
import type { Activation, Run } from "../../recordedRun/run.ts";

export type JumpedInto = {
  /** The cycle as a loop: its head is its test, otherwise the target of its back edge. */
  readonly loop: Loop;
  /** The entries that do not lead to the loop's start. */
  readonly jumps: readonly Edge[];
};

/** One stay of the run in such a cycle; `visits` are the entry and the arrivals at the head. */
export type JumpedIntoActivation = Pick<Activation, "function" | "loop" | "visits"> & {
  readonly jumps: readonly Edge[];
  /** The number of natural loops of its frame around it. */
  readonly depth: number;
};

/** The run's stays in loops that are jumped into, in order. */
export function jumpedIntoActivations(run: Run): readonly JumpedIntoActivation[] {
  const { program } = run;
  const cycles = new Map(program.functions.map((fn) => [fn.id, jumpedIntoLoops(fn)]));
  if ([...cycles.values()].every((found) => found.length === 0)) return [];
  const found: (JumpedIntoActivation & { visits: number[] })[] = [];
  /** The current stay of each frame. */
  const current = new Map<number, (typeof found)[number]>();
  for (const cursor = run.walk(); cursor.next(); ) {
    const own = present(cycles.get(cursor.function));
    if (own.length === 0) continue;
    const location = edgeAt(program, cursor).from;
    const known = current.get(cursor.activation);
    if (known?.loop.body.has(location)) {
      if (location === known.loop.header) known.visits.push(cursor.step);
      continue;
    }
    current.delete(cursor.activation);
    const cycle = own.find(({ loop }) => loop.body.has(location));
    if (cycle === undefined) continue;
    const fn = nth(program.functions, cursor.function);
    const entered = { ...cycle, function: fn, visits: [cursor.step], depth: cursor.loops.length };
    found.push(entered);
    current.set(cursor.activation, entered);
  }
  return found.filter(({ visits }) => visits.length > 1);
}

export function jumpedIntoLoops(fn: Function): readonly JumpedInto[] {
  const found: JumpedInto[] = [];
  for (const edge of loopsOf(fn).irreducible) {
    if (found.some(({ loop }) => loop.body.has(edge.from) && loop.body.has(edge.to))) continue;
    found.push(cycleOf(fn, edge));
  }
  return found;
}

/** The cycle that an edge closes, without natural loops around it. */
function cycleOf(fn: Function, edge: Edge): JumpedInto {
  const { incoming, outgoing } = controlFlowOf(fn);
  const forest = loopsOf(fn);
  let parent = forest.innermost(edge.to);
  while (parent !== null && !parent.body.has(edge.from)) parent = parent.parent;
  const isAround = (location: LocationId) =>
    parent !== null && (location === parent.header || !parent.body.has(location));
  const after = reachableFrom([edge.to], (location) =>
    nth(outgoing, location)
      .map(({ to }) => to)
      .filter((to) => !isAround(to)),
  );
  const before = reachableFrom([edge.from], (location) =>
    nth(incoming, location)
      .map(({ from }) => from)
      .filter((from) => !isAround(from)),
  );
  const body = new Set([...after].filter((location) => before.has(location)));
  const tested = [...body].filter(
    (location) => forest.loopWithHeader(location) === null && nth(outgoing, location).some(isLoopTest),
  );
  const header = tested.sort((a, b) => a - b)[0] ?? edge.to;
  const edges = [...body].flatMap((location) => nth(outgoing, location));
  const backEdges = edges.filter(({ to }) => to === header);
  const exits = edges.filter(({ to }) => !body.has(to));
  const entering = [...body].flatMap((location) => nth(incoming, location)).filter(({ from }) => !body.has(from));
  // A loop with its test at the end starts at the target of the test.
  const begins = new Set([header, ...nth(outgoing, header).map(({ to }) => to)]);
  const jumps = entering.filter(({ to }) => !begins.has(to));
  return {
    loop: { index: -1, header, body, backEdges, exits, parent, depth: (parent?.depth ?? 0) + 1 },
    jumps: (jumps.length === 0 ? entering.filter(({ to }) => to !== header) : jumps).sort((a, b) => a.id - b.id),
  };
}

function isLoopTest({ operation }: Edge): boolean {
  return operation.kind === "assume" && (operation.origin === "loop" || operation.origin === "shortCircuit");
}
