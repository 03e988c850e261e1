import type { InputValue } from "../../interpreter/inputs.ts";
import type { ScalarType } from "../../ir/type.ts";
import { readArray, type Value } from "../../logic/evaluate.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";

/** What a path has read, in order. */
export type PathInput =
  | { readonly kind: "once"; readonly variable: Variable; readonly type: ScalarType }
  /** `count` rounds of a cycle, which read an element of each array per round. */
  | {
      readonly kind: "rounds";
      readonly count: Term;
      readonly perRound: readonly { readonly array: Variable; readonly type: ScalarType }[];
    };

/** A run that reads more is not made. */
const mostInputs = 1_000_000;

/** The inputs of the run that a model describes; null where they are too many, or the model does not say. */
export function inputsIn(model: Model, read: readonly PathInput[]): readonly InputValue[] | null {
  const inputs: InputValue[] = [];
  for (const input of read) {
    if (input.kind === "once") {
      inputs.push(valueFor(model.value(input.variable), input.type));
      continue;
    }
    const count = model.evaluate(input.count);
    if (typeof count !== "bigint" || count > BigInt(mostInputs)) return null;
    for (let round = 0n; round < count; round++) {
      for (const { array, type } of input.perRound) {
        const values = model.value(array);
        inputs.push(valueFor(typeof values === "object" ? readArray(values, round) : 0n, type));
      }
      if (inputs.length > mostInputs) return null;
    }
  }
  return inputs;
}

/** Floats are not computed with: any will do. */
function valueFor(value: Value | undefined | null, type: ScalarType): InputValue {
  if (type.kind === "float") return 0;
  return typeof value === "bigint" ? value : 0n;
}
