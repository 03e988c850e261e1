import { afterAll, describe, expect, it } from "vitest";
import type { ContractCase } from "../../../src/analyses/infer/contract.ts";
import { consistent } from "../../../src/analyses/infer/joinCases.ts";
import { kindsOf } from "../../../src/analyses/infer/kinds.ts";
import { nothingWritten, printExpr } from "../../../src/analyses/infer/printExpr.ts";
import { createContractReasoner } from "../../../src/analyses/infer/reasoner.ts";
import { binary, constant, type EntryExpr, fresh, loopVariable, parameter } from "../../../src/concolic/expr.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import { createSolver } from "../../../src/solver/solverChain.ts";

const n = parameter("n");
const i = loopVariable("i");
const caseWith = (guard: readonly EntryExpr[]): ContractCase => ({
  ...{ guard, outcome: "return", error: null, effects: [], calls: 1, partial: false, unsaid: false },
});

describe("conditions of several rounds of a loop", () => {
  const kinds = kindsOf([
    {
      ...{ conditions: [], writes: [], freshCells: [], freshObjects: new Map(), delegated: [], state: null },
      outcome: { kind: "return", result: constant(0), concrete: 0 },
      entry: new Map([[n.key, { term: n, value: 3 }]]),
      rounds: new Map([["i", [0, 1, 2]]]),
      checks: { agreed: 0, disagreed: 0, open: 0 },
    },
  ]);
  const { solver } = createSolver();
  afterAll(() => solver.dispose());
  const reasoner = createContractReasoner({ terms: createTerms(), solver }, kinds, [], []);

  it("are not said about one round if they exclude each other", () => {
    const positive = binary(">", n, constant(0));
    const one = consistent(caseWith([positive, binary("<", i, n), binary(">=", i, n)]), reasoner);
    expect(one).toMatchObject({ guard: [positive], partial: true });
  });

  it("are kept if they go together", () => {
    const one = caseWith([binary("<", i, n), binary(">", i, constant(0))]);
    expect(consistent(one, reasoner)).toBe(one);
  });

  it("shows new objects with the values that they were made with", () => {
    const print = (text: string) => printExpr(fresh(0, "Box", text), { kinds, ...nothingWritten, params: new Set() });
    expect(print("new Box(n, 3)")).toBe("new Box(n, 3)");
    expect(print("new Box(?0)")).toBe("a new Box");
    expect(print("new Box(^cache, <Array#1>)")).toBe("a new Box");
  });
});
