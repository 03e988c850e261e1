import { expect, it } from "vitest";
import { searchClaims } from "../../support/claims/searchedClaims.ts";

it("200 claims that are found for small generated programs hold of other inputs; most of them are total", async () => {
  const seeds = Array.from({ length: 212 }, (_, i) => 5000 + i);
  const { claims, total, refuted } = await searchClaims(seeds, 32);
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(200);
  expect(2 * total).toBeGreaterThan(claims);
});

it("so do claims about bytes of standard input that programs read one by one", async () => {
  const seeds = Array.from({ length: 60 }, (_, i) => 9000 + i);
  const { claims, total, refuted } = await searchClaims(seeds, 32, "bytes");
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(30);
  expect(2 * total).toBeGreaterThan(claims);
});
