import { nth, present } from "../../base/checked.ts";
import { constant, type EntryExpr, field, parameter, self } from "../../concolic/expr.ts";
import type { FunctionRecord, Summary } from "../../concolic/summary.ts";
import type { ObjectState } from "../../js/recorder/readLog.ts";
import { applyBinary, applyUnary, type Concrete, unknownValue } from "../../js/recorder/valueRules.ts";
import type { ContractCase, ContractEffect } from "./contract.ts";
import { effectKey } from "./joinCases.ts";

/** The number of different values that are required; fewer may be a coincidence. */
const fewest = 3;

/** Effects on `this` that the recorded states show and no term expresses. */
export function stateEffects(
  { subject, summaries }: FunctionRecord,
  cases: readonly ContractCase[],
): readonly ContractEffect[] {
  const returned = summaries.filter(({ outcome }) => outcome.kind === "return");
  if (returned.length === 0 || returned.some(({ state }) => state === null)) return [];
  const told = new Set(cases.flatMap((one) => one.effects.map(effectKey)));
  const found =
    subject.kind === "constructor" ? emptyCollections(returned) : keptParameters(subject.params, returned, cases);
  return found.filter((effect) => !told.has(effectKey(effect)));
}

/** Field initialisers run outside of the constructor, so only the states show that it leaves a collection empty. */
function emptyCollections(returned: readonly Summary[]): readonly ContractEffect[] {
  const names = [...present(nth(returned, 0).state).properties.keys()];
  return names.flatMap((name): readonly ContractEffect[] => {
    const properties = returned.map(({ state }) => state!.properties.get(name));
    const place = field(self, name);
    const value = constant(0);
    if (properties.every((one) => one?.size === 0)) return [{ kind: "shape", place, name: "size", value }];
    if (properties.every((one) => one?.length === 0)) return [{ kind: "shape", place, name: "length", value }];
    return [];
  });
}

/** Parameters that are elements of a changed array after each call. */
function keptParameters(
  params: readonly string[],
  returned: readonly Summary[],
  cases: readonly ContractCase[],
): readonly ContractEffect[] {
  const changed = new Set(
    cases.flatMap((one) => one.effects.flatMap((effect) => (effect.kind === "changed" ? [effect.place] : []))),
  );
  const arrays = [...changed].flatMap((place) =>
    place.kind === "element" && place.base.kind === "field" && place.base.base.kind === "this" ? [place.base.name] : [],
  );
  return [...new Set(arrays)].flatMap((array) =>
    params.flatMap((name): readonly ContractEffect[] => {
      const values = new Set<unknown>();
      const isKept = returned.every(({ entry, state }) => {
        const value = entry.get(parameter(name).key)?.value;
        values.add(value);
        const property = state!.properties.get(array);
        return value !== undefined && property?.length != null && property.elements.includes(value);
      });
      if (!isKept || values.size < fewest) return [];
      return [{ kind: "contains", place: field(self, array), value: parameter(name) }];
    }),
  );
}

/** The value of a term over `this` in a recorded state. */
export function valueInState(expr: EntryExpr, state: ObjectState): Concrete {
  switch (expr.kind) {
    case "const":
      return expr.value;
    case "this":
      return state.object;
    case "unary":
      return applyUnary(expr.operator, valueInState(expr.operand, state));
    case "binary":
      return applyBinary(expr.operator, valueInState(expr.left, state), valueInState(expr.right, state));
    case "field":
      if (expr.base.kind === "this") {
        const property = state.properties.get(expr.name);
        return property === undefined ? unknownValue : property.value;
      }
      if (expr.base.kind === "field" && expr.base.base.kind === "this") {
        const property = state.properties.get(expr.base.name);
        const size = expr.name === "length" ? property?.length : expr.name === "size" ? property?.size : null;
        return size ?? unknownValue;
      }
      return unknownValue;
    case "element": {
      if (expr.base.kind !== "field" || expr.base.base.kind !== "this") return unknownValue;
      const property = state.properties.get(expr.base.name);
      const index = valueInState(expr.index, state);
      if (property === undefined || property.length === null || typeof index !== "number") return unknownValue;
      if (index >= property.elements.length) return index >= property.length ? undefined : unknownValue;
      return property.elements[index];
    }
    default:
      return unknownValue;
  }
}
