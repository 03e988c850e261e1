import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { headOf } from "../src/commands/explain/joinExplanation.ts";
import { recordingOf } from "../src/commands/explain/recording/recordingOf.ts";
import { writePage } from "../src/commands/writePage.ts";
import { dependenceGraph } from "../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../src/interpreter/trace.ts";
import { openBrowser } from "../test/support/browser.ts";

/** Sums what 64 cells got in many rounds, and forgets the last cell. Nine steps a round. */
export const sumProgram = (rounds: number) => `#include <assert.h>
static unsigned next(unsigned seed) {
  return seed * 1103515245u + 12345u;
}
int main(void) {
  unsigned seed = 7;
  long cells[64] = {0};
  long expected = 0;
  for (int round = 0; round < ${rounds}; round++) {
    seed = next(seed);
    int amount = (seed >> 16) % 100;
    int cell = (seed >> 8) % 64;
    cells[cell] += amount;
    if (amount > 50)
      expected += amount;
    else
      expected += amount;
  }
  long total = 0;
  for (int i = 0; i < 63; i++)
    total += cells[i];
  assert(total == expected);
  return 0;
}
`;

/** Writes the page of a long run, without an explanation. Returns its steps and the milliseconds of recording it. */
export async function writeSumPage(path: string, rounds: number) {
  const text = sumProgram(rounds);
  const trace = recordTrace(await loadCText("sum.c", text));
  const graph = dependenceGraph(trace);
  const start = performance.now();
  const recording = recordingOf(graph);
  const recordedIn = performance.now() - start;
  const report = { ...headOf(trace, { version: "0", ms: 0 }), kind: "doesNotFail" as const };
  await writePage(path, { report, sources: new Map([["sum.c", text]]), recording });
  return { steps: graph.end - graph.first, recordedIn };
}

/** Sizes and times of pages: `npm run bench -- page`. Times are medians, in milliseconds. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-bench-"));
  const browser = await openBrowser();
  try {
    for (const rounds of [1_100, 111_000]) {
      const path = join(folder, `${rounds}.html`);
      const { steps, recordedIn } = await writeSumPage(path, rounds);
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      // What runs this file names its functions with a helper that the page does not have.
      await page.addInitScript("globalThis.__name = (named) => named");
      const opened: number[] = [];
      for (let i = 0; i < 3; i++) {
        const before = performance.now();
        await page.goto(`file://${path}`);
        await page.locator(".line.current .value").first().waitFor();
        opened.push(performance.now() - before);
      }
      console.log(
        `${steps} steps: ${(statSync(path).size / 1e6).toFixed(2)} MB, recorded in ${((recordedIn * 1000) / steps).toFixed(1)} us a step, first screen ${median(opened).toFixed(0)}`,
      );
      for (const [name, clicks] of await clicksOf(page))
        console.log(
          `  ${name.padEnd(20)} ${median(clicks).toFixed(0).padStart(5)} (worst ${Math.max(...clicks).toFixed(0)})`,
        );
      await page.close();
    }
    const parts = ["page.js", "page.css"].map(
      (name) => statSync(new URL(`../dist/page/${name}`, import.meta.url)).size,
    );
    console.log(`the page alone: ${Math.round(parts.reduce((a, b) => a + b) / 1000)} kB`);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** From the event to the paint behind the answer, measured in the page. */
async function clicksOf(page: Page): Promise<readonly (readonly [string, readonly number[]])[]> {
  const kinds = ["step back", "step over", "line", "value", "why", "open a reason", "loop slider", "strip"] as const;
  const found: [string, number[]][] = [];
  for (const kind of kinds) {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      // Each question is asked about another step.
      if (kind === "why") await page.keyboard.press("p");
      if (kind === "why") await page.waitForTimeout(200);
      times.push(await page.evaluate(measure, [kind, i] as const));
    }
    found.push([kind, times]);
  }
  return found;
}

/** Runs in the page. The answer is there when nothing changed for two frames. */
function measure([kind, i]: readonly [string, number]): Promise<number> {
  const all = <T extends Element = HTMLElement>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const press = (key: string) => dispatchEvent(new KeyboardEvent("keydown", { key }));
  const nth = (list: readonly HTMLElement[]) => list[i % Math.max(1, list.length)]?.click();
  return new Promise((resolve) => {
    let last = performance.now();
    const start = last;
    const observer = new MutationObserver(() => {
      requestAnimationFrame(() => {
        last = performance.now();
      });
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    if (kind === "step back") press("p");
    else if (kind === "step over") press("o");
    else if (kind === "line") nth(all(".line.executed .number"));
    else if (kind === "value") nth(all(".line .value"));
    else if (kind === "why") press("w");
    else if (kind === "open a reason") nth(all('.asked .opener[aria-expanded="false"]'));
    else if (kind === "strip") {
      const canvas = all("canvas")[0];
      const box = canvas?.getBoundingClientRect();
      const clientX = (box?.left ?? 0) + ((box?.width ?? 0) * (i + 1)) / 11;
      canvas?.dispatchEvent(new MouseEvent("click", { clientX, clientY: (box?.top ?? 0) + 3, bubbles: true }));
    } else {
      const slider = all<HTMLInputElement>(".loops input")[0];
      if (slider !== undefined) {
        slider.value = `${Math.floor((Number(slider.max) * (i + 1)) / 11)}`;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
    setTimeout(() => {
      observer.disconnect();
      resolve(last - start);
    }, 400);
  });
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
}
