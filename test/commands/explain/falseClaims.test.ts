import { describe, expect, it } from "vitest";
import { falseClaims } from "../../support/claims/falseClaims.ts";
import { judgeFalseClaim } from "../../support/claims/judgeFalseClaim.ts";

/** What is said of other inputs, where that is all that can be said. */
const said: Readonly<Record<string, string>> = {
  indexOverflow: "fails the same way whenever k >= 1 && k <= 2147483646 (proved)",
  s17: "fails the same way whenever n >= 0 && n <= 2147483646 (proved)",
  s18: "fails the same way whenever n >= 5 && n <= 16 (proved)",
  t02: "fails the same way whenever k == 1 (proved)",
  t13: "fails the same way whenever n >= 1 && k >= 0 && k <= 7 (proved)",
  unsetOperand: "fails the same way whenever kind != 1; amount does not matter (proved)",
  v12: "fails the same way whenever mod(k, 2) == 1 && x >= 0 && x <= 5 (proved)",
  y06: "fails the same way whenever k == 1 (proved)",
  z01: "fails the same way whenever k == 1 (proved)",
  z02: "fails the same way whenever k == 1 (proved)",
};

describe("programs for which something false was claimed of other inputs", () => {
  it.each(falseClaims.filter(({ long }) => long !== true))("$name", async (claim) => {
    const text = await judgeFalseClaim(claim);
    if (claim.name in said) expect(text).toBe(said[claim.name]);
  });
});
