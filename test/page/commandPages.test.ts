import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataOf, dataOfReport } from "../../page/pageDataPlugin.ts";
import { packPage, unpackPage } from "../../src/render/page/pageData.ts";
import { pageFile } from "../../src/render/page/pageFile.ts";
import { axeFaults, openBrowser, overlaps, showReport } from "../support/browser.ts";
import { root } from "../support/builtCli.ts";
import { pageOf, type WrittenPage } from "../support/commandPage.ts";
import { copyOfProject } from "../support/reportPages.ts";
import { schemaErrors } from "../support/schema.ts";
import { hasTool } from "../support/tools.ts";
import { pictureDistance, pictureTolerance } from "./pictures/pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-command-pages-"));
const own = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const counting = `#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n, y = 0;
  while (x > 0) {
    x--;
    y++;
  }
  assert(y == n);
  return 0;
}
`;

const forking = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  if (n > 100 || n < 0) return 0;
  while (i < n) i++;
  const char *text = "</script><img src=x onerror=alert(1)>";
  if (i == 57 && text)
    assert(n == 3 && "</script><img src=x onerror=alert(1)>");
  return 0;
}
`;

const commands = {
  verify: { type: "VerifyReport", words: ["verify", own("counting.c", counting)] },
  unsafe: { type: "VerifyReport", words: ["verify", "examples/counters.c", "--explain"] },
  explore: { type: "ExploreReport", words: ["explore", own("forking.c", forking), "--runs", "0"] },
  infer: {
    type: "InferReport",
    words: ["infer", "examples/infer/account.c", "--entry", "test", "--inputs", "50", "--inputs", "120"],
  },
  "infer tests": { type: "InferReport", project: "vitest", words: ["infer", "--", "npx", "vitest", "run"] },
  compress: { type: "Explanation", words: ["compress", "examples/counters.c", "--inputs", "100"] },
  explain: { type: "Explanation", words: ["explain", "examples/explain/off-by-one.c", "--inputs", "40", "--no-proof"] },
} as const satisfies Readonly<
  Record<string, { readonly type: string; readonly words: readonly string[]; readonly project?: string }>
>;

type Name = keyof typeof commands;
const names = Object.keys(commands) as Name[];
const pages = new Map<Name, WrittenPage>();
/** The folders in which the commands ran. */
const froms = new Map<Name, string>();
const written = (name: Name): WrittenPage => {
  const page = pages.get(name);
  if (page === undefined) throw new Error(`no page of ${name}`);
  return page;
};

beforeAll(async () => {
  for (const name of names) {
    const { words, project } = { project: null, ...commands[name] };
    const from = project === null ? root : copyOfProject(folder, project);
    pages.set(name, await pageOf(join(folder, name.replace(" ", "-")), words, from));
    froms.set(name, from);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unpacked = (base64: string) => unpackPage(gunzipSync(Buffer.from(base64, "base64")));

describe.each(names)("the page of %s", (name) => {
  it("has the report that --format json prints, and that follows its schema", () => {
    const { report } = unpacked(dataOf(written(name).html)).data;
    expect(report).toEqual(written(name).report);
    expect(schemaErrors(commands[name].type, report)).toEqual([]);
  });

  it("equals the page of the same JSON read back", async () => {
    const { report } = written(name);
    const sources = new Map(report.program.files.map(({ path }) => [path, "int x;\n"]));
    const content = { report, sources, recording: null };
    const again = { ...content, report: JSON.parse(JSON.stringify(report)) };
    expect(await pageFile(again)).toBe(await pageFile(content));
  });

  it("is what its parts are packed from", () => {
    const { data, recording } = unpacked(dataOf(written(name).html));
    const again = unpackPage(packPage(data, recording));
    expect(again.data).toEqual(data);
    expect(Buffer.from(again.recording).equals(Buffer.from(recording))).toBe(true);
    expect(data.recording !== null).toBe(["unsafe", "compress", "explain"].includes(name));
  });

  it("can be served from its JSON alone, with the sources that it names", async () => {
    const { data } = unpacked(await dataOfReport(written(name).json, froms.get(name)));
    const whole = unpacked(dataOf(written(name).html)).data;
    expect(data.report).toEqual(whole.report);
    expect(data.files).toEqual(whole.files);
    expect(data.recording).toBeNull();
  });
});

describe.skipIf(!hasTool("chromium"))("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const shown = (name: Name, options: Parameters<typeof showReport>[2] = {}) =>
    showReport(browser, written(name).html, { ready: ".panel", ...options });
  const currentLine = async (page: Page) =>
    Number(await page.locator(".line.current").first().getAttribute("data-line"));

  it("a safe verdict has its loops with invariants and what was proved of them", async () => {
    const { page, complaints } = await shown("verify");
    expect(await page.locator("h1").textContent()).toMatch(/^safe: no assertion fails/);
    expect(await page.locator(".note").first().textContent()).toContain("always here: n >= ");
    const panel = page.locator(".panel");
    expect(await panel.locator(".formulas li").count()).toBeGreaterThan(0);
    expect(await panel.locator(".obligations .badge.proved").count()).toBe(4);
    await panel.locator(".badge.proved").first().click();
    expect(await panel.locator(".meaning").first().textContent()).toContain("solver");
    await panel.locator(".place").first().click();
    await page.locator(".line.current").waitFor();
    expect(await currentLine(page)).toBe(6);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("an unsafe verdict has the failing run, and any value of it can be asked about", async () => {
    const { page, complaints } = await shown("unsafe");
    expect(await page.locator("h1").textContent()).toBe("unsafe: assertion failed: sent == received");
    await page.locator(".line.current").waitFor();
    expect(await currentLine(page)).toBe(15);
    expect(await page.locator(".command").textContent()).toContain("--inputs=100");
    await page.locator('.line[data-line="13"] .value').first().click();
    await page.locator(".pointed").waitFor();
    // With --explain the page has the explanation, too.
    await page.getByRole("tab", { name: "why" }).click();
    const rows = page.locator(".panel .step .place");
    for (const [i, place] of (await rows.allTextContents()).entries()) {
      await rows.nth(i).click();
      await page.locator(`.line.current[data-line="${place.split(":").at(-1)}"]`).waitFor();
    }
    expect(await page.locator(".panel .mark").first().textContent()).toMatch(/here/);
    await page.getByRole("tab", { name: "changes" }).click();
    expect(await page.locator(".change").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("paths are a tree that leads to the source; text of the program stays text", async () => {
    const { page, complaints } = await shown("explore");
    expect(await page.locator("h1").textContent()).toBe("1 failure was found");
    expect(await page.locator(".command").textContent()).toContain("--inputs=57");
    expect(await page.locator(".node.cycle").count()).toBeGreaterThan(0);
    await page.locator(".node.cycle .place").first().click();
    await page.locator(".line.current").waitFor();
    expect(await currentLine(page)).toBe(7);
    const nodes = await page.locator(".node").count();
    await page.locator(".node .opener").first().click();
    expect(await page.locator(".node").count()).toBeLessThan(nodes);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator('.line[data-line="10"] code').textContent()).toContain("</script><img");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("contracts stand above their functions, with some of their calls", async () => {
    const { page, complaints } = await shown("infer");
    expect(await page.locator("h1").textContent()).toBe("2 contracts from 10 calls");
    expect(await page.locator(".note").allTextContents()).toContain("ensures result == a->balance + a->credit");
    await page.locator(".contract .place").nth(1).click();
    await page.locator(".line.current").waitFor();
    expect(await currentLine(page)).toBe(14);
    await page.locator("summary").nth(1).click();
    expect(await page.locator(".examples li").first().isVisible()).toBe(false);
    expect(await page.locator(".contract").nth(1).locator(".examples").textContent()).toMatch(/withdraw\(.*\) is [01]/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("contracts of JavaScript stand above its functions, with some of the calls of its tests", async () => {
    const { page, complaints } = await shown("infer tests");
    expect(await page.locator("h1").textContent()).toMatch(/^\d+ contracts from \d+ calls$/);
    expect(await page.locator(".note").allTextContents()).toContain("  ensures balance === old(balance) + amount");
    const contract = page.locator(".contract").filter({ hasText: "median(" });
    await contract.locator(".place").first().click();
    await page.getByRole("tab", { name: "src/median.ts", selected: true }).waitFor();
    expect(await page.locator(".line.current code").textContent()).toContain("function median");
    await contract.locator("summary").click();
    expect(await contract.locator(".examples li").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("an explanation in JSON has its reasons and places without a recording", async () => {
    const { report } = written("explain");
    const path = "examples/explain/off-by-one.c";
    const sources = new Map([[path, readFileSync(join(root, path), "utf8")]]);
    const html = own("alone.html", await pageFile({ report, sources, recording: null }));
    const { page, complaints } = await showReport(browser, html, { ready: ".panel" });
    await page.getByRole("tab", { name: "changes" }).click();
    await page.locator(".change .place").first().click();
    await page.locator(".line.current").waitFor();
    await page.getByRole("tab", { name: "why" }).click();
    await page.locator(".tree .place").first().click();
    await page.locator(".tree .opener").first().click();
    await page.locator(".reasons").first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("each step of a folded run leads to its line, and its values can be asked about", async () => {
    const { page, complaints } = await shown("compress");
    expect(await page.locator("h1").textContent()).toMatch(/^assertion failed: sent == received: 518 steps became 9/);
    expect(await page.locator(".fold .always").count()).toBeGreaterThan(0);
    const rows = page.locator(".folded .place");
    for (let i = 0; i < (await rows.count()); i++) {
      const line = Number(await rows.nth(i).textContent());
      await rows.nth(i).click();
      await page.locator(`.line.current[data-line="${line}"]`).waitFor({ timeout: 10_000 });
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(["verify", "unsafe", "explore", "infer", "infer tests", "compress"] as const)(
    "%s has no faults that axe-core finds, fits a narrow window, and looks like its picture",
    async (name) => {
      const { page } = await shown(name, { bypassCSP: true });
      for (const theme of ["dark", "light"]) {
        await page.keyboard.press("d");
        await page.locator(`html[data-theme="${theme}"]`).waitFor();
        expect(await axeFaults(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 700 });
      expect(await overlaps(page, "h1, .top button, .time canvas, .clock, .loops label, .source, .side")).toEqual([]);
      expect(await overlaps(page, ".panel button, .panel code, .panel h2, .panel strong")).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await pictureDistance(page, name.replace(" ", "-"))).toBeLessThan(pictureTolerance);
      await page.close();
    },
  );
});

it("a file that is no page is refused", () => {
  expect(() => dataOf(join(root, "package.json"))).toThrow("is no page");
  expect(readFileSync(join(root, "page/index.html"), "utf8")).toContain("<!--data-->");
});
