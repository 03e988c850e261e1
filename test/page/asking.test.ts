import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, openBrowser, overlaps, type ShownReport, showReport } from "../support/browser.ts";
import { reportPages } from "../support/reportPages.ts";
import { hasTool } from "../support/tools.ts";
import { pictureDistance, pictureTolerance } from "./pictures/pictures.ts";

const stack = ["examples/tests/test_stack.c", "examples/tests/stack.c", "--no-proof"];

describe.skipIf(!hasTool("chromium"))("the page", () => {
  const pages = reportPages();
  let browser: Browser;
  let path: string;
  let shown: ShownReport;

  beforeAll(async () => {
    [browser, path] = await Promise.all([openBrowser(), pages.write("stack", stack)]);
    shown = await showReport(browser, path);
  });
  afterAll(async () => {
    expect(shown.complaints).toEqual([]);
    await browser?.close();
    pages.remove();
  });

  const lineOf = (page: Page, line: number) => page.locator(`.line[data-line="${line}"]`);

  it("answers why not for a line that was not executed, with the values of what led past it", async () => {
    const { page } = shown;
    await lineOf(page, 41).locator(".number").click();
    await page.getByRole("heading", { name: "why line 41 was not executed" }).waitFor();
    await page.getByRole("tab", { name: "examples/tests/stack.c" }).click();
    await lineOf(page, 12).locator(".number").click();
    await expect.poll(() => page.locator(".line.current").getAttribute("data-line")).toBe("12");
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
  });

  it("goes through the rounds of a loop with its slider", async () => {
    const { page } = shown;
    await page.keyboard.press("End");
    await lineOf(page, 32).locator(".number").click();
    const slider = page.getByRole("slider", { name: "round of the loop on line 31" });
    await slider.fill("2");
    await expect.poll(() => lineOf(page, 31).locator(".value").first().textContent()).toBe("i = 2");
    await expect.poll(() => page.locator(".loops").textContent()).toContain("round 2 of");
  });

  it("shows who wrote a value, all values of its cell, and who reads it next", async () => {
    const { page } = shown;
    await lineOf(page, 31).getByRole("button", { name: "i = 2" }).click();
    await page.getByRole("heading", { name: "i over time: 5 values" }).waitFor();
    expect(await page.locator(".history svg circle").count()).toBe(5);
    await page.getByText("as a list").click();
    await page.locator(".history ol button").nth(3).click();
    await expect.poll(() => lineOf(page, 31).locator(".value").first().textContent()).toBe("i = 4");
    expect(await page.getByRole("heading", { name: "read next by" }).count()).toBe(1);
    await page.getByRole("button", { name: "previous write" }).click();
    await expect.poll(() => lineOf(page, 31).locator(".value").first().textContent()).toBe("i = 3");
  });

  it("takes the smallest expression under the mouse", async () => {
    const { page } = shown;
    await page.keyboard.press("End");
    const at = await lineOf(page, 34)
      .locator("code")
      .evaluate((code) => {
        const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const found = node.textContent?.indexOf("value") ?? -1;
          if (found < 0) continue;
          const range = document.createRange();
          range.setStart(node, found + 1);
          range.setEnd(node, found + 2);
          const { left, top, width, height } = range.getBoundingClientRect();
          return [left + width / 2, top + height / 2] as const;
        }
        return null;
      });
    if (at === null) throw new Error("no text");
    await page.mouse.click(...at);
    await page.getByRole("heading", { name: "value is 30" }).waitFor();
    await page.getByRole("button", { name: "why this value" }).click();
    await page.locator(".asked .told").filter({ hasText: "*value = s->items[--s->size]" }).first().waitFor();
  });

  it("says what the other outcome of a condition would have done", async () => {
    const { page } = shown;
    await page.getByRole("tab", { name: "examples/tests/stack.c" }).click();
    await lineOf(page, 4).locator(".number").click();
    await page.locator('.line.current[data-line="4"]').waitFor();
    await page.keyboard.press("w");
    await expect.poll(() => page.locator(".asked").first().textContent()).toContain("with the other outcome");
    await page.locator(".asked .badge").first().click();
    expect(await page.locator(".meaning").first().textContent()).toContain("The program was run again");
  });

  it("lists the changes that were run, each with its diff and its tests", async () => {
    const { page } = shown;
    await page.getByRole("tab", { name: "changes" }).click();
    expect(await page.locator(".change .diff .added").first().textContent()).toContain("s->size > CAPACITY - 1");
    expect(await page.locator(".change .claim").first().textContent()).toContain("other tests pass");
  });

  it("needs no mouse", async () => {
    const { page } = await showReport(browser, path);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog", { name: "keys" }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    // From the top of the page to the first reason, with Tab alone.
    let hops = 0;
    while (!(await page.evaluate(() => document.activeElement?.classList.contains("opener"))) && hops++ < 60)
      await page.keyboard.press("Tab");
    expect(hops).toBeLessThan(60);
    await page.keyboard.press("Enter");
    await page.locator(".panel .reasons").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/:\d+$/);
    await page.keyboard.press("Enter");
    const before = await page.locator(".clock").textContent();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator(".clock").textContent()).not.toBe(before);
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: /^variables of/ }).waitFor();
    await page.close();
  });

  it("opens at the moment and the question of a link", async () => {
    const { page } = await showReport(browser, path, { hash: "#step=80&why=80" });
    await expect.poll(() => page.locator(".clock").textContent()).toContain("step 80 of 86");
    await page.getByRole("heading", { name: "why this at step 80" }).waitFor();
    await page.close();
  });

  it.each(["light", "dark"] as const)("has no faults that axe-core finds, in %s colours", async (colorScheme) => {
    const { page } = await showReport(browser, path, { colorScheme, bypassCSP: true });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe(colorScheme === "dark" ? "rgb(20, 23, 28)" : "rgb(255, 255, 255)");
    await page.keyboard.press("w");
    for (const panel of ["1", "2", "3", "4"]) {
      await page.keyboard.press(panel);
      await page.waitForFunction(() => document.querySelector(".waiting") === null);
      expect(await axeFaults(page)).toEqual([]);
    }
    await page.close();
  });

  it.each([
    ["wide", 1280, 800, 1],
    ["at 200 %", 640, 400, 2],
    ["narrow", 360, 700, 1],
  ] as const)("has no parts that cover each other: %s", async (_, width, height, deviceScaleFactor) => {
    const { page } = await showReport(browser, path, { viewport: { width, height }, deviceScaleFactor });
    await page.keyboard.press("w");
    await page.locator(".asked .reason").first().waitFor();
    expect(await overlaps(page, "h1, .top button, .time canvas, .clock, .loops label, .source, .side")).toEqual([]);
    expect(await overlaps(page, ".panel button, .panel code, .panel h2, .panel label")).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    await page.close();
  });

  it("looks like its pictures, and not so without one of its parts", async () => {
    const { page } = await showReport(browser, path, { bypassCSP: true });
    await page.locator(".panel .suspect").first().waitFor();
    expect(await pictureDistance(page, "explain")).toBeLessThan(pictureTolerance);
    for (const part of [".side", ".time", ".lines code", ".panel .row"]) {
      const style = await page.addStyleTag({ content: `${part} { visibility: hidden }` });
      expect([part, (await pictureDistance(page, "explain")) > 2 * pictureTolerance]).toEqual([part, true]);
      await style.evaluate((element) => (element as HTMLElement).remove());
    }
    await lineOf(page, 31).locator(".value").first().click();
    await page.locator(".history svg").waitFor();
    await page.keyboard.press("d");
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(await pictureDistance(page, "values-dark")).toBeLessThan(pictureTolerance);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await pictureDistance(page, "values-narrow")).toBeLessThan(pictureTolerance);
    await page.close();
  });

  it("prints the error, the source and the whys without what only a screen needs", async () => {
    const { page } = await showReport(browser, path);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".tools").isVisible()).toBe(false);
    expect(await page.locator(".time").isVisible()).toBe(false);
    for (const part of ["h1", ".lines", ".panel"]) expect(await page.locator(part).first().isVisible()).toBe(true);
    const { scrolls } = await page.evaluate(() => {
      const panel = document.querySelector(".panel");
      return { scrolls: panel !== null && panel.scrollHeight > panel.clientHeight + 1 };
    });
    expect(scrolls).toBe(false);
    await page.close();
  });
});
