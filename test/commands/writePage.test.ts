import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPage } from "../../src/commands/writePage.ts";
import { pageFile } from "../../src/render/page/pageFile.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-open-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it("a page without a report has at most 300 kB", async () => {
  const report = { kind: "doesNotFail" } as unknown as Parameters<typeof pageFile>[0]["report"];
  const page = await pageFile({ report, sources: new Map(), recording: null });
  expect(Buffer.byteLength(page)).toBeLessThan(300_000);
});

describe.runIf(process.platform === "linux")("--open", () => {
  it("gives the page to the user's browser", async () => {
    const opened = join(folder, "opened");
    const opener = join(folder, "xdg-open");
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`);
    chmodSync(opener, 0o755);
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    const told: string[] = [];
    await openPage("a report.html", { tell: (text) => told.push(text) });
    await expect.poll(() => existsSync(opened), { timeout: 60_000 }).toBe(true);
    expect(readFileSync(opened, "utf8")).toBe("a report.html");
    expect(told).toEqual([]);
  });

  it("says so if there is no browser", async () => {
    vi.stubEnv("PATH", folder);
    const told: string[] = [];
    await openPage("report.html", { tell: (text) => told.push(text) });
    expect(told).toEqual(["no browser was found (xdg-open): open report.html in one"]);
  });
});
