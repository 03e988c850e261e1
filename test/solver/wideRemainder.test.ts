import { expect, it } from "vitest";
import { printShared, printSmtLib } from "../../src/logic/printSmtLib.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { createSolver } from "../../src/solver/solverChain.ts";

const terms = createTerms();
const x = terms.variable("x", "Int");
const wrapped = terms.mod(x, terms.int(1n << 32n));

it("writes remainders by the size of a type as quotients for solvers, but not for people", () => {
  const small = terms.mod(wrapped, terms.int(3n));
  expect(printShared([small]).texts).toEqual(["(mod (- x (* 4294967296 (div x 4294967296))) 3)"]);
  expect(printSmtLib(small)).toBe("(mod (mod x 4294967296) 3)");
});

it("finds a model of a remainder of a remainder within few steps", () => {
  const { solver } = createSolver({ limits: { resources: 150_000 } });
  solver.assert(terms.ge(x, terms.int(1n)), terms.le(x, terms.int(9n)));
  solver.assert(terms.or(terms.eq(terms.mod(wrapped, terms.int(3n)), terms.int(2n)), terms.le(x, terms.int(0n))));
  const answer = solver.check();
  expect(answer.kind === "sat" && (answer.model.value(x) as bigint) % 3n).toBe(2n);
  solver.dispose();
});
