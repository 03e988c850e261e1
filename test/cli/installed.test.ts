import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../js/runners/fixture.ts";
import { builtCli, root } from "../support/builtCli.ts";

/** A folder in which the packed Tracefold is installed, with the packages that it needs. */
const place = mkdtempSync(join(tmpdir(), "tracefold-installed-"));

beforeAll(() => {
  builtCli();
  const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", place];
  expect(spawnSync("npm", words, { cwd: root }).status).toBe(0);
  const packages = join(place, "node_modules");
  mkdirSync(join(packages, ".bin"), { recursive: true });
  mkdirSync(join(packages, "tracefold"));
  const [tarball = ""] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  spawnSync("tar", ["-xf", join(place, tarball), "--strip-components=1", "-C", join(packages, "tracefold")]);
  for (const name of readdirSync(join(root, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(packages, name));
  symlinkSync("../tracefold/dist/cli/main.js", join(packages, ".bin/tracefold"));
});

afterAll(() => rmSync(place, { recursive: true }));

describe("the packed Tracefold, in fresh copies of the examples", () => {
  it.each([
    ["vitest", "received is 4, expected 0", 3],
    ["jest", "received is 35, expected 32", 7],
    ["mocha", "received is 366, expected 365", 3],
    ["node-test", "received is 6, expected 8", 12],
  ])("npx tracefold explain -- npm test: %s", (name, head, line) => {
    const folder = join(place, name);
    const isOwn = (path: string): boolean => !path.includes("node_modules");
    cpSync(join(root, "examples", name), folder, { recursive: true, filter: isOwn });
    const before = digestOf(folder);
    const env = { ...process.env, FORCE_COLOR: "0" };
    const words = ["--no-install", "tracefold", "explain", "--", "npm", "test"];
    const { stdout, status } = spawnSync("npx", words, { cwd: folder, encoding: "utf8", env });
    expect(stdout).toContain(`error: ${head}`);
    expect(stdout).toMatch(new RegExp(`[ :]${line} .*<-- look here`));
    expect(stdout).toContain("observed and re-run");
    expect(status).toBe(0);
    expect(digestOf(folder)).toBe(before);
  });
});
