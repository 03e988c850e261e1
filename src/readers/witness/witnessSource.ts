import type { InputSource } from "../../interpreter/inputs.ts";
import type { Program } from "../../ir/program.ts";
import { type WitnessValue, witnessValues } from "./witnessInputs.ts";
import type { WitnessRun } from "./witnessRun.ts";

/**
 * The inputs of a run that a witness describes. A value is taken for the next read that it can be about: one at the
 * line of a `function_return`, or one into the variable of an assumption. What the witness leaves open, `open` gives.
 * One source serves one run.
 */
export function witnessInputs(witness: WitnessRun, program: Program, open: InputSource): InputSource {
  const values = witnessValues(witness).filter((value) => value.name === null || isRead(program, value));
  const targets = readVariables(program);
  let next = 0;
  return (request) => {
    const value = values[next];
    if (value === undefined) return open(request);
    const { line, endLine } = request.range;
    const at = value.waypoint.location.line;
    const names = targets.get(`${request.range.file}:${line}:${request.range.column}`) ?? [];
    const fits =
      value.name === null ? line <= at && at <= endLine : names.includes(value.name) || request.source === value.name;
    if (!fits) return open(request);
    next++;
    return value.value;
  };
}

/** Assumptions about variables that are not read from outside are facts, which follow. */
function isRead(program: Program, value: WitnessValue): boolean {
  return [...readVariables(program).values()].some((names) => names.includes(value.name!));
}

/** For each place of a read the variables that get its value, directly or by the assignment right behind it. */
function readVariables(program: Program): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { edges } of program.functions) {
    for (const { operation, range, to } of edges) {
      if (operation.kind !== "input") continue;
      const key = `${range.file}:${range.line}:${range.column}`;
      const names = found.get(key) ?? [];
      names.push(program.variables[operation.target]!.name, operation.source);
      for (const { from, operation: after } of edges) {
        if (from === to && after.kind === "assign") names.push(program.variables[after.target]!.name);
      }
      found.set(key, names);
    }
  }
  return found;
}
