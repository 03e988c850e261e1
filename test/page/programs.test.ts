import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, showReport } from "../support/browser.ts";
import { reportPages } from "../support/reportPages.ts";
import { hasTool } from "../support/tools.ts";

type Shown = {
  readonly name: string;
  readonly words: readonly string[];
  /** A folder of `examples` whose tests are run. */
  readonly project?: string;
  readonly error: string;
  /** What the program has nothing for: no line that was left out, no loop, no condition that can be flipped. */
  readonly lacks?: readonly Question[];
  /** The line of the fault, and a part of its text. */
  readonly fault: readonly [line: number, text: string];
};

const explained = (name: string, error: string, fault: Shown["fault"], lacks: readonly Question[] = []): Shown => ({
  name,
  words: [`examples/explain/${name}.c`, "--no-proof"],
  error,
  fault,
  lacks,
});

const programs: readonly Shown[] = [
  explained("off-by-one", "assertion failed: rounds == n", [10, "i <= n"]),
  explained("missing-update", "assertion failed", [12, "packet > 100"]),
  explained("wrong-branch", "assertion failed", [9, "quantity < 10"], ["rounds"]),
  explained("null-pointer", "is read through a null pointer", [10, "rest = list->next"], ["rounds", "flip"]),
  explained("swapped-arguments", "assertion failed: ratio == 4", [13, "divide(height, width)"], ["rounds", "flip"]),
  {
    name: "test of a stack",
    words: ["examples/tests/test_stack.c", "examples/tests/stack.c"],
    error: "check failed: CHECK(value == 40)",
    // The fault is in a file without a loop.
    lacks: ["why not", "rounds"],
    fault: [4, "s->size >= CAPACITY - 1"],
  },
  {
    name: "wrong output",
    words: [
      "examples/programs/invoice.c",
      "--stdin",
      "examples/programs/order.txt",
      "--expect-stdout",
      "examples/programs/invoice.expected",
    ],
    error: "wrong output",
    fault: [10, "int i = 1"],
  },
  {
    name: "outside of memory",
    words: ["examples/programs/best-mark.c", "--no-proof", "--", "12", "9", "15"],
    error: "are outside of the memory from malloc",
    fault: [12, "i <= count"],
  },
  {
    name: "vitest",
    project: "vitest",
    words: ["--test", "finds the median", "--", "npx", "vitest", "run"],
    error: "expected",
    fault: [6, "at > 1"],
    lacks: ["why not", "rounds", "flip"],
  },
  {
    name: "jest",
    project: "jest",
    words: ["--", "npm", "test"],
    error: "expected 32",
    fault: [7, "count > 3"],
    lacks: ["why not", "rounds", "flip"],
  },
  {
    name: "mocha",
    project: "mocha",
    words: ["--", "npm", "test"],
    error: "expected 365",
    fault: [3, "year % 100"],
    lacks: ["why not", "rounds", "flip"],
  },
  {
    name: "node-test",
    project: "node-test",
    words: ["--", "npm", "test"],
    error: "expected 8",
    fault: [12, "await job(start)"],
    lacks: ["rounds", "why not", "flip"],
  },
];

