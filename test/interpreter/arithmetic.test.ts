import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BinaryOperator, ComparisonOperator } from "../../src/ir/expression.ts";
import { fromBigInt } from "../../src/ir/scalarValue.ts";
import { type IntType, rangeOfInt, wrapToInt } from "../../src/ir/type.ts";
import { binary, compare, int, intType } from "../support/buildIr.ts";
import { type Evaluated, evaluator, interestingIntegers } from "./evaluate.ts";

const types: IntType[] = ([8, 16, 32, 64, 128] as const).flatMap((bits) => [intType(bits, true), intType(bits, false)]);
const operators: BinaryOperator[] = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];
const comparisons: ComparisonOperator[] = ["==", "!=", "<", "<=", ">", ">="];

function valueOf(type: IntType): fc.Arbitrary<bigint> {
  const [low, high] = rangeOfInt(type);
  return fc.oneof(
    fc.constantFrom(...interestingIntegers(low, high)),
    fc.bigInt({ min: low, max: high }),
    fc.bigInt({ min: type.signed ? -20n : 0n, max: 20n }),
  );
}

/** The C standard over mathematical integers; shifts as `gcc -fsanitize=shift` has them. */
function reference(operator: BinaryOperator, type: IntType, a: bigint, b: bigint, wrap: boolean): Evaluated {
  const settle = (exact: bigint, problem: string): Evaluated => {
    const wrapped = wrapToInt(exact, type);
    return type.signed && !wrap && wrapped !== exact ? problem : fromBigInt(wrapped);
  };
  switch (operator) {
    case "+":
      return settle(a + b, "signed-overflow");
    case "-":
      return settle(a - b, "signed-overflow");
    case "*":
      return settle(a * b, "signed-overflow");
    case "/":
      return b === 0n ? "division-by-zero" : settle(a / b, "signed-overflow");
    case "%": {
      if (b === 0n) return "division-by-zero";
      const quotient = settle(a / b, "signed-overflow");
      return typeof quotient === "string" ? quotient : fromBigInt(a % b);
    }
    case "&":
      return settle(a & b, "");
    case "|":
      return settle(a | b, "");
    case "^":
      return settle(a ^ b, "");
    case "<<": {
      if (b < 0n || b >= BigInt(type.bits)) return "bad-shift";
      if (type.signed && !wrap && a < 0n) return "bad-shift";
      return settle(a << b, "bad-shift");
    }
    case ">>":
      return b < 0n || b >= BigInt(type.bits) ? "bad-shift" : fromBigInt(a >> b);
  }
}

describe("integer arithmetic agrees with mathematical integers", () => {
  for (const type of types) {
    for (const operator of operators) {
      test(`agrees for ${type.name} ${operator}`, () => {
        const run = evaluator([type, type], type, ([a, b]) => binary(operator, a!, b!));
        const shift = operator === "<<" || operator === ">>";
        const right = shift ? fc.oneof(fc.bigInt({ min: 0n, max: 127n }), valueOf(type)) : valueOf(type);
        const inRange = right.map((b) => wrapToInt(b, type));
        fc.assert(
          fc.property(valueOf(type), inRange, fc.boolean(), (a, b, wrap) => {
            const expected = reference(operator, type, a, b, wrap);
            expect(run([a, b], wrap ? "wrap" : "stop")).toBe(expected);
            expect(Object.is(run([a, b], wrap ? "wrap" : "stop"), -0)).toBe(false);
          }),
          { seed: 1, numRuns: 60 },
        );
      });
    }
    test(`agrees for negation and complement of ${type.name}`, () => {
      const negate = evaluator([type], type, ([a]) => ({ kind: "unary", operator: "negate", type, operand: a! }));
      const complement = evaluator([type], type, ([a]) => ({
        kind: "unary",
        operator: "complement",
        type,
        operand: a!,
      }));
      fc.assert(
        fc.property(valueOf(type), (a) => {
          const negated = wrapToInt(-a, type);
          expect(negate([a])).toBe(type.signed && negated !== -a ? "signed-overflow" : fromBigInt(negated));
          expect(complement([a])).toBe(fromBigInt(wrapToInt(~a, type)));
        }),
        { seed: 2, numRuns: 60 },
      );
    });
    test(`agrees for comparisons of ${type.name}`, () => {
      const runs = comparisons.map((operator) => evaluator([type, type], int, ([a, b]) => compare(operator, a!, b!)));
      fc.assert(
        fc.property(valueOf(type), fc.option(valueOf(type)), (a, other) => {
          const b = other ?? a;
          const expected = [a === b, a !== b, a < b, a <= b, a > b, a >= b];
          runs.forEach((run, i) => {
            expect(run([a, b])).toBe(expected[i] ? 1 : 0);
          });
        }),
        { seed: 3, numRuns: 40 },
      );
    });
  }
});

test("compiles an expression hundreds of operators deep", () => {
  const run = evaluator([int], int, ([a]) => {
    let sum = a!;
    for (let i = 0; i < 800; i++) sum = binary("+", sum, a!);
    return sum;
  });
  expect(run([3n])).toBe(2403);
});
