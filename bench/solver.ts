import { setImmediate } from "node:timers/promises";
import { isFalse, type Term } from "../src/logic/term.ts";
import { createTerms, type Terms } from "../src/logic/terms.ts";
import { findExecutable } from "../src/solver/backend/backends.ts";
import { entails, type Solver } from "../src/solver/solver.ts";
import { createSolver } from "../src/solver/solverChain.ts";

/**
 * Questions a second, terms a second, and whether a process that runs many analyses grows. `--quick` asks
 * a tenth of the questions.
 */
export async function run(args: readonly string[]): Promise<void> {
  const scale = args.includes("--quick") ? 0.1 : 1;
  benchQueries(Math.round(1_000 * scale));
  benchTerms(Math.round(200_000 * scale));
  await benchMemory(Math.round(1_000 * scale));
}

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function row(...cells: readonly (string | number)[]) {
  console.log(cells.map((cell, i) => (i === 0 ? `${cell}`.padEnd(44) : `${cell}`.padStart(14))).join(""));
}

function benchQueries(count: number) {
  row(`${count} small queries of linear arithmetic`, "ms", "queries/s");
  for (const backend of ["wasm", "z3", "cvc5"] as const) {
    if (backend !== "wasm" && findExecutable(backend) === null) continue;
    const { solver } = createSolver({ backend, cache: false });
    const t = createTerms();
    const v = (i: number) => t.variable(`v${i % 10}`, "Int");
    const ask = (i: number) => {
      solver.push();
      for (let k = 0; k < 4; k++)
        solver.assert(t.le(t.add(v(i + k), t.scale(k - 2, v(i + 3 * k + 1))), t.int((i % 7) + k)));
      solver.check([], { model: false });
      solver.pop();
    };
    // Starting, and the first calls of a module that is still being compiled, are no part of the rate.
    for (let i = 0; i < 50; i++) ask(i);
    const spent = milliseconds(() => {
      for (let i = 0; i < count; i++) ask(i);
    });
    row(`  ${solver.name}`, spent.toFixed(0), ((count / spent) * 1000).toFixed(0));
    solver.dispose();
  }
}

function benchTerms(count: number) {
  const t = createTerms();
  const spent = milliseconds(() => {
    let sum: Term = t.variable("x", "Int");
    for (let i = 0; i < count / 4; i++) {
      sum = t.add(sum, t.scale(3, t.variable(`x${i % 20}`, "Int")));
      t.and(t.le(sum, t.int(i)), t.lt(t.variable(`x${i % 20}`, "Int"), t.int(i % 100)));
    }
  });
  row("terms made", t.size, `${((t.size / spent) * 1000).toFixed(0)}/s`);
}

/** A loop that was unrolled: a counter, a sum and a condition on an input, and a last step that contradicts. */
function linearTrace(t: Terms, length: number): readonly (readonly Term[])[] {
  const v = (name: string, k: number) => t.variable(`${name}_${k}`, "Int");
  const [n, input] = [t.variable("n", "Int"), t.variable("input", "Int")];
  const steps: Term[][] = [[t.eq(v("i", 0), t.int(0))], [t.ge(input, t.int(1))], [t.eq(v("s", 0), input)]];
  let k = 0;
  while (steps.length < length - 1) {
    const next = [
      [t.lt(v("i", k), n)],
      [t.eq(v("i", k + 1), t.add(v("i", k), t.int(1)))],
      [t.eq(v("s", k + 1), t.add(v("s", k), t.int(2)))],
    ];
    steps.push(...next);
    k++;
  }
  steps.push([t.le(v("s", k), t.scale(2, v("i", k)))]);
  return steps;
}

/** Small analyses one after the other, each with terms and a solver state of its own, in one process. */
async function benchMemory(count: number) {
  const { solver } = createSolver({ backend: "wasm" });
  const resident: number[] = [];
  for (let i = 1; i <= count; i++) {
    smallAnalysis(solver, i);
    if (i === count / 10 || i === count) {
      globalThis.gc?.();
      await setImmediate();
      resident.push(process.memoryUsage().rss / 2 ** 20);
    }
  }
  solver.dispose();
  const [early, late] = resident as [number, number];
  row(
    `resident memory after ${count / 10} and ${count} analyses`,
    `${early.toFixed(0)} MB`,
    `${late.toFixed(0)} MB`,
    `${(late / early).toFixed(2)} (<= 1.2)`,
  );
}

function smallAnalysis(solver: Solver, seed: number) {
  solver.reset();
  const t = createTerms();
  solver.push();
  solver.assert(...linearTrace(t, 30).flat());
  if (solver.check([]).kind !== "unsat") throw new Error("wrong answer");
  solver.pop();
  const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
  solver.assert(t.ge(x, t.int(seed)), t.le(y, t.int(seed)));
  if (isFalse(t.le(y, x)) || entails(t, solver, [], t.le(y, x)).kind !== "valid") throw new Error("wrong answer");
  if (entails(t, solver, [], t.lt(y, x)).kind !== "refuted") throw new Error("wrong answer");
}
