import { expect, it } from "vitest";
import { searchClaims } from "../../support/claims/searchedClaims.ts";

it("finds 400 claims for generated programs that hold for other inputs", async () => {
  const seeds = Array.from({ length: 500 }, (_, i) => 10_000 + i);
  const { claims, refuted } = await searchClaims(seeds);
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(400);
});
