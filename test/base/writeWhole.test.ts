import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeAllWhole, writeWhole } from "../../src/base/files.ts";
import { spelledOut } from "../../src/base/text.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-write-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a file is written wholly or not at all", () => {
  it("keeps the old file if the new one cannot be written, and leaves nothing else behind", () => {
    const own = join(folder, "kept");
    mkdirSync(own);
    writeFileSync(join(own, "a"), "old");
    const bad = join(own, "missing", "b");
    expect(() =>
      writeAllWhole([
        [join(own, "a"), "new"],
        [bad, "new"],
      ]),
    ).toThrow();
    expect(readFileSync(join(own, "a"), "utf8")).toBe("old");
    expect(readdirSync(own)).toEqual(["a"]);
  });

  it.runIf(existsSync("/dev/full"))("reports a full disk, also for a device", () => {
    expect(() => writeWhole("/dev/full", "text")).toThrow(/ENOSPC/);
    expect(existsSync("/dev/full")).toBe(true);
  });

  it("keeps a link as a link", () => {
    const [file, link] = [join(folder, "file"), join(folder, "link")];
    writeFileSync(file, "old");
    symlinkSync(file, link);
    writeWhole(link, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
  });
});

it("escapes control characters except line ends", () => {
  expect(spelledOut("a\u001b[31m\r\nb\u0000")).toBe("a\\x1b[31m\\x0d\nb\\x00");
});
