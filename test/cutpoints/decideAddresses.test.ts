import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { decideAddresses } from "../../src/cutpoints/decideAddresses.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { freeVariablesOf } from "../../src/logic/traverse.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { axiomsFor } from "../../src/symbolic/createProver.ts";
import { createSymbols } from "../../src/symbolic/symbols.ts";

const { solver } = createSolver({ cache: false, limits: { resources: 1_000_000, milliseconds: 20_000 } });
afterAll(() => solver.dispose());

const program = await loadCText("p.c", "int main(void) { return 0; }", { preprocess: "builtin" });
const terms = createTerms();
const symbols = createSymbols(program, terms);
const bases = [-1, -2, -3].map((number) => symbols.heapObject(number, 8).base);
const decide = decideAddresses(symbols);

describe("addresses", () => {
  const [a, b] = bases as [Term, Term];
  it.each([
    ["no object is at zero", terms.eq(a, terms.int(0n)), false],
    ["two are not at one address", terms.eq(a, terms.add(b, terms.int(8n))), false],
    [
      "one is not inside of another",
      terms.and(
        terms.ge(terms.div(terms.sub(a, b), terms.int(8n)), terms.int(0n)),
        terms.lt(terms.div(terms.sub(a, b), terms.int(8n)), terms.int(100n)),
      ),
      false,
    ],
  ])("%s", (_, formula, expected) => {
    expect(decide(formula)).toBe(terms.bool(expected));
  });

  // As the solver has it, who knows where objects are from the same axioms.
  it("decides only what follows from the places of objects", () => {
    const small = fc.integer({ min: -40, max: 40 }).map(BigInt);
    const atom = fc
      .tuple(fc.nat(2), fc.nat(2), small, fc.constantFrom(1n, 4n, 8n), small, fc.boolean(), fc.boolean())
      .map(([i, j, offset, divisor, bound, isEqual, isLower]) => {
        const distance = terms.add(i === j ? bases[i]! : terms.sub(bases[i]!, bases[j]!), terms.int(offset));
        const term = terms.div(distance, terms.int(divisor));
        if (isEqual) return terms.eq(term, terms.int(bound));
        return isLower ? terms.ge(term, terms.int(bound)) : terms.le(term, terms.int(bound));
      });
    const formulas = fc
      .tuple(fc.array(atom, { minLength: 2, maxLength: 3 }), fc.boolean())
      .map(([parts, isAll]) => (isAll ? terms.all(parts) : terms.any(parts)));
    let changed = 0;
    for (const formula of fc.sample(formulas, { seed: 7, numRuns: 60 })) {
      const decided = decide(formula);
      if (decided === formula) continue;
      changed++;
      solver.push();
      const differ = terms.not(terms.iff(formula, decided));
      solver.assert(differ, ...axiomsFor(symbols, [formula], new Set()));
      expect(freeVariablesOf([formula]).length > 0 && solver.check([]).kind).toBe("unsat");
      solver.pop();
    }
    expect(changed).toBeGreaterThan(15);
  });
});
