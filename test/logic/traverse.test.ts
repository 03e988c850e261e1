import { expect, it } from "vitest";
import { createTerms } from "../../src/logic/terms.ts";
import { isLargerThan, sizeOf } from "../../src/logic/traverse.ts";

it("counts shared parts of formulas once", () => {
  const terms = createTerms();
  const x = terms.variable("x", "Int");
  const y = terms.variable("y", "Int");
  const square = terms.mul(x, y);
  const formula = terms.le(terms.add(square, x), terms.int(3));
  const size = sizeOf(formula);
  expect(isLargerThan(size, [formula])).toBe(false);
  expect(isLargerThan(size - 1, [formula])).toBe(true);
  expect(isLargerThan(size, [formula, formula, square])).toBe(false);
});
