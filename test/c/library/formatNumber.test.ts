import fc from "fast-check";
import { expect, it } from "vitest";
import { decompose, fixedDigits } from "../../../src/c/library/stdio/formatNumber.ts";

/** `value * 10^precision` in exact arithmetic, rounded half to even. */
function exactDigits(value: number, precision: number): string {
  const { mantissa, exponent } = decompose(value);
  const above = mantissa * 10n ** BigInt(precision) * (exponent > 0 ? 1n << BigInt(exponent) : 1n);
  const below = exponent < 0 ? 1n << BigInt(-exponent) : 1n;
  const [quotient, rest] = [above / below, 2n * (above % below)];
  const rounded = rest > below || (rest === below && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return rounded.toString().padStart(precision + 1, "0");
}

it("writes the digits of a number exactly, and rounds a half to even", () => {
  const halves = fc
    .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 12 }))
    .map(([n, bits]) => n / 2 ** bits);
  const values = fc.oneof(
    halves,
    fc.double({ min: 0, max: 1e25, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 60 }), (value, precision) => {
      const { whole, fraction } = fixedDigits(value, precision);
      expect(whole + fraction).toBe(exactDigits(value, precision));
      expect(fraction).toHaveLength(precision);
    }),
    { numRuns: 2_000 },
  );
});
