import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExplorationState, itemsOf } from "../../../../src/analyses/explore/explorer.ts";
import { instantiate } from "../../../../src/analyses/explore/feasibility.ts";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../../src/interpreter/run.ts";
import { evaluateAll } from "../../../../src/logic/evaluate.ts";
import type { Variable } from "../../../../src/logic/term.ts";
import { valueOf } from "../../../../src/symbolic/symbolicState.ts";
import { type Symbols, staticFrame } from "../../../../src/symbolic/symbols.ts";
import { exploreText } from "../../../support/explored.ts";

const small = fc.integer({ min: -3, max: 4 });
const update = fc.oneof(
  small.map((c) => `x = x + ${c};`),
  small.map((c) => `y = ${c} - y;`),
  fc.constant("y = y + x;"),
  fc.constant("y = 2 * y + 1;"),
  small.map((c) => `y = x + ${c};`),
  fc.constant("a[i] = x;"),
  fc.constant("a[i] = a[i] + i;"),
  small.map((c) => `if (i < ${c}) x = x + 2;`),
);

/** Loops with one cycle or several phases, written to be gone round at most five times each. */
const program = fc
  .record({
    start: fc.tuple(small, small),
    body: fc.array(update, { minLength: 1, maxLength: 3 }),
    stride: fc.constantFrom(1, 2),
    second: fc.boolean(),
  })
  .map(
    ({ start: [x, y], body, stride, second }) => `int result;
int main(void) {
  int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int n = __VERIFIER_nondet_int(), x = ${x}, y = ${y}, i = 0;
  __VERIFIER_assume(n >= 0 && n <= 5);
  while (i < n) { ${body.join(" ")} i += ${stride}; }
  ${second ? "while (i > 0) { x = x + i; i--; }" : ""}
  result = x + 3 * y + 5 * i + 7 * a[1] + 11 * a[n];
}`,
  );

type Leaf = { readonly symbols: Symbols; readonly state: ExplorationState };

/** What a leaf at some numbers of rounds says of all inputs there are: the result, or that no run with that input comes there. */
function cellsOf(leaves: readonly Leaf[]): readonly string[] {
  return leaves
    .flatMap((leaf) => {
      const count = itemsOf(leaf.state.parameters).length;
      return valuations(count).map((values) =>
        inputs.map((input) => resultsIn(leaf, input, [values])[0] ?? "-").join(" "),
      );
    })
    .filter((cell) => /\d/.test(cell))
    .sort();
}

const inputs = [0n, 1n, 2n, 3n, 4n, 5n];

/** Which leaf a run with this input ends in, and what `result` is there. */
function resultsAt(leaves: readonly Leaf[], input: bigint): readonly (bigint | null)[] {
  return leaves.flatMap((leaf) => resultsIn(leaf, input, valuations(itemsOf(leaf.state.parameters).length)));
}

function resultsIn(
  { symbols, state }: Leaf,
  input: bigint,
  rounds: readonly (readonly bigint[])[],
): readonly (bigint | null)[] {
  const parameters = itemsOf(state.parameters);
  const [read] = itemsOf(state.inputs);
  const assignment = (variable: Variable) => (read?.kind === "once" && variable === read.variable ? input : undefined);
  const result = symbols.program.variables.find(({ name }) => name === "result")!;
  const value = valueOf(symbols, state.memory, symbols.register(staticFrame, result.id));
  return rounds.flatMap((values) => {
    const formulas = instantiate(symbols, [...itemsOf(state.path), value], parameters, values);
    const known = evaluateAll(formulas, assignment);
    const isHere = known.slice(0, -1).every((each) => each === true);
    return isHere ? [known.at(-1) as bigint | null] : [];
  });
}

function valuations(count: number): readonly (readonly bigint[])[] {
  let all: readonly (readonly bigint[])[] = [[]];
  for (let i = 0; i < count; i++)
    all = all.flatMap((values) => [0, 1, 2, 3, 4, 5, 6].map((k) => [...values, BigInt(k)]));
  return all;
}

describe("templates", () => {
  it("put every run into one leaf of the compact tree, at one number of rounds, with the same result", async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(program, async (body) => {
        const leaves: Leaf[] = [];
        const tree = await exploreText(body, {
          prune: false,
          unrolled: 0,
          limits: { maxStates: 600, maxDepth: 60 },
          onLeaf: (symbols, state) => leaves.push({ symbols, state }),
        });
        // What was not followed to its end may be where a run ends.
        if (!tree.isComplete) return;
        complete++;
        const followed: Leaf[] = [];
        const classic = await exploreText(body, {
          mode: "classic",
          prune: false,
          limits: { maxStates: 3000, maxDepth: 60 },
          onLeaf: (symbols, state) => followed.push({ symbols, state }),
        });
        // Each leaf of either tree, at some numbers of rounds, is one of the other: for the same inputs, with the same results.
        if (classic.isComplete) expect(cellsOf(leaves)).toEqual(cellsOf(followed));
        for (const input of inputs) {
          const concrete = await resultOf(body, input);
          expect(resultsAt(leaves, input)).toEqual([concrete]);
        }
      }),
      { numRuns: 4, seed: 7 },
    );
    expect(complete).toBeGreaterThan(2);
  });
});

async function resultOf(body: string, input: bigint): Promise<bigint> {
  const text = `#include <stdio.h>
extern int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
${body.replace(/}$/, 'printf("%d", result); }')}`;
  const { stdout } = runProgram(await loadCText("p.c", text), { inputs: [input] });
  return BigInt(Buffer.from(stdout).toString());
}
