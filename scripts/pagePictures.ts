import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser, showReport } from "../test/support/browser.ts";
import { reportPages } from "../test/support/reportPages.ts";

/** `npm run page-pictures` makes the pictures of docs/page.md, and those that tests compare pages with, in Chromium. */
const stack = ["examples/tests/test_stack.c", "examples/tests/stack.c"];

async function main(): Promise<void> {
  const pages = reportPages();
  const browser = await openBrowser();
  try {
    const path = await pages.write("stack", stack);
    await picture("page", path, "light", async (page) => {
      await page.locator(".panel .place").filter({ hasText: "stack_push:4" }).click();
      await page.locator('.line.current[data-line="4"]').waitFor();
    });
    await picture("why", path, "light", async (page) => {
      await page.keyboard.press("w");
      for (const text of ["*value = s->items", "s->items[s->size++] = value"]) {
        const row = page.locator(".asked .row").filter({ hasText: text }).first();
        await row.locator(".opener").click();
        await page.waitForFunction(() => document.querySelector(".waiting") === null);
      }
    });
    await picture("values", path, "dark", async (page) => {
      await page.locator('.line[data-line="31"] .value').first().click();
      await page.locator(".history svg").waitFor();
    });
  } finally {
    await browser.close();
    pages.remove();
  }

  async function picture(
    name: string,
    path: string,
    colorScheme: "light" | "dark",
    act: (page: Page) => Promise<void>,
  ): Promise<void> {
    const { page } = await showReport(browser, path, { colorScheme, viewport: { width: 1080, height: 620 } });
    await act(page);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.screenshot({ path: fileURLToPath(new URL(`../docs/pictures/${name}.png`, import.meta.url)) });
    await page.close();
  }
}

await main();
const tests = ["test/page/asking.test.ts", "test/page/commandPages.test.ts"];
execFileSync("npx", ["vitest", "run", ...tests], {
  stdio: "inherit",
  env: { ...process.env, TRACEFOLD_PICTURES: "write" },
});
