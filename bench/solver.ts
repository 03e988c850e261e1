import { setImmediate } from "node:timers/promises";
import { isFalse, type Term } from "../src/logic/term.ts";
import { createTerms, type Terms } from "../src/logic/terms.ts";
import { findExecutable } from "../src/solver/backend/backends.ts";
import { interpolate } from "../src/solver/interpolation/interpolate.ts";
import { printScript } from "../src/solver/scripts.ts";
import { entails, type Solver } from "../src/solver/solver.ts";
import { createSolver } from "../src/solver/solverChain.ts";

/**
 * Questions a second, terms a second, interpolants, and whether a process that runs many analyses grows. `--quick` asks
 * a tenth of the questions.
 */
export async function run(args: readonly string[]): Promise<void> {
  const scale = args.includes("--quick") ? 0.1 : 1;
  benchQueries(Math.round(1_000 * scale));
  benchTerms(Math.round(200_000 * scale));
  benchInterpolants();
  await benchMemory(Math.round(1_000 * scale));
}

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Work that is done anew each time: the quickest of three tells what it costs, the others what else was going on. */
function best(work: () => () => void): number {
  return Math.min(...[1, 2, 3].map(() => milliseconds(work())));
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

/** 26 steps that sort four elements by exchanging neighbours; at the end the first is said not to be the least. */
function arrayTrace(t: Terms): readonly (readonly Term[])[] {
  const steps: Term[][] = [];
  let version = 0;
  const array = () => t.variable(`a_${version}`, "Array");
  const write = (index: number, value: Term) => {
    const before = array();
    version++;
    steps.push([t.eq(array(), t.store(before, t.int(index), value))]);
  };
  let temporaries = 0;
  for (let round = 3; round >= 1; round--)
    for (let i = 0; i < round; i++) {
      const temporary = t.variable(`t_${temporaries++}`, "Int");
      steps.push([t.gt(t.select(array(), t.int(i)), t.select(array(), t.int(i + 1)))]);
      steps.push([t.eq(temporary, t.select(array(), t.int(i)))]);
      write(i, t.select(array(), t.int(i + 1)));
      write(i + 1, temporary);
    }
  const least = t.variable("least", "Int");
  steps.push([t.eq(least, t.select(array(), t.int(0)))], [t.gt(least, t.select(array(), t.int(3)))]);
  return steps;
}

function benchInterpolants() {
  const { solver } = createSolver({ backend: "wasm", cache: false, limits: { milliseconds: 120_000 } });
  warmUp(solver);
  row("interpolants, embedded solver", "ms", "plain check", "ratio");
  const spent = new Map<number, number>();
  const measure = (trace: (t: Terms) => readonly (readonly Term[])[]) => ({
    plain: best(() => {
      const steps = trace(createTerms());
      return () => plainCheck(solver, steps.flat());
    }),
    time: best(() => {
      const t = createTerms();
      const steps = trace(t);
      return () => expectInterpolants(interpolate({ terms: t, solver, steps }).kind);
    }),
  });
  for (const length of [30, 300, 3_000]) {
    const { plain, time } = measure((t) => linearTrace(t, length));
    spent.set(length, time);
    row(`  ${length} linear steps`, time.toFixed(0), plain.toFixed(0), `${(time / plain).toFixed(2)} (<= 3)`);
  }
  const { plain, time } = measure(arrayTrace);
  row("  26 steps with arrays", time.toFixed(0), plain.toFixed(0), (time / plain).toFixed(2));
  row("  growth from 300 to 3,000 steps", `${(spent.get(3_000)! / spent.get(300)!).toFixed(1)} (<= 15)`);
  solver.dispose();
}

function warmUp(solver: Solver) {
  const t = createTerms();
  for (let i = 0; i < 5; i++) {
    plainCheck(solver, linearTrace(t, 30).flat());
    interpolate({ terms: t, solver, steps: arrayTrace(t) });
    interpolate({ terms: t, solver, steps: linearTrace(t, 30) });
  }
}

/** One check of the whole formula in a fresh context, as `z3 trace.smt2` would do it. */
function plainCheck(solver: Solver, formulas: readonly Term[]) {
  const result = solver.run(printScript(formulas).replace("(exit)", ""));
  if (result.kind !== "output" || result.text.trim() !== "unsat") throw new Error("the trace formula must be unsat");
}

function expectInterpolants(kind: string) {
  if (kind !== "interpolants") throw new Error(`interpolation gave ${kind}`);
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
  expectInterpolants(interpolate({ terms: t, solver, steps: linearTrace(t, 30) }).kind);
  const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
  solver.assert(t.ge(x, t.int(seed)), t.le(y, t.int(seed)));
  if (isFalse(t.le(y, x)) || entails(t, solver, [], t.le(y, x)).kind !== "valid") throw new Error("wrong answer");
  if (entails(t, solver, [], t.lt(y, x)).kind !== "refuted") throw new Error("wrong answer");
}
