import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { objectIdOf, offsetOf } from "../../src/interpreter/memory/pointer.ts";
import { type ObservationPoint, observe } from "../../src/interpreter/observe.ts";
import { stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace, replayWrites, type Trace } from "../../src/interpreter/trace.ts";
import type { Program } from "../../src/ir/program.ts";
import { generateProgram, programChoices } from "../support/generateProgram.ts";

const maxSteps = 3000;

/** By step: function, edge and activation, as the cursor has them; and by activation its call. */
function walk(trace: Trace) {
  const cursor = stepCursor(trace);
  const steps: { fn: number; edge: number; activation: number; depth: number }[] = [];
  const calls = new Map<number, number>();
  while (cursor.next()) {
    const { activation, depth } = cursor;
    const before = steps[cursor.step - 1];
    if (before !== undefined && depth > before.depth) calls.set(activation, cursor.step - 1);
    steps.push({ fn: cursor.function, edge: cursor.edge, activation, depth });
  }
  return { steps, calls };
}

type LastWrites = { readonly step: number; readonly keys: readonly string[] }[];

/** All writes of the run in order, with names for what they write: a register of an activation, or bytes of an object. */
function allWrites(trace: Trace, { steps, calls }: ReturnType<typeof walk>): LastWrites {
  const { program } = trace;
  const writes: LastWrites = [];
  replayWrites(trace, 0, trace.steps, {
    register(step, fn, edge, variable) {
      const { operation } = edge < 0 ? { operation: null } : program.functions[fn]!.edges[edge]!;
      const own = steps[step]!.activation;
      const activation =
        operation === null
          ? steps[step + 1]?.activation
          : operation.kind === "call"
            ? steps[calls.get(own)!]!.activation
            : own;
      writes.push({ step, keys: [registerKey(program, variable, activation ?? -1)] });
    },
    memory: (step, _fn, _edge, pointer, size) => writes.push({ step, keys: byteKeys(pointer, size) }),
  });
  return writes;
}

function registerKey(program: Program, variable: number, activation: number): string {
  return program.variables[variable]!.kind === "static" ? `r${variable}` : `r${variable} in ${activation}`;
}

function byteKeys(pointer: number, size: number): string[] {
  return Array.from({ length: size }, (_, i) => `b${objectIdOf(pointer)}+${offsetOf(pointer) + i}`);
}

/** The graph against the cursor, against observed states, and against a list of all writes. */
function checkGraph(trace: Trace): number {
  const { program } = trace;
  const graph = dependenceGraph(trace);
  const walked = walk(trace);
  const { steps } = walked;
  expect(graph.end).toBeGreaterThanOrEqual(trace.steps);
  for (const [step, { fn, edge, activation }] of steps.entries()) {
    if (graph.edge(step) !== program.functions[fn]!.edges[edge] || graph.activation(step) !== activation) {
      expect([step, graph.edge(step), graph.activation(step)]).toEqual([
        step,
        program.functions[fn]!.edges[edge],
        activation,
      ]);
    }
  }
  for (const [activation, call] of walked.calls) expect(graph.callOf(activation)).toBe(call);
  const used = new Set(steps.map(({ fn, edge }) => `${fn} ${edge}`));
  const points: ObservationPoint[] = [...used].map((key) => {
    const [fn, edge] = key.split(" ").map(Number) as [number, number];
    return { kind: "before", function: program.functions[fn]!.id, edge: program.functions[fn]!.edges[edge]!.id };
  });
  const writes = allWrites(trace, walked);
  const last = new Map<string, number>();
  let seen = 0;
  let checked = 0;
  observe(trace, points, (state) => {
    const { step } = state;
    for (; seen < writes.length && writes[seen]!.step < step; seen++) {
      for (const key of writes[seen]!.keys) last.set(key, writes[seen]!.step);
    }
    for (const read of graph.reads(step)) {
      const { expression } = read;
      if (expression?.kind === "variable") {
        const key = registerKey(program, expression.variable, steps[step]!.activation);
        expect([step, read.value, read.writer]).toEqual([
          step,
          state.register(expression.variable),
          last.get(key) ?? null,
        ]);
        checked++;
      } else if (expression?.kind === "load" && expression.bitField === undefined) {
        const pointer = graph.valueOf(step, expression.address) as number;
        const writers = byteKeys(pointer, read.size).map((key) => last.get(key) ?? -1);
        const writer = Math.max(...writers);
        const value = state.load(pointer, expression.type);
        expect([step, read.value, read.writer]).toEqual([step, value, writer === -1 ? null : writer]);
        checked++;
      }
    }
  });
  replayWrites(trace, 0, trace.steps, {
    register: (step, _fn, edge, _variable, value) => {
      if (edge >= 0) expect([step, graph.value(step)]).toEqual([step, value]);
    },
    memory: (step, _fn, edge, _pointer, _size, value) => {
      if (edge >= 0 && value !== undefined) expect([step, graph.value(step)]).toEqual([step, value]);
    },
  });
  return checked;
}

describe("every value is the value of the run, every writer its last writer", () => {
  for (const dataModel of ["LP64", "ILP32"] as const) {
    test(`holds for generated programs, ${dataModel}`, async () => {
      let checked = 0;
      for (const sequence of fc.sample(programChoices, { seed: 7_100, numRuns: 25 })) {
        const { text, inputs } = generateProgram(sequence);
        let program: Program;
        try {
          program = await loadCText("program.c", text, { dataModel, preprocess: "builtin" });
        } catch (error) {
          if (error instanceof TracefoldError) continue;
          throw error;
        }
        const source = ({ index }: { readonly index: number }) => inputs[index % inputs.length]!;
        checked += checkGraph(recordTrace(program, { inputs: source, maxSteps }));
      }
      expect(checked).toBeGreaterThan(2_000);
    });
  }
});
