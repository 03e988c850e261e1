import { afterAll, beforeAll, expect, it } from "vitest";
import type { Term } from "../../../src/logic/term.ts";
import { loopSiteOf, type TestedLoop } from "../../support/loopSiteOf.ts";

const twoLoops = `int x = 3, y = 0;
  while (__VERIFIER_nondet_int()) x++;
  y = x + 2;
  while (__VERIFIER_nondet_int()) y++;
  assert(y < 5);`;

let loop: TestedLoop;
beforeAll(async () => {
  loop = await loopSiteOf(twoLoops, [1n, 1n, 0n, 1n, 0n]);
});
afterAll(() => loop.dispose());

const least = (name: string, value: number): Term => loop.terms.ge(loop.place(name), loop.terms.int(value));

it("states the need after a loop over the state in which the loop is left", () => {
  const { prover, site } = loop;
  // The second loop's steps are those of the run: it went round once.
  const session = prover.open(site.obligation.hypotheses);
  expect(session.implies([least("x", 2)], site.obligation.conclusion).kind).toBe("proved");
  expect(session.implies([least("x", 1)], site.obligation.conclusion).kind).toBe("refuted");
  session.close();
});

it("lets a loop establish at a later step exactly what its invariant implies there", () => {
  const head = loop.loops[1]!.visits[0]!;
  const formulas = [least("y", 5), least("y", 6), least("x", 4), least("x", 3)];
  expect(loop.site.establishes(head, [least("x", 3)], formulas)).toEqual([formulas[0], formulas[3]]);
  // In the last state of the recorded run all of them hold: that is not what is asked.
  expect(loop.site.establishes(head, [least("x", 5)], formulas)).toEqual(formulas);
  expect(loop.site.establishes(head, [], formulas)).toEqual([]);
  const later = loop.loops[1]!.visits[1]!;
  expect(loop.site.establishes(later, [least("x", 3)], formulas)).toEqual([formulas[0], formulas[1], formulas[3]]);
});

it("lets the start of the program establish what the steps compute", () => {
  const formulas = [least("x", 3), least("x", 4), loop.terms.eq(loop.place("y"), loop.terms.int(0))];
  expect(loop.start(loop.loops[0]!.visits[0]!).establishes(formulas)).toEqual([formulas[0], formulas[2]]);
});