describe.skipIf(!hasTool("chromium"))("the page of a failing run", () => {
  const pages = reportPages();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    pages.remove();
  });

  it.each(programs)(
    "$name: shows the error and the first suspect, and a why chain leads to the fault",
    async (shown) => {
      const path = await (shown.project === undefined
        ? pages.write(shown.name.replaceAll(" ", "-"), shown.words)
        : pages.writeOfProject(shown.project, shown.words));
      const { page, complaints } = await showReport(browser, path);
      const [line, text] = shown.fault;

      expect(await page.locator("h1").textContent()).toContain(shown.error);
      // The likeliest suspect is to be seen without scrolling.
      expect(
        await isOnScreen(page, page.locator(".panel .suspect .mark").getByText("look here", { exact: true })),
      ).toBe(true);

      // From the failing step through its reasons to the fault, which then is in the source with its values.
      await page.keyboard.press("w");
      const clicks = await openReasonsUntil(page, line, text);
      expect(clicks).not.toBeNull();
      await expect.poll(() => page.locator(".line.current code").textContent()).toContain(text);
      expect(await currentLine(page)).toBe(line);

      const goToFault = async () => {
        await page.keyboard.press("End");
        await page.keyboard.press("/");
        await page.keyboard.type(text);
        const found = page.locator(".found button").filter({ hasText: `:${line}` });
        await found.first().click();
        await page.locator(`.line.current.executed[data-line="${line}"]`).waitFor();
      };
      await goToFault();
      for (const question of questions) {
        if (shown.lacks?.includes(question)) continue;
        await page.keyboard.press("End");
        await ask[question](page, goToFault);
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});

const questions = ["why not", "rounds", "history", "flip", "keys", "dark"] as const;
type Question = (typeof questions)[number];

/** Asks a question in the way of a user, at the end of the run or at the fault; it fails if there is no answer. */
const ask: Readonly<Record<Question, (page: Page, goToFault: () => Promise<void>) => Promise<void>>> = {
  async "why not"(page, goToFault) {
    await goToFault();
    await page.locator(".line.skipped .number").first().click();
    await page.getByRole("heading", { name: /^why line \d+ was not executed/ }).waitFor();
    await page.locator(".asked p, .asked .told").first().waitFor();
  },
  async rounds(page, goToFault) {
    await goToFault();
    const heads = page.locator(".line.executed").filter({ hasText: /\b(for|while) \(/ });
    await heads.first().locator(".number").click();
    const slider = page.locator(".loops input").first();
    for (const round of ["1", "2"]) {
      await slider.fill(round);
      await page
        .getByText(new RegExp(`round ${round} of \\d+`))
        .first()
        .waitFor();
    }
  },
  async history(page) {
    await page.locator(".line .value.written").first().click();
    await page.getByRole("heading", { name: /over time: \d+ values?$/ }).waitFor();
  },
  async flip(page, goToFault) {
    await goToFault();
    await page.locator(".line.current .value.tested").first().click();
    await page.locator(".pointed").getByText("with the other outcome").first().waitFor();
  },
  async keys(page) {
    const before = await page.locator(".clock").textContent();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator(".clock").textContent()).not.toBe(before);
    await page.keyboard.press("o");
    await page.keyboard.press("w");
    await page
      .getByRole("heading", { name: /^why this at/ })
      .first()
      .waitFor();
  },
  async dark(page) {
    await page.keyboard.press("d");
    await page.locator('html[data-theme="dark"]').waitFor();
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe("rgb(20, 23, 28)");
  },
};

/** Opens reasons, the nearest first, until the statement is among them, and goes there. Returns the number of clicks. */
async function openReasonsUntil(page: Page, line: number, text: string): Promise<number | null> {
  const asked = page.locator(".asked").first();
  const wanted = asked
    .locator(".told")
    .filter({ hasText: new RegExp(`:${line}(?!\\d)`) })
    .filter({ hasText: text });
  for (let clicks = 0; clicks < 60; clicks++) {
    await expect.poll(() => asked.locator(".waiting").count()).toBe(0);
    if ((await wanted.count()) > 0) {
      await wanted.first().locator(".place").click();
      return clicks + 1;
    }
    const isOpened = await asked.evaluate((element) => {
      const depth = (each: Element): number =>
        each.parentElement?.closest(".reasons") ? 1 + depth(each.parentElement.closest(".reasons") as Element) : 0;
      const closed = [...element.querySelectorAll<HTMLElement>('.opener[aria-expanded="false"]')];
      const nearest = Math.min(...closed.map(depth));
      closed.find((each) => depth(each) === nearest)?.click();
      return closed.length > 0;
    });
    if (!isOpened) return null;
  }
  return null;
}

async function currentLine(page: Page): Promise<number> {
  return Number(await page.locator(".line.current").first().getAttribute("data-line"));
}

async function isOnScreen(page: Page, found: ReturnType<Page["locator"]>): Promise<boolean> {
  const box = await found.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}
