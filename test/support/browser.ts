import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Debian's Chromium: nothing is downloaded, and the browser asks no network. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export type ShownReport = {
  readonly page: Page;
  /** What the console and the page complained about, and what it asked a network for. */
  readonly complaints: string[];
};

/** Opens a report and waits until the source and the values at the cursor, or what `ready` selects, are there. */
export async function showReport(
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { readonly hash?: string; readonly ready?: string } = {},
): Promise<ShownReport> {
  const { hash = "", ready = ".line.current", ...context } = options;
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...context });
  // What is missing is missing: a wait for it ends soon, though not on a machine that is merely busy.
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", ({ message }) => complaints.push(`error: ${message}`));
  page.on("request", (request) => {
    if (/^(https?|wss?):/.test(request.url())) complaints.push(`network: ${request.url()}`);
  });
  await page.goto(`file://${path}${hash}`);
  await page.locator(ready).first().waitFor();
  return { page, complaints };
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core finds wrong with a page, as text. The page must be opened with `bypassCSP`, as it runs no other script. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    type Violation = { readonly id: string; readonly nodes: readonly { html: string; failureSummary: string }[] };
    const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await checker.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
}

/** Elements of a list that cover each other, as text. Those inside of one another do not count. */
export function overlaps(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate((wanted) => {
    const found: string[] = [];
    const shown = [...document.querySelectorAll<HTMLElement>(wanted)].filter((each) => each.checkVisibility());
    const clipped = (element: Element, line: DOMRect) => {
      let { left, top, right, bottom } = line;
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflow === "visible") continue;
        const own = box.getBoundingClientRect();
        [left, top] = [Math.max(left, own.left), Math.max(top, own.top)];
        [right, bottom] = [Math.min(right, own.right), Math.min(bottom, own.bottom)];
      }
      return { element, left, top, right, bottom };
    };
    // A text that is broken into lines has a box for each.
    const boxes = shown.flatMap((element) => [...element.getClientRects()].map((line) => clipped(element, line)));
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1)) {
        if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A pixel is rounding.
        if (width > 1.5 && height > 1.5) found.push(`${a.element.textContent} / ${b.element.textContent}`);
      }
    return found;
  }, selector);
}
