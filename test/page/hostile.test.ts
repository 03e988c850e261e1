import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, showReport } from "../support/browser.ts";
import { reportPages } from "../support/reportPages.ts";
import { hasTool } from "../support/tools.ts";

const image = "<img src=x onerror=alert(1)>";
const script = "</script><script>alert(2)</script>";

describe.skipIf(!hasTool("chromium"))("text of a program", () => {
  const pages = reportPages();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    pages.remove();
  });

  async function check(path: string, words: readonly string[]): Promise<void> {
    const { page, complaints } = await showReport(browser, path);
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    await page.keyboard.press("w");
    await page.locator(".asked .told").first().waitFor();
    for (const panel of ["1", "2", "3", "4"]) {
      await page.keyboard.press(panel);
      await page.waitForFunction(() => document.querySelector(".waiting") === null);
      // Two scripts: the page's own and its data. No element came from the program.
      expect(await page.locator("script").count()).toBe(2);
      expect(await page.locator("img").count()).toBe(0);
    }
    const shown = (await page.locator("#app").textContent()) + (await page.title());
    for (const word of words) expect(shown).toContain(word);
    // Control characters are shown by their signs.
    expect(shown.replaceAll(/[\n\t\r]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(complaints).toEqual([]);
    await page.close();
  }

  it("is never an element of the page: strings, names of files, control characters", async () => {
    const folder = join(pages.folder, "c");
    mkdirSync(folder);
    const name = `${image} \u0001.c`;
    writeFileSync(
      join(folder, name),
      `#include <string.h>
#include <assert.h>
// ${script} ${image} \u0007 \u202e
int main(void) {
  const char *text = "${script}";
  const char *other = "${image}\\x01\\x1b";
  char first = other[27];
  assert(strlen(text) == strlen(other) + first /* ${image} */);
  return 0;
}
`,
    );
    await check(await pages.write("hostile", [name, "--no-proof"], folder), [image, script]);
  });

  it("is never an element of the page: names of tests", async () => {
    const path = await pages.writeOfProject("node-test", ["--", "npm", "test"], (folder) =>
      writeFileSync(
        join(folder, "test", `a ${image}.test.js`),
        `import assert from "node:assert/strict";
import test from "node:test";
test(${JSON.stringify(`${script} ${image} \u0001`)}, () => {
  const text = ${JSON.stringify(`${script}${image}\u0007`)};
  assert.equal(text.length, 3);
});
`,
      ),
    );
    await check(path, [image, "</script>"]);
  });
});
