import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchText, chosenTasks, groupsText, linkOf, statusesOf, toneOf } from "../../page/src/results/batch.ts";
import type { BatchReport, ReportedTask } from "../../src/batch/results/batchReport.ts";
import { runCli, temporaryFolder } from "../batch/support.ts";
import { axeFaults, openBrowser, overlaps, showReport } from "../support/browser.ts";
import { hasTool } from "../support/tools.ts";

const task = (name: string, more: Partial<ReportedTask>): ReportedTask => ({
  ...{ name, command: "verify", category: "answered", answer: "safe", expected: null, reason: null, cause: null },
  ...{ seconds: 1, processorSeconds: null, megabytes: null, attempts: 1, key: name },
  ...more,
});

const report = (tasks: readonly ReportedTask[], left = 0): BatchReport => ({
  ...{ command: "batch", tool: { name: "tracefold", version: "0" }, limits: { seconds: 1, megabytes: 1 } },
  ...{ tasks, groups: [], left, reused: 0, seconds: 1 },
});

describe("a table of tasks", () => {
  const right = task("a", { category: "right", processorSeconds: 5 });
  const unknown = task("b", { category: "unknown", answer: "unknown", reason: "The time is up" });
  const wrong = task("c", { category: "wrong", expected: "unsafe", seconds: 9 });

  it("counts results, and is good, open or bad", () => {
    expect(batchText(report([right, unknown, right], 2))).toBe("3 tasks: 2 right: safe, 1 unknown; 2 not done");
    expect([[right], [right, unknown], [right, wrong]].map((tasks) => toneOf(report(tasks)))).toEqual([
      "good",
      "open",
      "bad",
    ]);
    expect(toneOf(report([task("d", { answer: "unsafe" })]))).toBe("bad");
    expect(statusesOf(report([right, wrong]))).toEqual([
      { text: "right: safe", count: 1 },
      { text: "wrong: safe", count: 1 },
    ]);
    const cause = { kind: "assertion", file: "a.c", line: 1, text: "" };
    expect(groupsText({ ...report([]), groups: [{ ...cause, tasks: ["a", "b"] }] })).toBe("2 failures, 1 cause");
  });

  it("chooses by result and by text, the slowest first", () => {
    const all = report([right, unknown, wrong]);
    const names = (choice: Partial<Parameters<typeof chosenTasks>[1]>) =>
      chosenTasks(all, { status: null, text: "", order: "given", ...choice }).map(({ name }) => name);
    expect(names({ status: "unknown" })).toEqual(["b"]);
    expect(names({ text: " time IS" })).toEqual(["b"]);
    expect(names({ order: "slowest" })).toEqual(["c", "a", "b"]);
  });

  it("links to pages beside it only", () => {
    expect(linkOf({ page: "all-pages/a1-900s.html" })).toBe("./all-pages/a1-900s.html");
    expect(linkOf({ page: "run #1: all-pages/a1.html" })).toBe("./run%20%231%3A%20all-pages/a1.html");
    expect(linkOf({ page: "javascript:alert(1)" })).toBeNull();
    expect(linkOf({ page: "../x-pages/a.html" })).toBeNull();
    expect(linkOf({})).toBeNull();
  });
});

describe.skipIf(!hasTool("chromium"))("the page of a batch", () => {
  const folder = temporaryFolder();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has failures by cause, and a table that leads to explanations with their source", async () => {
    mkdirSync(join(folder, "programs"));
    const program = (limit: number) =>
      `#include <assert.h>\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i <= 3; i++) sum += i;\n  assert(sum == ${limit});\n}\n`;
    writeFileSync(join(folder, "programs/<img onerror=alert(1)>.c"), program(3));
    writeFileSync(join(folder, "programs/fine.c"), program(6));
    const words = ["batch", "programs", "--store", "store", "--html", "all.html", "--", "--no-proof"];
    expect((await runCli(words, folder)).status).toBe(1);

    const options = { ready: ".tasks", bypassCSP: true };
    const { page, complaints } = await showReport(browser, join(folder, "all.html"), options);
    expect(await page.locator("h1").textContent()).toBe("2 tasks: 1 explained, 1 passes");
    expect(await page.locator(".source").count()).toBe(0);
    expect(await page.getByRole("heading", { name: "1 failure, 1 cause" }).count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
    for (const theme of ["dark", "light"]) {
      await page.keyboard.press("d");
      await page.locator(`html[data-theme="${theme}"]`).waitFor();
      expect(await axeFaults(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await overlaps(page, "h1, .top button, .panel button, .panel h2")).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });

    const names = () => page.locator(".tasks tbody th").allTextContents();
    await page.getByLabel("find tasks").fill("fine");
    expect(await names()).toEqual(["programs/fine.c"]);
    await page.getByLabel("find tasks").fill("");
    await page.getByRole("button", { name: /^explained/ }).click();
    expect(await names()).toEqual(["programs/<img onerror=alert(1)>.c"]);
    await page.locator(".tasks a").click();
    await page.locator(".line").first().waitFor();
    expect(await page.locator("h1").textContent()).toContain("assertion failed: sum == 3");
    expect(await page.locator(".source").textContent()).toContain("for (int i = 0; i <= 3; i++)");
    expect(complaints).toEqual([]);
    await page.close();
  });
});
