import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../js/runners/fixture.ts";
import { builtCli, root } from "../support/builtCli.ts";

/** A folder in which the packed Tracefold is installed, with the packages that it needs, the runners and no others. */
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
  const { dependencies } = readManifest(join(packages, "tracefold"));
  for (const name of [...Object.keys(dependencies), "vitest", "jest", "mocha"])
    symlinkSync(join(root, "node_modules", name), join(packages, name));
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

describe("the installation", () => {
  it("takes at most 45 MB and runs no script when it is installed", () => {
    const own = join(place, "node_modules/tracefold");
    const needed = [...neededPackages(own)];
    expect(needed.map((folder) => basename(folder))).toEqual(expect.arrayContaining(["z3-solver", "oxc-parser"]));
    const bytes = [own, ...needed].map(bytesIn).reduce((a, b) => a + b);
    expect(bytes).toBeGreaterThan(35_000_000);
    expect(bytes).toBeLessThanOrEqual(45 * 1024 * 1024);
    for (const folder of [own, ...needed]) {
      const { scripts } = readManifest(folder);
      expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
    }
  });
});

type Manifest = Readonly<Record<"dependencies" | "optionalDependencies" | "scripts", Readonly<Record<string, string>>>>;

function readManifest(folder: string): Manifest {
  const read = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Partial<Manifest>;
  return { dependencies: {}, optionalDependencies: {}, scripts: {}, ...read };
}

/** The folders of all packages that npm installs with it on this machine. */
function neededPackages(folder: string, found: Set<string> = new Set()): ReadonlySet<string> {
  const { dependencies, optionalDependencies } = readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const path = join(root, "node_modules", name);
    if (!existsSync(path) || found.has(path)) continue;
    found.add(path);
    neededPackages(path, found);
  }
  return found;
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  return files.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0);
}
