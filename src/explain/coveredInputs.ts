import { evaluate } from "../logic/evaluate.ts";
import type { Variable } from "../logic/term.ts";
import type { InputValue } from "../trace/inputs.ts";
import type { RecordedInput } from "../trace/machine.ts";
import type { ConditionOnInputs } from "./inputCondition.ts";

/**
 * Tells whether another run's inputs satisfy the condition of an explanation. A loop that goes round more or less often
 * reads more or fewer inputs, so they are told apart by where they are read, not by their number.
 */
export function coveredInputs(
  recorded: readonly RecordedInput[],
  { formulas, inputs }: ConditionOnInputs,
): (other: readonly RecordedInput[]) => boolean {
  const isSite = (site: RecordedInput) => (input: RecordedInput) =>
    input.function === site.function && input.edge === site.edge;
  /** How a variable of the condition is found among the inputs of a run; null where that is not settled. */
  const find = new Map<Variable, (other: readonly RecordedInput[]) => InputValue | null>();
  for (const [index, variable] of inputs.entries()) {
    if (variable === null) continue;
    const site = recorded[index]!;
    const before = recorded.slice(0, index).filter(isSite(site)).length;
    const isInLoopToo = recorded.some((input, i) => inputs[i] === null && isSite(site)(input));
    find.set(variable, (other) => {
      const there = other.filter(isSite(site));
      const moved = isInLoopToo && there.length !== recorded.filter(isSite(site)).length;
      return moved ? null : (there[before]?.value ?? null);
    });
  }
  return (other) =>
    formulas.every(
      (formula) =>
        evaluate(formula, (variable) => {
          const value = find.get(variable)?.(other) ?? null;
          return typeof value === "bigint" ? value : undefined;
        }) === true,
    );
}
