import { describe, it } from "vitest";
import { falseClaims } from "../../support/claims/falseClaims.ts";
import { judgeFalseClaim } from "../../support/claims/judgeFalseClaim.ts";

describe("programs for which something false was claimed of other inputs", () => {
  it.each(falseClaims.filter(({ long }) => long === true))("$name", async (claim) => {
    await judgeFalseClaim(claim);
  });
});
