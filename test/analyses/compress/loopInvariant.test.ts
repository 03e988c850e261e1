import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generalize } from "../../../src/cutpoints/generalize.ts";
import { loopInvariant, walkLoop } from "../../../src/cutpoints/loopInvariant.ts";
import type { Assignment } from "../../../src/logic/evaluate.ts";
import type { Term } from "../../../src/logic/term.ts";
import { loopSiteOf, type TestedLoop } from "../../support/loopSiteOf.ts";

/** `y >= 0` is kept only together with `x >= 0`; z stays as it is; nothing else about x and y is kept. */
const sums =
  "int x = 0, y = 0, z = 5; while (__VERIFIER_nondet_int()) { x++; y = y + x; if (z != 5) z = x; } assert(y < 0);";

let loop: TestedLoop;
let named: Record<"x>=0" | "y>=0" | "z==5" | "x<=3" | "y<=5" | "x==y" | "z<=5", Term>;
beforeAll(async () => {
  loop = await loopSiteOf(sums, [1n, 1n, 0n]);
  const { terms } = loop;
  const [x, y, z] = ["x", "y", "z"].map(loop.place) as [Term, Term, Term];
  const int = (value: number) => terms.int(value);
  named = {
    ...{ "x>=0": terms.ge(x, int(0)), "y>=0": terms.ge(y, int(0)), "z==5": terms.eq(z, int(5)) },
    ...{
      "x<=3": terms.le(x, int(3)),
      "y<=5": terms.le(y, int(5)),
      "x==y": terms.eq(x, y),
      "z<=5": terms.le(z, int(5)),
    },
  };
});
afterAll(() => loop.dispose());

const atHead = (...names: (keyof typeof named)[]) => new Map([[loop.root, names.map((name) => named[name])]]);
const namesOf = (formulas: Iterable<Term>) =>
  [...formulas].map((formula) => Object.entries(named).find(([, each]) => each === formula)![0]).sort();

describe("a walk from a model", () => {
  const refutedFrom = (values: Readonly<Record<string, bigint>>, ...names: (keyof typeof named)[]) => {
    const state: Assignment = (variable) => Object.entries(values).find(([name]) => loop.place(name) === variable)?.[1];
    const alive = new Map([[loop.root, new Set(atHead(...names).get(loop.root))]]);
    const refuted: Term[] = [];
    walkLoop(loop.symbols, loop.site.system, alive, loop.root, state, (cutPoint, candidate) => {
      expect(alive.get(cutPoint)!.delete(candidate)).toBe(true);
      refuted.push(candidate);
    });
    return namesOf(refuted);
  };

  it("continues where the model ends, and refutes candidates that fail rounds later", () => {
    expect(refutedFrom({ x: 0n, y: 0n, z: 5n }, "x>=0", "y>=0", "z==5", "x<=3", "y<=5", "x==y")).toEqual([
      "x<=3",
      "x==y",
      "y<=5",
    ]);
  });

  it("refutes nothing that holds at all visited states, and nothing after the loop is left", () => {
    expect(refutedFrom({ x: 0n, y: 0n, z: 5n }, "x>=0", "y>=0", "z==5", "z<=5")).toEqual([]);
    expect(refutedFrom({ x: 2147483647n, y: 0n, z: 5n }, "x<=3")).toEqual([]);
  });
});

describe("the greatest inductive subset", () => {
  const invariantAmong = (...names: (keyof typeof named)[]) =>
    namesOf(loopInvariant(loop.symbols, loop.prover, loop.site.system, atHead(...names)).get(loop.root)!);

  it("contains every inductive subset of the candidates, and is inductive", () => {
    const all = ["x>=0", "y>=0", "z==5", "x<=3", "x==y"] as const;
    const greatest = invariantAmong(...all);
    expect(loop.isInductive(atHead(...(greatest as (typeof all)[number][])))).toBe(true);
    for (let subset = 0; subset < 1 << all.length; subset++) {
      const chosen = all.filter((_, i) => subset & (1 << i));
      if (loop.isInductive(atHead(...chosen))) expect(greatest).toEqual(expect.arrayContaining(chosen));
    }
    expect(greatest).toEqual(["x>=0", "y>=0", "z==5"]);
  });

  it("loses a candidate that needs a formula which is not a candidate, however late that shows", () => {
    expect(invariantAmong("y>=0", "z==5")).toEqual(["z==5"]);
    expect(invariantAmong("z<=5", "x>=0")).toEqual(["x>=0"]);
  });

  it("keeps at each head of nested loops what both ways to it preserve", async () => {
    const nested = await loopSiteOf(
      "int x = 0, k = 0; while (__VERIFIER_nondet_int()) { k = 0; while (k < 2) { k++; x++; } } assert(x < 0);",
      [1n, 1n, 0n],
    );
    const { terms, place, site, root } = nested;
    const about = (name: string, low: number) => terms.ge(place(name), terms.int(low));
    const candidates = [about("x", 0), about("k", 0), about("k", 2), terms.le(place("k"), terms.int(2))];
    expect(site.system.blocks.size).toBe(2);
    const found = loopInvariant(
      nested.symbols,
      nested.prover,
      site.system,
      new Map([...site.system.blocks.keys()].map((key) => [key, candidates])),
    );
    for (const [key, formulas] of found) {
      const without = (left: Term) => candidates.filter((candidate) => candidate !== left);
      expect(formulas).toEqual(key === root ? candidates : without(about("k", 2)));
    }
    expect(nested.isInductive(found)).toBe(true);
    nested.dispose();
  });
});

describe("generalisation", () => {
  const generalized = (...names: (keyof typeof named)[]) => {
    const { symbols, prover, site, root } = loop;
    const result = generalize(symbols, prover, site.system, atHead(...names), site.obligation);
    expect(loop.isInductive(result)).toBe(true);
    return namesOf(result.get(root)!);
  };

  it("drops conjuncts that neither the rest of the run nor induction needs", () => {
    expect(generalized("x>=0", "y>=0", "z==5")).toEqual(["x>=0", "y>=0"]);
  });

  it("keeps conjuncts that are needed only for induction", () => {
    expect(generalized("y>=0", "x>=0")).toEqual(["x>=0", "y>=0"]);
  });
});
