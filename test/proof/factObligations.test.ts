import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadC } from "../../src/c/cFrontEnd.ts";
import { proveExplanation } from "../../src/commands/explain/proveExplanation.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { checkObligations } from "../../src/proof/checkObligations.ts";
import { type FactClaim, factClaim, factObligations } from "../../src/proof/factObligations.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { createSymbols } from "../../src/symbolic/symbols.ts";
import { root } from "../support/builtCli.ts";

const programs: readonly { readonly file: string; readonly inputs: readonly bigint[] }[] = [
  { file: "unit-test.c", inputs: [] },
  { file: "shell-sort-cells.c", inputs: [] },
  { file: "off-by-one.c", inputs: [40n] },
];

describe.each(programs)("the facts of $file", ({ file, inputs }) => {
  it("are proved, and a fact that says too little or something else is not", async () => {
    const run = proveExplanation(recordTrace(await loadC(join(root, "examples/explain", file)), { inputs }), {
      shrink: false,
    });
    const { stretches, relevant } = run.abstraction!;
    const facts = stretches.map(factClaim);
    const { solver } = createSolver({ backend: "auto", cache: false });
    const isProved = (claimed: readonly FactClaim[]) => {
      const terms = createTerms();
      const indices = relevant.map(({ index }) => index);
      const symbols = createSymbols(run.trace.program, terms);
      const obligations = factObligations(symbols, runOf(run.trace), run.target, run.claims, claimed, indices);
      return checkObligations(terms, obligations, { checkers: { solvers: [solver], dispose() {} } }).checked;
    };
    const withFact = (i: number, formulas: readonly string[]) =>
      facts.map((fact, k) => (k === i ? { ...fact, formulas } : fact));
    try {
      expect(isProved(facts)).toBe(true);
      for (const [i, { formulas }] of facts.entries()) {
        for (const [k, formula] of formulas.entries()) {
          const others = formulas.filter((_, n) => n !== k);
          expect(isProved(withFact(i, others)), `without ${formula}`).toBe(false);
          expect(isProved(withFact(i, [...others, `(not ${formula})`])), `not ${formula}`).toBe(false);
        }
      }
    } finally {
      solver.dispose();
    }
  });
});
