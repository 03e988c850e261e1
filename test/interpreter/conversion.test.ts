import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromBigInt } from "../../src/ir/scalarValue.ts";
import { rangeOfInt, type ScalarType, wrapToInt } from "../../src/ir/type.ts";
import { binary, bool, convert, double, float, intType } from "../support/buildIr.ts";
import { type Evaluated, evaluator, interestingIntegers } from "./evaluate.ts";

const integers = ([8, 16, 32, 64, 128] as const).flatMap((bits) => [intType(bits, true), intType(bits, false)]);
const types: ScalarType[] = [...integers, bool, float, double];

function valueOf(type: ScalarType): fc.Arbitrary<bigint | number> {
  if (type.kind === "float") {
    const ends = [
      0,
      -0,
      0.5,
      -0.5,
      1.5,
      127,
      128,
      -129,
      2 ** 31,
      2 ** 31 - 1,
      -(2 ** 31) - 1,
      2 ** 53,
      2 ** 63,
      2 ** 64,
      1e30,
    ];
    const any = fc.oneof(fc.constantFrom(...ends, Number.NaN, Number.POSITIVE_INFINITY), fc.double());
    return type.bits === 32 ? any.map(Math.fround) : any;
  }
  if (type.kind === "pointer") return fc.constant(0n);
  const [low, high] = rangeOfInt(type);
  return fc.oneof(fc.constantFrom(...interestingIntegers(low, high)), fc.bigInt({ min: low, max: high }));
}

function reference(value: bigint | number, to: ScalarType): Evaluated {
  switch (to.kind) {
    case "bool":
      return value === 0n || value === 0 ? 0 : 1;
    case "int": {
      if (typeof value === "bigint") return fromBigInt(wrapToInt(value, to));
      if (!Number.isFinite(value)) return "float-conversion";
      const whole = BigInt(Math.trunc(value));
      return wrapToInt(whole, to) === whole ? fromBigInt(whole) : "float-conversion";
    }
    case "float": {
      if (typeof value === "number") return to.bits === 32 ? Math.fround(value) : value;
      return to.bits === 64 ? Number(value) : nearestFloat(value);
    }
    case "pointer":
      return 0;
  }
}

/** The float nearest to an integer, ties to even, by comparing exact distances. */
function nearestFloat(value: bigint): number {
  const guess = Math.fround(Number(value));
  const bits = new Uint32Array(new Float32Array([guess]).buffer)[0]!;
  const neighbour = (delta: number) => new Float32Array(new Uint32Array([bits + delta]).buffer)[0]!;
  let best = guess;
  for (const candidate of [neighbour(-1), neighbour(1)]) {
    if (!Number.isFinite(candidate) || !Number.isFinite(guess)) continue;
    const distance = (x: number) => {
      const difference = BigInt(x) - value;
      return difference < 0n ? -difference : difference;
    };
    const mantissaIsEven = (x: number) => new Uint32Array(new Float32Array([x]).buffer)[0]! % 2 === 0;
    if (!Number.isInteger(candidate)) continue;
    if (distance(candidate) < distance(best)) best = candidate;
    else if (distance(candidate) === distance(best) && mantissaIsEven(candidate)) best = candidate;
  }
  return best;
}

describe("conversions between scalar types", () => {
  for (const from of types) {
    for (const to of types) {
      const name = (type: ScalarType) =>
        type.kind === "int" ? type.name : type.kind === "float" ? `f${type.bits}` : type.kind;
      test(`${name(from)} to ${name(to)}`, () => {
        const run = evaluator([from], to, ([x]) => convert(to, x!));
        fc.assert(
          fc.property(valueOf(from), (value) => {
            expect(run([value])).toEqual(reference(value, to));
          }),
          { seed: 4, numRuns: 40 },
        );
      });
    }
  }
});

test("rounds float arithmetic after every operation", () => {
  const sum = evaluator([float, float, float], float, ([a, b, c]) => binary("+", binary("*", a!, b!), c!));
  fc.assert(
    fc.property(valueOf(float), valueOf(float), valueOf(float), (a, b, c) => {
      const expected = Math.fround(Math.fround(Number(a) * Number(b)) + Number(c));
      expect(sum([a, b, c])).toBe(expected);
    }),
    { seed: 5, numRuns: 200 },
  );
});
