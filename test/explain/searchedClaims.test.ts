import { expect, it } from "vitest";
import { searchClaims } from "../support/claims/searchedClaims.ts";

it("claims that are found for generated programs hold of other inputs; most of them are total", async () => {
  const seeds = Array.from({ length: 60 }, (_, i) => 5000 + i);
  const { claims, total, refuted } = await searchClaims(seeds);
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(40);
  expect(2 * total).toBeGreaterThan(claims);
});
