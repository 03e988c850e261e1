import type { InputValue } from "../../src/interpreter/inputs.ts";
import { execute, plainMode } from "../../src/interpreter/run.ts";
import type { Expression } from "../../src/ir/expression.ts";
import type { Program, ProgramVariable } from "../../src/ir/program.ts";
import type { ScalarValue } from "../../src/ir/scalarValue.ts";
import type { ScalarType } from "../../src/ir/type.ts";
import { buildIr, read } from "../support/buildIr.ts";

/** A value, or the kind of undefined behaviour. */
export type Evaluated = ScalarValue | string;

/** A function of inputs that evaluates one expression over them in the interpreter. */
export function evaluator(
  inputTypes: readonly ScalarType[],
  resultType: ScalarType,
  expression: (inputs: readonly Expression[]) => Expression,
  dataModel: "LP64" | "ILP32" = "LP64",
): (inputs: readonly InputValue[], undefinedBehaviour?: "stop" | "wrap") => Evaluated {
  const builder = buildIr(dataModel);
  const main = builder.function("main", [], { kind: "void" });
  const inputs: ProgramVariable[] = inputTypes.map((type, i) => main.local(`x${i}`, type));
  const result = main.local("result", resultType);
  for (const input of inputs) main.input(input);
  main.assign(result, expression(inputs.map(read)));
  main.return();
  const program = builder.program();
  return (values, undefinedBehaviour = "stop") => evaluate(program, result, values, undefinedBehaviour);
}

function evaluate(
  program: Program,
  result: ProgramVariable,
  inputs: readonly InputValue[],
  undefinedBehaviour: "stop" | "wrap",
): Evaluated {
  let value: ScalarValue | undefined;
  const execution = execute(
    program,
    { inputs },
    { ...plainMode, writes: true, undefinedBehaviour },
    {
      writer: {
        register(_step, _fn, _edge, variable, written) {
          if (variable === result.id) value = written;
        },
        memory() {},
      },
    },
  );
  const { outcome } = execution.result;
  if (outcome.kind === "undefined-behaviour") return outcome.problem;
  if (outcome.kind !== "exit" || value === undefined) throw new Error(`unexpected outcome ${outcome.kind}`);
  return value;
}

/** Values of an integer type, biased towards its ends and to where representations change. */
export function interestingIntegers(low: bigint, high: bigint): bigint[] {
  const around = [0n, 1n << 7n, 1n << 8n, 1n << 15n, 1n << 16n, 1n << 31n, 1n << 32n, 1n << 52n, 1n << 53n, 1n << 63n];
  const values = new Set<bigint>();
  for (const center of [low, high, ...around, ...around.map((value) => -value)]) {
    for (let delta = -2n; delta <= 2n; delta++) {
      const value = center + delta;
      if (value >= low && value <= high) values.add(value);
    }
  }
  return [...values];
}
