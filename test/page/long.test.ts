import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeSumPage } from "../../bench/page.ts";
import { openBrowser, showReport } from "../support/browser.ts";
import { reportPages } from "../support/reportPages.ts";
import { hasTool } from "../support/tools.ts";

describe.skipIf(!hasTool("chromium"))("the page of a million steps", () => {
  it("is below 20 MB, and answers about any of them", async () => {
    const pages = reportPages();
    const browser = await openBrowser();
    try {
      const path = join(pages.folder, "sum.html");
      const { steps } = await writeSumPage(path, 111_000);
      expect(steps).toBeGreaterThan(990_000);
      expect(statSync(path).size).toBeLessThan(20_000_000);
      const { page, complaints } = await showReport(browser, path, { hash: "#step=500000" });
      const slider = page.locator(".loops input").first();
      await slider.fill("50000");
      await page.getByText("round 50000 of 111001").waitFor();
      await page.locator('.line[data-line="10"] .value').first().click();
      await page.locator(".pointed h2").waitFor();
      expect(await page.locator(".pointed h2").textContent()).toMatch(/^seed (=|is) \d+/);
      await page.getByText(/over time: 111,001 values/).waitFor();
      await page.getByRole("button", { name: "why this value" }).click();
      await page.locator(".asked .told").first().waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      pages.remove();
    }
  });
});
