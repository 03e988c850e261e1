import { expect, it } from "vitest";
import { searchClaims } from "../../support/claims/searchedClaims.ts";

it("finds 200 claims for small generated programs that hold for other inputs, most of them total", async () => {
  const seeds = Array.from({ length: 212 }, (_, i) => 5000 + i);
  const { claims, total, refuted } = await searchClaims(seeds, 32);
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(200);
  expect(2 * total).toBeGreaterThan(claims);
});

it("finds claims about bytes of standard input that hold", async () => {
  const seeds = Array.from({ length: 60 }, (_, i) => 9000 + i);
  const { claims, total, refuted } = await searchClaims(seeds, 32, "bytes");
  expect(refuted).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(30);
  expect(2 * total).toBeGreaterThan(claims);
});
