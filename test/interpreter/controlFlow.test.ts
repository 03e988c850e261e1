import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileProgram } from "../../src/interpreter/compile/compileProgram.ts";
import { plainMode } from "../../src/interpreter/run.ts";
import { stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { controlFlowOf } from "../../src/ir/controlFlow.ts";
import { loopsOf } from "../../src/ir/loops.ts";
import type { Edge, EdgeId, Function, FunctionId, LocationId, Program, VariableId } from "../../src/ir/program.ts";
import { constant, int, read } from "../support/buildIr.ts";

const range = { file: "graph.c", line: 1, column: 1, endLine: 1, endColumn: 1 };
const voidFunction: Function["type"] = {
  kind: "function",
  result: { kind: "void" },
  parameters: [],
  variadic: false,
  unprototyped: false,
};

/**
 * A program that walks a graph: at each location with a choice it reads an input that decides. `successors[l]` are the
 * ways out of location l: none (return), one, two (a branch) or more (a switch).
 */
function graphProgram(successors: readonly (readonly number[])[]): Program {
  const choice = {
    id: 0 as VariableId,
    name: "choice",
    type: int,
    kind: "local",
    storage: "register",
    function: 0 as FunctionId,
    range,
  } as const;
  const edges: Edge[] = [];
  let locations = successors.length + 1;
  const exit = successors.length as LocationId;
  const add = (from: number, to: number, operation: Edge["operation"]) => {
    edges.push({ id: edges.length as EdgeId, from: from as LocationId, to: to as LocationId, operation, range });
  };
  const reachable = reachableFrom(successors);
  for (const [location, targets] of successors.entries()) {
    if (!reachable.has(location)) continue;
    if (targets.length < 2) {
      const [only] = targets;
      if (only === undefined) add(location, exit, { kind: "return", value: null });
      else add(location, only, { kind: "skip" });
      continue;
    }
    const branch = locations++;
    add(location, branch, { kind: "input", target: choice.id, type: int, source: "choice" });
    if (targets.length === 2) {
      const condition = read(choice);
      add(branch, targets[0]!, { kind: "assume", condition, negated: false, origin: "branch" });
      add(branch, targets[1]!, { kind: "assume", condition, negated: true, origin: "branch" });
      continue;
    }
    const selector = read(choice);
    const values = targets.slice(1).map((_, i) => [BigInt(i), BigInt(i)] as const);
    add(branch, targets[0]!, { kind: "case", selector, values: null, others: values });
    targets.slice(1).forEach((target, i) => {
      add(branch, target, { kind: "case", selector, values: [values[i]!], others: [] });
    });
  }
  const main: Function = {
    id: 0 as FunctionId,
    name: "main",
    type: voidFunction,
    parameters: [],
    locals: [choice.id],
    entry: 0 as LocationId,
    exit,
    locations,
    edges,
    range,
  };
  const initializer: Function = {
    ...main,
    id: 1 as FunctionId,
    name: "$initializer",
    locals: [],
    exit: 1 as LocationId,
    locations: 2,
    edges: [
      {
        id: 0 as EdgeId,
        from: 0 as LocationId,
        to: 1 as LocationId,
        operation: { kind: "return", value: null },
        range,
      },
    ],
  };
  return {
    files: [],
    dataModel: "LP64",
    pointerBytes: 8,
    functions: [main, initializer],
    variables: [choice],
    initializer: initializer.id,
    entry: main.id,
    notes: [],
  };
}

function reachableFrom(successors: readonly (readonly number[])[]): Set<number> {
  const seen = new Set<number>([0]);
  const work = [0];
  while (work.length > 0) {
    for (const next of successors[work.pop()!]!) {
      if (seen.has(next)) continue;
      seen.add(next);
      work.push(next);
    }
  }
  return seen;
}

/** The edges of main that a walk over the graph takes, at most about `limit`. */
function walk(fn: Function, inputs: readonly bigint[], limit: number): number[] {
  const { outgoing } = controlFlowOf(fn);
  const path: number[] = [];
  let next = 0;
  let choice = 0n;
  for (let at: number = fn.entry; at !== fn.exit && path.length < limit; ) {
    const edge = outgoing[at]!.find(({ operation }) => {
      if (operation.kind === "assume") return (choice !== 0n) !== operation.negated;
      if (operation.kind !== "case") return true;
      const hit = (intervals: readonly (readonly [bigint, bigint])[]) =>
        intervals.some(([low, high]) => low <= choice && choice <= high);
      return operation.values === null ? !hit(operation.others) : hit(operation.values);
    })!;
    if (edge.operation.kind === "input") {
      if (next === inputs.length) break;
      choice = inputs[next++]!;
    }
    path.push(edge.id);
    at = edge.to;
  }
  return path;
}

function recordedEdges(program: Program, inputs: readonly bigint[], maxSteps: number): number[] {
  const cursor = stepCursor(recordTrace(program, { inputs, maxSteps }));
  const path: number[] = [];
  while (cursor.next()) if (cursor.function === 0) path.push(cursor.edge);
  return path;
}

const graph = fc
  .integer({ min: 1, max: 14 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 4 }), { minLength: size, maxLength: size }));
