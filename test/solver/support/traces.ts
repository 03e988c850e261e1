import fc from "fast-check";
import { expect } from "vitest";
import { printSource } from "../../../src/logic/printSource.ts";
import type { Term } from "../../../src/logic/term.ts";
import type { Terms } from "../../../src/logic/terms.ts";
import { freeVariablesOf } from "../../../src/logic/traverse.ts";
import { entails, type Solver } from "../../../src/solver/solver.ts";

export type Steps = readonly (readonly Term[])[];

/** Checks the definition of a sequence of interpolants, one question per step, without any code of interpolation. */
export function expectInterpolants(t: Terms, judge: Solver, steps: Steps, sequence: readonly Term[]) {
  expect(sequence.length).toBe(steps.length - 1);
  const formulas = [t.bool(true), ...sequence, t.bool(false)];
  for (const [i, step] of steps.entries()) {
    const result = entails(t, judge, [formulas[i]!, ...step], formulas[i + 1]!);
    expect(result.kind, `step ${i + 1}: ${printSource(formulas[i]!)} then ${printSource(formulas[i + 1]!)}`).toBe(
      "valid",
    );
  }
  for (const [i, formula] of sequence.entries()) {
    const [before, behind] = [
      freeVariablesOf(steps.slice(0, i + 1).flat()),
      freeVariablesOf(steps.slice(i + 1).flat()),
    ];
    for (const variable of freeVariablesOf([formula]))
      expect(before.includes(variable) && behind.includes(variable), variable.name).toBe(true);
  }
}

export type Action = { readonly kind: string; readonly a: number; readonly b: number; readonly c: bigint };
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("add", "copy", "assume", "assume", "store", "load", "input", "half", "choose", "differ"),
  a: fc.nat(2),
  b: fc.nat(2),
  c: fc.bigInt({ min: -3n, max: 3n }),
});

/** Executes the actions on versioned variables, one step each. */
export function traceOf(t: Terms, actions: readonly Action[]): Steps {
  const names = ["x", "y", "z"];
  const versions = [0, 0, 0];
  let arrays = 0;
  const read = (i: number) => t.variable(`${names[i]}_${versions[i]}`, "Int");
  const write = (i: number, value: Term) => {
    versions[i]!++;
    return t.eq(read(i), value);
  };
  const array = () => t.variable(`m_${arrays}`, "Array");
  const steps: Term[][] = [names.map((_, i) => t.eq(read(i), t.int(i)))];
  for (const { kind, a, b, c } of actions) {
    const k = t.int(c);
    switch (kind) {
      case "add":
        steps.push([write(a, t.add(read(a), t.scale(c, read(b)), t.int(1)))]);
        break;
      case "copy":
        steps.push([write(a, t.add(read(b), k))]);
        break;
      case "assume":
        steps.push([t.le(t.sub(read(a), read(b)), k)]);
        break;
      case "differ":
        steps.push([t.ne(read(a), t.add(read(b), k))]);
        break;
      case "store": {
        const before = array();
        arrays++;
        steps.push([t.eq(array(), t.store(before, read(a), read(b)))]);
        break;
      }
      case "load":
        steps.push([write(a, t.select(array(), read(b)))]);
        break;
      case "input":
        versions[a]!++;
        steps.push([t.ge(read(a), k)]);
        break;
      case "half":
        steps.push([write(a, t.truncatingDiv(read(a), t.int(2)))]);
        break;
      case "choose":
        steps.push([write(a, t.ite(t.lt(read(a), read(b)), t.add(read(a), k), read(b)))]);
        break;
    }
  }
  steps.push([t.gt(read(0), read(1))], [t.le(read(0), t.add(read(1), t.int(-1)))].slice(0, actions.length % 2));
  return steps;
}

export const randomActions = fc.array(action, { minLength: 2, maxLength: 12 });
