import { violates } from "../../../src/commands/verify/confirmRun.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import type { Program } from "../../../src/ir/program.ts";
import { inputValues } from "./generateTask.ts";

export type Truth = { readonly kind: "safe" | "unsafe"; readonly hasUndefined: boolean; readonly runs: number };

/** What trying all inputs says; null where a run does not end. */
export function exhaustiveVerdict(program: Program, property: Property): Truth | null {
  let runs = 0;
  let hasUndefined = false;
  let isUnsafe = false;
  const work: (readonly bigint[])[] = [[]];
  for (let inputs = work.pop(); inputs !== undefined; inputs = work.pop()) {
    runs++;
    const { outcome } = runProgram(program, {
      inputs,
      maxSteps: 50_000,
    });
    if (outcome.kind === "needs-input") {
      for (let value = 0; value < inputValues; value++) work.push([...inputs, BigInt(value)]);
    } else if (outcome.kind === "limit") return null;
    else if (violates(property, outcome)) isUnsafe = true;
    else if (outcome.kind === "undefined-behaviour") hasUndefined = true;
  }
  return { kind: isUnsafe ? "unsafe" : "safe", hasUndefined, runs };
}
