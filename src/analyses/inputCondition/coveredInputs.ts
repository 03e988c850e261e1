import { nth } from "../../base/checked.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { RecordedInput } from "../../interpreter/machine.ts";
import { evaluate } from "../../logic/evaluate.ts";
import type { Variable } from "../../logic/term.ts";
import type { ConditionOnInputs } from "./inputCondition.ts";

/**
 * Tells whether another run's inputs satisfy the condition of an explanation. A loop that goes round more or less often
 * reads more or fewer inputs, so they are told apart by where they are read, not by their number.
 */
export function coveredInputs(
  recorded: readonly RecordedInput[],
  condition: ConditionOnInputs,
): (other: readonly RecordedInput[], stdin?: Uint8Array) => boolean {
  const { formulas, inputs, bytes } = condition;
  const fixed = condition.kind === "claimed" ? [...condition.fixed] : [];
  const findFixed = fixed.map((index) => [nth(recorded, index).value, finder(recorded, inputs, index)] as const);
  const find = new Map<Variable, (other: readonly RecordedInput[]) => InputValue | undefined>();
  for (const [index, variable] of inputs.entries()) {
    if (variable !== null) find.set(variable, finder(recorded, inputs, index));
  }
  const offsets = new Map(bytes.map(({ variable }, offset) => [variable, offset]));
  return (other, stdin) =>
    findFixed.every(([value, find]) => Object.is(find(other), value)) &&
    formulas.every(
      (formula) =>
        evaluate(formula, (variable) => {
          const offset = offsets.get(variable);
          if (offset !== undefined) return BigInt(stdin?.[offset] ?? nth(bytes, offset).value);
          const value = find.get(variable)?.(other);
          return typeof value === "bigint" ? value : undefined;
        }) === true,
    );
}

/**
 * Finds in another run what an input is in this one. Where the same place is read in folded rounds too, those before are
 * counted from the start and those behind from the end; between two folded loops it is not settled which one it is.
 */
function finder(
  recorded: readonly RecordedInput[],
  inputs: ConditionOnInputs["inputs"],
  index: number,
): (other: readonly RecordedInput[]) => InputValue | undefined {
  const site = nth(recorded, index);
  const isHere = (input: RecordedInput) => input.function === site.function && input.edge === site.edge;
  const isFolded = (input: RecordedInput, i: number) => inputs[i] === null && isHere(input);
  const before = recorded.slice(0, index).filter(isHere).length;
  const behind = recorded.slice(index + 1).filter(isHere).length;
  const isAfterFold = recorded.some((input, i) => i < index && isFolded(input, i));
  const isBeforeFold = recorded.some((input, i) => i > index && isFolded(input, i));
  if (isAfterFold && isBeforeFold) return () => undefined;
  return (other) => {
    const there = other.filter(isHere);
    return there[isAfterFold ? there.length - 1 - behind : before]?.value;
  };
}
