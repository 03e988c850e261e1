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

/** Opens a report and waits until the source and the values at the cursor are there. */
export async function showReport(
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<ShownReport> {
  const { hash = "", ...context } = options;
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
  await page.locator(".line.current").waitFor();
  return { page, complaints };
}

/** Elements of a list that cover each other, as text. Those inside of one another do not count. */
export function overlaps(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate((wanted) => {
    const found: string[] = [];
    const shown = [...document.querySelectorAll<HTMLElement>(wanted)].filter((each) => each.offsetParent !== null);
    const clipped = (element: Element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflow === "visible") continue;
        const own = box.getBoundingClientRect();
        [left, top] = [Math.max(left, own.left), Math.max(top, own.top)];
        [right, bottom] = [Math.min(right, own.right), Math.min(bottom, own.bottom)];
      }
      return { left, top, right, bottom };
    };
    const boxes = shown.map(clipped);
    for (let i = 0; i < shown.length; i++)
      for (let j = i + 1; j < shown.length; j++) {
        const [a, b, first, second] = [boxes[i], boxes[j], shown[i], shown[j]];
        if (a === undefined || b === undefined || first === undefined || second === undefined) continue;
        if (first.contains(second) || second.contains(first)) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A pixel is rounding.
        if (width > 1.5 && height > 1.5) found.push(`${first.textContent} / ${second.textContent}`);
      }
    return found;
  }, selector);
}
