import { describe, expect, it } from "vitest";
import { coverTrace } from "../../../src/analyses/errorInvariants/coverTrace.ts";
import { keepStatements } from "../../../src/analyses/errorInvariants/keepStatements.ts";
import { isRefutedNearby } from "../../../src/analyses/errorInvariants/otherRuns.ts";
import { positionsOf } from "../../../src/analyses/errorInvariants/positions.ts";
import { counterfactuals, createReasoner, fixedBy } from "../../../src/analyses/errorInvariants/reasoner.ts";
import { sharedCancellation } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { type LogicWork, withLogic } from "../../../src/commands/explain/proveExplanation.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { evaluate } from "../../../src/logic/evaluate.ts";
import { foldedRun } from "../../../src/recordedRun/foldedRun.ts";
import { type TraceFormula, type Transition, traceFormula } from "../../../src/recordedRun/traceFormula.ts";

const source = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = 5;
  int other = 7;
  int c = a + b;
  assert(c < 8);
  return other;
}
`;

type Setting = LogicWork & { readonly formula: TraceFormula };

async function inSetting<T>(use: (setting: Setting) => T, cancellation = sharedCancellation()): Promise<T> {
  const program = await loadCText("program.c", source);
  const trace = recordTrace(program, { inputs: [4n] });
  return withLogic(trace, { checkers: ["z3"], cancellation }, (work) =>
    use({ ...work, formula: traceFormula(work.symbols, foldedRun(work.run, [], work.target)) }),
  );
}

/** The lines of the statements that transitions come from. */
function linesOf(transitions: readonly Transition[]): readonly number[] {
  return transitions.flatMap(({ origin }) => (origin.kind === "step" ? [origin.edge.range.line] : []));
}

function without({ transitions }: TraceFormula, line: number): readonly Transition[] {
  return transitions.filter(({ origin }) => origin.kind !== "step" || origin.edge.range.line !== line);
}

describe("the reasoner", () => {
  it("decides without the solver what follows and what does not", () =>
    inSetting(({ symbols, prover, formula }) => {
      const reasoner = createReasoner(symbols, prover, formula);
      expect(reasoner.decide(formula.transitions, [], formula.target)).toBe("follows");
      expect(reasoner.decide(without(formula, 6), [], formula.target)).toBe("follows");
      expect(reasoner.decide(without(formula, 5), [], formula.target)).toBe("fails");
      expect(reasoner.decide([], [], formula.target)).toBe("fails");
      expect(reasoner.decide([], [formula.target], formula.target)).toBe("follows");
      expect(reasoner.questions()).toBe(0);
    }));

  it("asks the solver about the remaining questions", () =>
    inSetting(({ symbols, prover, formula }) => {
      const { terms } = symbols;
      const reasoner = createReasoner(symbols, prover, formula);
      const [x, y] = [symbols.fresh("x", intType), symbols.fresh("y", intType)];
      const sum = terms.le(terms.add(x, y), terms.int(3n));
      const goal = terms.le(x, terms.int(1n));
      const facts = [sum, terms.le(terms.add(x, terms.mul(terms.int(-1n), y)), terms.int(0n))];
      expect(reasoner.decide([], facts, goal)).toBe("follows");
      expect(reasoner.questions()).toBe(1);
    }));

  it("has no answer once the work is cancelled", async () => {
    const cancellation = sharedCancellation();
    await inSetting(({ symbols, prover, formula }) => {
      const reasoner = createReasoner(symbols, prover, formula);
      cancellation.cancel("interrupt");
      expect(reasoner.decide(formula.transitions, [], formula.target)).toBe("unknown");
      expect(reasoner.follows(formula.transitions, [], formula.target)).toBe(false);
    }, cancellation);
  });
});

const intType = { kind: "int", bits: 32, signed: true, name: "int" } as const;

describe("other runs", () => {
  it("refute only what does not follow", () =>
    inSetting(({ symbols, formula }) => {
      const values = fixedBy(formula.transitions);
      const refuted = (transitions: readonly Transition[]) =>
        isRefutedNearby(symbols, values, transitions, [], formula.target);
      expect(refuted(formula.transitions)).toBe(false);
      expect(refuted(without(formula, 6))).toBe(false);
      for (const line of [4, 5, 7]) expect(refuted(without(formula, line)), `line ${line}`).toBe(true);
    }));
});

describe("counterfactuals", () => {
  it("are values with which each transition holds and the target does not", () =>
    inSetting(({ symbols, formula }) => {
      const { transitions, target } = formula;
      const values = fixedBy(transitions);
      const others = counterfactuals(symbols, values, transitions, target);
      expect(others.size).toBeGreaterThanOrEqual(3);
      for (const [variable, value] of others) {
        expect(value).not.toBe(values(variable));
        const writer = transitions.find(({ writes }) => writes.some(({ version }) => version === variable));
        // Whoever wrote the version is what would have been different.
        const changed = new Map(
          [...others].filter(([other]) => other === variable || comesAfter(transitions, other, writer)),
        );
        const assignment = (other: typeof variable) => changed.get(other) ?? values(other);
        expect(evaluate(target, assignment), variable.name).toBe(false);
      }
    }));
});

function comesAfter(transitions: readonly Transition[], version: unknown, writer: Transition | undefined): boolean {
  const own = transitions.find(({ writes }) => writes.some((write) => write.version === version));
  return own !== undefined && writer !== undefined && own.index > writer.index;
}

describe("statements, positions and the cover", () => {
  it("keeps the statements that the failure needs, and no other", () =>
    inSetting(({ symbols, prover, formula }) => {
      const kept = keepStatements(createReasoner(symbols, prover, formula), prover, formula);
      if (kept.kind !== "kept") throw new Error(kept.reason);
      expect(linesOf(kept.transitions)).toEqual([4, 5, 7]);
      expect(kept.minimal).toBe(true);
    }));

  it("knows at each position only facts that hold on the run", () =>
    inSetting(({ symbols, prover, formula }) => {
      const reasoner = createReasoner(symbols, prover, formula);
      const options = { suggested: [], values: reasoner.values };
      const positions = positionsOf(symbols, reasoner, formula, formula.transitions, options);
      expect(positions.count).toBe(formula.transitions.length + 1);
      let atoms = 0;
      for (let position = 0; position < positions.count; position++) {
        for (const atom of positions.atomsAt(position)) {
          atoms++;
          expect(evaluate(positions.at(position, atom), reasoner.values), `at ${position}`).not.toBe(false);
        }
      }
      expect(atoms).toBeGreaterThan(5);
    }));

  it("covers the run with error invariants", () =>
    inSetting(({ symbols, prover, formula }) => {
      const { transitions, target } = formula;
      const reasoner = createReasoner(symbols, prover, formula);
      const kept = keepStatements(reasoner, prover, formula);
      if (kept.kind !== "kept") throw new Error(kept.reason);
      const options = { suggested: [], values: reasoner.values };
      const positions = positionsOf(symbols, reasoner, formula, kept.transitions, options);
      const stretches = coverTrace(reasoner, positions, formula, kept.transitions)!;
      expect(linesOf(stretches.flatMap((stretch) => stretch.kept ?? []))).toEqual([4, 5, 7]);
      for (const { from, to, fact } of stretches) {
        for (const position of [from, to]) {
          const stated = symbols.terms.all(fact.map((atom) => positions.at(position, atom)));
          expect(reasoner.follows(transitions.slice(0, position), [], stated), `before ${position}`).toBe(true);
          expect(reasoner.follows(transitions.slice(position), [stated], target), `behind ${position}`).toBe(true);
        }
      }
    }));
});
