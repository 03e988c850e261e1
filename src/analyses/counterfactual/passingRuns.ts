import { nth } from "../../base/checked.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
import type { Rerun } from "../../interpreter/rerun/rerun.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Edge, Function, LocationId, Program } from "../../ir/program.ts";
import { containsRange } from "../../ir/source.ts";
import { lineKey } from "./evidence.ts";
import { executedLocations } from "./executedPlaces.ts";
import type { ExperimentRunner, PassingRun } from "./experimentRunner.ts";

/** More passing runs tell hardly more. */
const maxAsked = 40;
/** The cost of a recorded step, relative to a plain one. */
const recordingCost = 4;

/** The given runs and the program's parameterless test functions, without the failing run's own. */
export function candidateRuns(program: Program, given: readonly PassingRun[]): readonly PassingRun[] {
  // A framework runs each test with what it needs before and after it.
  if (given.some(({ test }) => test !== undefined)) return given;
  const known = new Set([program.entry, ...given.map(({ entry }) => entry)]);
  const tests = program.functions.filter(
    ({ id, name, parameters }) => /^test/i.test(name) && parameters.length === 0 && !known.has(id),
  );
  return [...given, ...tests.map(({ id }) => ({ entry: id }))];
}

export type NearRun = { readonly run: PassingRun; readonly lines: ReadonlySet<string>; readonly steps: number };

/** The other tests: those that pass, those that fail in the same way, and the rest. */
export type OtherTests = {
  readonly passing: readonly NearRun[];
  readonly failing: readonly OtherRun[];
  /** Tests that do not judge proposals; they only run with a change that is to be shown. */
  readonly left: readonly (OtherRun & { readonly passes: boolean })[];
};

type OtherRun = { readonly run: PassingRun; readonly steps: number };

/** The passing runs most similar to the failing run come first, by the Jaccard similarity of their edges. */
export function otherTests(trace: Trace, runs: readonly PassingRun[], runner: ExperimentRunner): OtherTests {
  const own = takenEdges(trace);
  const near: (NearRun & { readonly similarity: number })[] = [];
  const failing: OtherRun[] = [];
  const left: OtherTests["left"][number][] = [];
  for (const run of runs) {
    const { passes, end, isUndefined, at, steps } = runner.runTest(run);
    if (!passes) {
      // A test function that fails may need what other tests set up.
      if (run.entry !== undefined) continue;
      const other = { run, steps: end === "limit" ? steps : wholeSteps(runner, run, steps) };
      // Undefined behaviour at another place may be another fault.
      const isSame = isUndefined ? at !== null && isTrappedAt(trace, at) : !isTrapped(trace);
      if (isSame) failing.push(other);
      else left.push({ ...other, passes });
      continue;
    }
    if (runner.isOver()) {
      left.push({ run, steps, passes });
      continue;
    }
    const program = run.entry === undefined ? trace.program : { ...trace.program, entry: run.entry };
    const recorded = recordTrace(program, run);
    runner.charge(recordingCost * recorded.steps);
    near.push({ run, steps, lines: executedLines(recorded), similarity: jaccard(own, takenEdges(recorded)) });
  }
  near.sort((a, b) => b.similarity - a.similarity);
  failing.sort((a, b) => a.steps - b.steps);
  left.push(
    ...near.splice(maxAsked).map(({ run, steps }) => ({ run, steps, passes: true })),
    ...failing.splice(maxAsked).map((other) => ({ ...other, passes: false })),
  );
  return { passing: near, failing, left };
}

function isTrapped({ outcome }: Trace): boolean {
  return outcome.kind === "undefined-behaviour";
}

function isTrappedAt({ outcome }: Trace, at: NonNullable<Rerun["at"]>): boolean {
  return outcome.kind === "undefined-behaviour" && outcome.at.function === at.function && outcome.at.edge === at.edge;
}

/** Output that differs ends a run early; a run that passes may be as long as it is without that end. */
export function wholeSteps(runner: ExperimentRunner, run: PassingRun, steps: number): number {
  if (run.expected?.stdout === undefined) return steps;
  const { expected: _, ...free } = run;
  return Math.max(steps, runner.runTest(free).steps);
}

function executedLines(trace: Trace): ReadonlySet<string> {
  const executed = executedLocations(trace);
  return new Set(
    trace.program.functions.flatMap(({ id, edges }) =>
      edges.filter(({ from }) => nth(executed, id)[from] === 1).map(({ range }) => lineKey(range)),
    ),
  );
}

/** Keys of the edges that a run took, including branch outcomes. */
function takenEdges(trace: Trace): ReadonlySet<string> {
  const { blocks, log } = trace;
  const seen = new Uint8Array(blocks.count);
  for (const chunk of log) for (const block of chunk) seen[block] = 1;
  const taken = new Set<string>();
  seen.forEach((was, block) => {
    if (was === 0) return;
    for (let i = nth(blocks.first, block); i < nth(blocks.first, block + 1); i++) {
      taken.add(`${blocks.functionOf[block]} ${blocks.edges[i]}`);
    }
  });
  return taken;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const each of a) if (b.has(each)) common++;
  return common / Math.max(1, a.size + b.size - common);
}

/** The edges that get past the failing place; null if there is no such place. */
export type FailurePlace = { readonly function: number; readonly edges: ReadonlySet<number> };

export function failurePlace(graph: DependenceGraph, root: FailureRoot): FailurePlace | null {
  switch (root.kind) {
    case "condition": {
      const nearest = root.deciding.at(-1);
      if (nearest === undefined) return null;
      const fn = graph.function(nearest);
      const edges = waysPast(fn, graph.edge(nearest), graph.edge(root.step));
      return { function: fn.id, edges: new Set(edges.map(({ id }) => id)) };
    }
    case "trap": {
      const fn = graph.function(root.step);
      const edge = graph.edge(root.step);
      const edges = isBranch(edge) ? nth(controlFlowOf(fn).outgoing, edge.from) : [edge];
      return { function: fn.id, edges: new Set(edges.map(({ id }) => id)) };
    }
    case "loop":
      return { function: root.function.id, edges: new Set(root.loop.exits.map(({ id }) => id)) };
    case "end":
      return null;
  }
}

/** The tests of the deciding condition as locations, and the edges that leave it without failing. */
function waysPast(fn: Function, nearest: Edge, failing: Edge): Edge[] {
  const { outgoing } = controlFlowOf(fn);
  const failed = nearest.to;
  const tests = new Set<LocationId>([nearest.from]);
  for (const edge of fn.edges) if (isBranch(edge) && containsRange(failing.range, edge.range)) tests.add(edge.from);
  // The operands of one `&&` or `||` lead to each other, and some of them to the failure.
  for (const location of tests) {
    for (const edge of fn.edges) {
      if (edge.to === location && isOperand(edge)) tests.add(edge.from);
    }
    for (const { to } of nth(outgoing, location)) {
      if (nth(outgoing, to).some((edge) => isBranch(edge) && edge.to === failed)) tests.add(to);
    }
  }
  const ways: Edge[] = [];
  for (const location of tests) {
    for (const edge of nth(outgoing, location)) {
      const goesOn = nth(outgoing, edge.to).some(({ range }) => containsRange(failing.range, range));
      if (edge.to !== failed && !tests.has(edge.to) && !goesOn) ways.push(edge);
    }
  }
  return ways;
}

function isOperand({ operation }: Edge): boolean {
  return operation.kind === "assume" && operation.origin === "shortCircuit";
}
