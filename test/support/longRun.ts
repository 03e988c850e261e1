import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writeSumPage } from "../../bench/page.ts";
import { openBrowser, showReport } from "./browser.ts";
import { reportPages } from "./reportPages.ts";

/** Opens the page of a run of many rounds in the middle, asks about it, and returns its steps and bytes. */
export async function askLongRun(rounds: number): Promise<{ readonly steps: number; readonly bytes: number }> {
  const pages = reportPages();
  const browser = await openBrowser();
  try {
    const path = join(pages.folder, "sum.html");
    const { steps } = await writeSumPage(path, rounds);
    const { page, complaints } = await showReport(browser, path, { hash: `#step=${steps >> 1}` });
    const middle = rounds >> 1;
    await page.locator(".loops input").first().fill(`${middle}`);
    await page.getByText(`round ${middle} of ${rounds + 1}`).waitFor();
    await page.locator('.line[data-line="10"] .value').first().click();
    await page.locator(".pointed h2").waitFor();
    expect(await page.locator(".pointed h2").textContent()).toMatch(/^seed (=|is) \d+/);
    await page.getByText(`over time: ${(rounds + 1).toLocaleString("en-US")} values`).waitFor();
    await page.getByRole("button", { name: "why this value" }).click();
    await page.locator(".asked .told").first().waitFor();
    // A click into the strip goes to the end of the run, where all cells are known that were written long ago.
    const { width = 0 } = (await page.locator(".time canvas").boundingBox()) ?? {};
    await page.locator(".time canvas").click({ position: { x: width - 2, y: 4 } });
    await page.getByRole("tab", { name: "values" }).click();
    await page.getByRole("button", { name: /^cells\[63\] = \d+/ }).waitFor();
    expect(complaints).toEqual([]);
    return { steps, bytes: statSync(path).size };
  } finally {
    await browser.close();
    pages.remove();
  }
}
