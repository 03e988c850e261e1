import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CompressedRun } from "../../../src/commands/compress/pipeline.ts";
import type { InputSource } from "../../../src/interpreter/inputs.ts";
import { root } from "../../support/builtCli.ts";
import { compressFile, equivalent, follows, invariantOf, placeNamed } from "../../support/compressed.ts";
import { flatCompression } from "../../support/reports/flatReport.ts";

const example = (name: string) => join(root, "examples/folding", name);
const reportOf = (run: CompressedRun) => flatCompression(run, { version: "", ms: 0 });

describe("two counters", () => {
  let run: CompressedRun;
  beforeAll(async () => {
    run = await compressFile(example("two-counters.c"), [100n]);
  });

  it("leaves no iteration, unrolls none, and needs only j >= i", () => {
    const [fold] = run.compressed.folds;
    const { terms } = run.symbols;
    expect(reportOf(run)).toMatchObject({ status: "ok", unrolls: 0, innerUnrolls: 0 });
    expect(run.compressed.folds).toHaveLength(1);
    expect(fold!.from).toBe(0);
    const wanted = terms.ge(placeNamed(run, fold!, "j"), placeNamed(run, fold!, "i"));
    expect(equivalent(run, invariantOf(run, fold!), wanted)).toBe(true);
  });

  it("folds a million rounds like a hundred, apart from the counts", async () => {
    const few = reportOf(run);
    const many = reportOf(await compressFile(example("two-counters.c"), [1_000_000n]));
    expect(many.trace.steps).toBe(3_000_008);
    // What is said about a run without its numbers of steps, rounds and the input itself.
    const shape = ({ loops, steps, folded, proof, unrolls, target, status }: typeof few) => ({
      loops: loops.map(({ iterations, ...loop }) => loop),
      steps: steps.map((step) =>
        step.kind === "loop" ? { ...step, step: 0, steps: 0, iterations: 0 } : { ...step, step: 0, value: "" },
      ),
      ...{ folded, proof, unrolls, target, status },
    });
    expect(shape(many)).toEqual(shape(few));
  });
});

describe("the bounded loop with x, y and err", () => {
  it("folds after exactly one round, with x == y && y != 0 && err == 0", async () => {
    const run = await compressFile(example("balance.c"), ({ index }) => (index === 0 ? 10n : BigInt(index)));
    const [fold] = run.compressed.folds;
    const { terms } = run.symbols;
    expect(reportOf(run)).toMatchObject({ status: "ok", unrolls: 1, innerUnrolls: 0 });
    const [x, y, err] = ["x", "y", "err"].map((name) => placeNamed(run, fold!, name));
    const wanted = terms.all([terms.eq(x!, y!), terms.ne(y!, terms.int(0n)), terms.eq(err!, terms.int(0n))]);
    expect(equivalent(run, invariantOf(run, fold!), wanted)).toBe(true);
  });
});

describe("nested loops", () => {
  let run: CompressedRun;
  beforeAll(async () => {
    run = await compressFile(example("nested.c"));
  });

  it("folds the outer loop after one round and the last loop at once, and proves the target", () => {
    expect(reportOf(run)).toMatchObject({ status: "ok", unrolls: 1, target: { formula: "y >= 0" } });
    const [, outer, last] = run.compressed.folds;
    expect([outer!.depth, outer!.from, last!.depth, last!.from]).toEqual([0, 1, 0, 0]);
    expect(run.compressed.failures).toEqual([]);
  });

  it("finds invariants that are no stronger than the published ones", () => {
    const { terms } = run.symbols;
    const [inner, outer, last] = run.compressed.folds;
    const least = (fold: typeof inner, name: string, value: bigint) =>
      terms.ge(placeNamed(run, fold!, name), terms.int(value));
    expect(follows(run, terms.and(least(outer, "i", 1n), least(outer, "x", 0n)), invariantOf(run, outer!))).toBe(true);
    expect(follows(run, terms.and(least(last, "x", 0n), least(last, "y", 0n)), invariantOf(run, last!))).toBe(true);
    // i = 1, j >= i, x >= 0 in the inner loop, from the round in which it says something about x.
    const [i, j] = [placeNamed(run, inner!, "i"), placeNamed(run, inner!, "j")];
    const published = terms.all([terms.eq(i, terms.int(1n)), terms.ge(j, i), least(inner, "x", 0n)]);
    expect(follows(run, published, invariantOf(run, inner!))).toBe(true);
  });
});

const first = (values: readonly bigint[], then: (index: number) => bigint): InputSource => {
  return ({ index }) => values[index] ?? then(index - values.length);
};

/** Table I: the share of the run that is gone at a number of rounds, and what had to be unrolled. */
const modelled: readonly {
  readonly name: string;
  readonly unrolls: number;
  readonly innerUnrolls: number;
  readonly gone: number;
  readonly rounds: number;
  /** Rounds of the shortest run; with fewer than 5 the client does not fail, and with 5 nothing is left to fold. */
  readonly least: number;
  inputs(rounds: number): InputSource;
}[] = [
  {
    name: "client",
    ...{ unrolls: 6, innerUnrolls: 0, gone: 0.8, rounds: 40, least: 6 },
    inputs: (n) => first([BigInt(n)], () => 0n),
  },
  {
    name: "server",
    ...{ unrolls: 0, innerUnrolls: 0, gone: 0.96, rounds: 14, least: 4 },
    inputs: (n) => first([BigInt(n), 2n], (i) => BigInt(i % 3)),
  },
  {
    name: "token_ring",
    ...{ unrolls: 2, innerUnrolls: 2, gone: 0.75, rounds: 32, least: 4 },
    inputs: (n) => first([BigInt(n), 6n], (i) => (i >= 5 && i < 8 ? 1n : BigInt(1 - (i % 2)))),
  },
  {
    name: "retry_driver",
    ...{ unrolls: 0, innerUnrolls: 0, gone: 0.92, rounds: 32, least: 4 },
    inputs: (n) => first([BigInt(n)], () => 0n),
  },
  {
    name: "status_driver",
    ...{ unrolls: 1, innerUnrolls: 0, gone: 0.8, rounds: 32, least: 4 },
    inputs: (n) => first([BigInt(n)], () => 0n),
  },
];

describe.each(modelled)("$name", ({ name, unrolls, innerUnrolls, gone, rounds, least, inputs }) => {
  it("folds to the same length at every bound, and no worse than published", async () => {
    const reports = await Promise.all(
      [least, rounds, 32_000].map(async (n) =>
        reportOf(await compressFile(join(root, "bench/programs/folding", `${name}.c`), inputs(n))),
      ),
    );
    for (const report of reports) {
      expect(report.status).toBe("ok");
      expect(report.folded.steps).toBe(reports[0]!.folded.steps);
      expect(report.unrolls).toBeLessThanOrEqual(unrolls);
      expect(report.innerUnrolls).toBeLessThanOrEqual(innerUnrolls);
    }
    expect(1 - reports[1]!.folded.steps / reports[1]!.trace.steps).toBeGreaterThanOrEqual(gone);
  });
});
