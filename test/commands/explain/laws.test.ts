import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { abstractFormula } from "../../../src/analyses/errorInvariants/abstractErrorTrace.ts";
import type { FactStretch } from "../../../src/analyses/errorInvariants/coverTrace.ts";
import { positionsOf } from "../../../src/analyses/errorInvariants/positions.ts";
import { createReasoner } from "../../../src/analyses/errorInvariants/reasoner.ts";
import { loadC, loadCText } from "../../../src/c/cFrontEnd.ts";
import { type ExplainedRun, proveExplanation } from "../../../src/commands/explain/proveExplanation.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import type { Assignment } from "../../../src/logic/evaluate.ts";
import type { Term } from "../../../src/logic/term.ts";
import type { Terms } from "../../../src/logic/terms.ts";
import type { Transition } from "../../../src/recordedRun/traceFormula.ts";
import { createSolver } from "../../../src/solver/solverChain.ts";
import { createProver } from "../../../src/symbolic/createProver.ts";
import { root } from "../../support/builtCli.ts";
import { checkFile } from "../../support/checkFile.ts";
import { provedReport as explain } from "../../support/provedReport.ts";
import { hasTool } from "../../support/tools.ts";

const folder = join(root, "examples/explain");

const programs: readonly { readonly file: string; readonly inputs: readonly bigint[] }[] = [
  { file: "unit-test.c", inputs: [] },
  { file: "shell-sort-cells.c", inputs: [] },
  { file: "off-by-one.c", inputs: [40n] },
  { file: "wrong-branch.c", inputs: [3n] },
  { file: "swapped-arguments.c", inputs: [] },
  { file: "stale-flag.c", inputs: [] },
  { file: "overflow.c", inputs: [2000000000n, 2100000000n, 9n] },
];

async function explained(file: string, inputs: readonly bigint[]): Promise<ExplainedRun> {
  return proveExplanation(recordTrace(await loadC(join(folder, file)), { inputs }));
}

function writtenValues(terms: Terms, { writes }: Transition, values: Assignment): Term {
  return terms.all(
    writes.flatMap(({ version }) => {
      const value = values(version);
      if (typeof value === "boolean") return [value ? version : terms.not(version)];
      return typeof value === "bigint" ? [terms.eq(version, terms.int(value))] : [];
    }),
  );
}

const parts = ({ from, to, fact, kept }: FactStretch) => ({ from, to, fact, kept: kept?.origin ?? null });

describe.each(programs)("$file", ({ file, inputs }) => {
  it("is its own explanation, needs every statement, and has facts that are checked both ways", async () => {
    const run = await explained(file, inputs);
    const { formula, relevant, stretches, minimal } = run.abstraction!;
    const { solver } = createSolver();
    try {
      const prover = createProver(run.symbols, solver);
      expect(minimal).toBe(true);
      for (const left of relevant) {
        const session = prover.open(relevant.filter((other) => other !== left).map((other) => other.formula));
        expect(session.implies([], formula.target).kind).not.toBe("proved");
        session.close();
      }
      const positions = positionsOf(run.symbols, createReasoner(run.symbols, prover, formula), formula, relevant, {
        suggested: [],
        values: () => undefined,
      });
      const follows = (from: readonly Term[], goal: Term) => {
        const session = prover.open(from);
        expect(session.implies([], goal).kind).toBe("proved");
        session.close();
      };
      for (const { from, to, fact } of stretches) {
        for (const position of [from, to]) {
          const here = run.symbols.terms.all(fact.map((atom) => positions.at(position, atom)));
          follows(
            formula.transitions.slice(0, position).map((each) => each.formula),
            here,
          );
          follows(
            [here, ...relevant.filter(({ index }) => index >= position).map((each) => each.formula)],
            formula.target,
          );
        }
      }
      // Statements that were left out say no more than what they wrote, not where it came from.
      const { values } = createReasoner(run.symbols, prover, formula);
      const transitions = formula.transitions.map((each) =>
        relevant.includes(each) ? each : { ...each, formula: writtenValues(run.symbols.terms, each, values) },
      );
      const suggested = run.folds.flatMap(({ invariant }) => invariant);
      const again = abstractFormula(run.symbols, prover, { ...formula, transitions }, suggested);
      if (again.kind === "failed") throw new Error(again.reason);
      expect(again.trace.relevant.map(({ origin }) => origin)).toEqual(relevant.map(({ origin }) => origin));
      expect(again.trace.stretches.map(parts)).toEqual(stretches.map(parts));
    } finally {
      solver.dispose();
    }
    expect(run.proof.checked).toBe(true);
  });
});

describe("explanations", () => {
  it("are the same every time", async () => {
    const once = async () => {
      const { stats: _, ...report } = explain(await loadC(join(folder, "off-by-one.c")), { run: { inputs: [7n] } });
      return JSON.stringify(report);
    };
    expect(await once()).toBe(await once());
  });

  it.skipIf(!hasTool("gcc"))("end with a run that fails when gcc builds the program too", async () => {
    for (const { file, inputs } of programs) {
      const report = explain(await loadC(join(folder, file)), { run: { inputs } });
      const smallest = report.reproducer!.inputs.map((value) => BigInt(value));
      const check = await checkFile(join(folder, file), {
        dataModel: "LP64",
        inputs: smallest,
        stdin: "",
        maxSteps: 100_000,
      });
      expect(check, file).toMatchObject({ kind: "same" });
      if (check.kind === "same") expect(check.end, file).not.toMatch(/^exit/);
    }
  });

  it("have a smallest run that satisfies the condition on the inputs", async () => {
    const program = await loadCText(
      "covered.c",
      `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  int s = 0;
  if (n > 3) s = 1; else s = m > 7;
  assert(s == 0);
  return 0;
}`,
    );
    // With n = 0 and m = 8 it fails at the same place, but for another reason.
    const report = explain(program, { run: { inputs: [9n, 2n] } });
    expect(report.inputCondition.formulas).toEqual(["n >= 4"]);
    expect(report.reproducer).toMatchObject({ inputs: [4, 0] });
  });

  it("leave out whole rounds that read two inputs", async () => {
    const program = await loadCText(
      "pairs.c",
      `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int most = 0;
  while (__VERIFIER_nondet_int()) {
    int read = __VERIFIER_nondet_int();
    if (read > most) most = read;
  }
  assert(most < 7);
  return 0;
}`,
    );
    const inputs = [...Array.from({ length: 31 }, () => [1n, 3n]).flat(), 1n, 9n, 0n];
    const { reproducer } = explain(program, { run: { inputs } });
    expect(reproducer!.inputs.length).toBeLessThanOrEqual(5);
  });

  it("find the smallest run", async () => {
    const report = explain(await loadC(join(folder, "off-by-one.c")), { run: { inputs: [800n] } });
    expect(report.reproducer).toMatchObject({ inputs: [1], confirmed: true });
    expect(report.inputCondition.formulas).toEqual(["n >= 1", "n <= 1000"]);
  });
});
