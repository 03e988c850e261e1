import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Variable } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { type VariableMap, variableMap } from "../../src/logic/variableMap.ts";

const terms = createTerms();
const variables: readonly Variable[] = Array.from({ length: 1500 }, (_, i) => {
  // Terms in between, so that the numbers of the variables have gaps.
  if (i % 7 === 0) for (let k = 0; k < i; k++) terms.int(1_000_000 + 1000 * i + k);
  return terms.variable(`x${i}`, "Int");
});

type Change = { readonly at: number; readonly value: number | null };
const changes = fc.array(
  fc.record({ at: fc.nat({ max: variables.length - 1 }), value: fc.option(fc.nat({ max: 3 })) }),
  { maxLength: 60 },
);

function changed(map: VariableMap<number>, model: Map<Variable, number>, list: readonly Change[]) {
  let result = map;
  for (const { at, value } of list) {
    const variable = variables[at]!;
    result = value === null ? result.delete(variable) : result.set(variable, value);
    if (value === null) model.delete(variable);
    else model.set(variable, value);
  }
  return result;
}

const inOrder = (model: ReadonlyMap<Variable, number>) => [...model].sort(([a], [b]) => a.id - b.id);

describe("a map from variables that never changes", () => {
  it("behaves like a map, in the order in which the variables were made", () => {
    fc.assert(
      fc.property(changes, (list) => {
        const model = new Map<Variable, number>();
        const map = changed(variableMap(), model, list);
        expect([...map]).toEqual(inOrder(model));
        expect([...map.keys()]).toEqual(inOrder(model).map(([key]) => key));
        expect([...map.values()]).toEqual(inOrder(model).map(([, value]) => value));
        expect(map.size).toBe(model.size);
        for (const variable of variables) {
          expect(map.get(variable)).toBe(model.get(variable));
          expect(map.has(variable)).toBe(model.has(variable));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keeps changes of two maps that continue from one map apart", () => {
    fc.assert(
      fc.property(changes, changes, changes, (before, left, right) => {
        const model = new Map<Variable, number>();
        const shared = changed(variableMap(), model, before);
        const [one, other] = [new Map(model), new Map(model)];
        const [a, b] = [changed(shared, one, left), changed(shared, other, right)];
        expect([...shared]).toEqual(inOrder(model));
        expect([...a]).toEqual(inOrder(one));
        expect([...b]).toEqual(inOrder(other));
        const differs = ([variable, value]: readonly [Variable, number]) => other.get(variable) !== value;
        expect(a.changesSince(b)).toEqual(inOrder(one).filter(differs));
      }),
      { numRuns: 100 },
    );
  });

  it("is the same object if nothing changes", () => {
    const map = variableMap([[variables[3]!, 5]]);
    expect(map.set(variables[3]!, 5)).toBe(map);
    expect(map.delete(variables[4]!)).toBe(map);
  });
});
