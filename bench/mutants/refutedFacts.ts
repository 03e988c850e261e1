import { TracefoldError } from "../../src/base/errors.ts";
import { joinFormulas } from "../../src/base/text.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { ArgumentStep } from "../../src/commands/explain/result.ts";
import { runProgram } from "../../src/interpreter/run.ts";

/** How many facts of a report are false with the values that their variables had on the run. */
export async function refutedFacts({ steps }: { readonly steps: readonly ArgumentStep[] }): Promise<number> {
  let refuted = 0;
  for (const step of steps) {
    if (step.kind !== "fact") continue;
    const formula = withValues(joinFormulas(step.formulas), step.values);
    if (formula !== null && (await holds(formula)) === false) refuted++;
  }
  return refuted;
}

/** Values for names, the longer names first; null where something is left that is no number. */
function withValues(
  formula: string,
  variables: readonly { readonly name: string; readonly value: unknown }[],
): string | null {
  let text = formula;
  for (const { name, value } of variables.toSorted((a, b) => b.name.length - a.name.length)) {
    text = text.replaceAll(wholeName(name), `(${value})`);
  }
  return /[a-z_$"'[]/i.test(text) ? null : text;
}

function wholeName(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.>$])${escaped}(?![\\w$[]|\\.\\w|->)`, "g");
}

/** By the interpreter; null where it is no expression of C. */
async function holds(formula: string): Promise<boolean | null> {
  try {
    const program = await loadCText("fact.c", `int main(void) { return (${formula}) ? 0 : 1; }\n`);
    const { outcome } = runProgram(program);
    return outcome.kind === "exit" ? outcome.code === 0 : null;
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}