const decisions = fc.array(fc.bigInt({ min: 0n, max: 3n }), { minLength: 1, maxLength: 60 });

describe("generated code follows the control-flow graph", () => {
  test("on random graphs, reducible or not", () => {
    let irreducible = 0;
    let structured = 0;
    fc.assert(
      fc.property(graph, decisions, (successors, inputs) => {
        const program = graphProgram(successors);
        if (loopsOf(program.functions[0]!).irreducible.length > 0) irreducible++;
        else structured++;
        const expected = walk(program.functions[0]!, inputs, 200);
        const actual = recordedEdges(program, inputs, 200);
        // Without inputs to wait for, an endless loop ends at the limit, a block later at most.
        expect(actual.slice(0, expected.length)).toEqual(expected);
        if (expected.length < 200) expect(actual.length).toBe(expected.length);
      }),
      { seed: 6, numRuns: 1500 },
    );
    expect(irreducible).toBeGreaterThan(50);
    expect(structured).toBeGreaterThan(200);
  });

  test("in a function with thousands of branches in a row and one of deep nesting", () => {
    // Location 2i branches to 2i+1 and 2i+2, and 2i+1 continues at 2i+2.
    const row = Array.from({ length: 20001 }, (_, i) => (i === 20000 ? [] : i % 2 === 0 ? [i + 1, i + 2] : [i + 1]));
    const inputs = Array.from({ length: 10000 }, (_, i) => BigInt((i >> 3) & 1));
    const wide = graphProgram(row);
    expect(recordedEdges(wide, inputs, 1e6)).toEqual(walk(wide.functions[0]!, inputs, 1e6));
    // Everything joins at the end: no dominator but the branch itself.
    const nested = Array.from({ length: 1001 }, (_, i) => (i === 1000 ? [] : [i + 1, 1000 - (i % 7)]));
    const deep = graphProgram(nested.map((targets) => targets.filter((target) => target <= 1000)));
    expect(recordedEdges(deep, inputs, 1e6)).toEqual(walk(deep.functions[0]!, inputs, 1e6));
  });

  test("compiles a jump into a loop as a dispatch loop", () => {
    const program = graphProgram([[1, 2], [2, 3], [1], []]);
    const { source } = compileProgram(program, plainMode);
    expect(source).toContain("switch (pc)");
    expect(recordedEdges(program, [0n, 1n, 0n], 100)).toEqual(walk(program.functions[0]!, [0n, 1n, 0n], 100));
  });

  test("handles wide intervals of a switch", () => {
    const program = graphProgram([[1, 2, 3], [], [], []]);
    const main = program.functions[0]!;
    const first = main.edges.find(({ operation }) => operation.kind === "case")!;
    const selector = first.operation.kind === "case" ? first.operation.selector : constant(0);
    const low: readonly (readonly [bigint, bigint])[] = [[-1000000n, -1n]];
    const high: readonly (readonly [bigint, bigint])[] = [
      [5n, 5n],
      [100n, 2000000000n],
    ];
    let seen = 0;
    const edges = main.edges.map((edge): Edge => {
      if (edge.operation.kind !== "case") return edge;
      const values = [null, low, high][seen++]!;
      return {
        ...edge,
        operation: { kind: "case", selector, values, others: values === null ? [...low, ...high] : [] },
      };
    });
    const changed = { ...program, functions: [{ ...main, edges }, program.functions[1]!] };
    for (const value of [-1000001n, -1000000n, -1n, 0n, 5n, 6n, 99n, 100n, 2000000000n, 2000000001n]) {
      expect(recordedEdges(changed, [value], 100)).toEqual(walk(changed.functions[0]!, [value], 100));
    }
  });
});
