import { describe, expect, it } from "vitest";
import { type ExplorationState, itemsOf } from "../../../../src/analyses/explore/explorer.ts";
import { instantiate } from "../../../../src/analyses/explore/feasibility.ts";
import type { Term } from "../../../../src/logic/term.ts";
import { createSolver } from "../../../../src/solver/solverChain.ts";
import { axiomsFor } from "../../../../src/symbolic/createProver.ts";
import type { Symbols } from "../../../../src/symbolic/symbols.ts";
import { exploreText } from "../../../support/explored.ts";

/** linSrch of 004, Figure 1. */
const linearSearch = `
int A[1000];
int main(void) {
  int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), i = 0, r;
  for (int k = 0; k < 8; k++) A[k] = __VERIFIER_nondet_int();
  while (i < n) { if (A[i] == x) { r = i; goto end; } i++; }
  r = -1;
end:
  return r;
}`;

type Leaf = { readonly state: ExplorationState; readonly line: number };

/** The leaves of a tree, over the given symbols. */
async function leavesOf(symbols: Symbols | null, mode: "classic" | "compact", maxDepth: number) {
  const leaves: Leaf[] = [];
  let used: Symbols | null = null;
  const tree = await exploreText(linearSearch, {
    mode,
    prune: false,
    // The loop that fills the array is none of the paper's.
    unrolled: 8,
    ...(symbols === null ? {} : { symbols }),
    limits: { maxStates: 20_000, maxDepth },
    onLeaf(known, state, edge) {
      used = known;
      leaves.push({ state, line: edge.range.line });
    },
  });
  return { leaves, tree, symbols: used! as Symbols };
}

describe("the linear search of the paper", () => {
  it("has a compact tree of two leaves that cover the leaves of the classic tree at bound 8", async () => {
    const compact = await leavesOf(null, "compact", 500);
    expect(compact.tree.isComplete).toBe(true);
    expect(compact.leaves).toHaveLength(2);
    const { symbols } = compact;
    const classic = await leavesOf(symbols, "classic", 16);
    // Found at 0 to 7, and not found with n <= 0, 1, …, 8.
    expect(classic.leaves.length).toBeGreaterThanOrEqual(16);
    const { solver } = createSolver();
    const { terms } = symbols;
    const implies = (from: readonly Term[], to: readonly Term[]): boolean => {
      const formulas = [...from, terms.not(terms.all(to))];
      return solver.check([...axiomsFor(symbols, formulas, new Set()), ...formulas], { model: false }).kind === "unsat";
    };
    for (const { state } of classic.leaves.slice(0, 16)) {
      const path = itemsOf(state.path);
      const isInstance = compact.leaves.some(({ state: leaf }) => {
        const parameters = itemsOf(leaf.parameters);
        return Array.from({ length: 10 }, (_, k) => BigInt(k)).some((k) => {
          const small = instantiate(symbols, itemsOf(leaf.path), parameters, [k]);
          return implies(path, small) && implies(small, path);
        });
      });
      expect(isInstance).toBe(true);
    }
    solver.dispose();
  });
});
