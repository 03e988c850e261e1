import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Packs Tracefold, installs it in fresh projects and explains their failing test: under every Node and vitest that it
 * promises to support. `npm run check-release`; it downloads them from the npm registry.
 */
const nodes = ["20", "22", "24"];
const runners = ["2", "3", "4", "5"];
/** Vitest 5 itself fails under Node 20. */
const isSupported = (node: string, vitest: string) => !(node === "20" && vitest === "5");

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "tracefold-release-"));
let failed = 0;
try {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", place], root);
  const [tarball = ""] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  const projects = runners.map((version) => ({ version, folder: freshProject(version, join(place, tarball)) }));
  for (const version of nodes) {
    const path = nodeOf(version);
    for (const { version: vitest, folder } of projects.filter((project) => isSupported(version, project.version)))
      check(`Node ${version}, vitest ${vitest}`, folder, path);
  }
} finally {
  rmSync(place, { recursive: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function freshProject(version: string, tarball: string): string {
  const folder = join(place, `vitest-${version}`);
  cpSync(join(root, "examples/vitest"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { devDependencies: object };
  manifest.devDependencies = { vitest: version };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--save-dev", tarball], folder);
  return folder;
}

/** The folder of a Node executable: this one, or one from the registry. */
function nodeOf(version: string): string {
  if (process.versions.node.startsWith(`${version}.`)) return join(process.execPath, "..");
  const folder = join(place, `node-${version}`);
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${version}`], folder);
  return join(folder, "node_modules", name, "bin");
}

function check(name: string, folder: string, nodePath: string): void {
  const env = { ...process.env, PATH: `${nodePath}${delimiter}${process.env.PATH}`, FORCE_COLOR: "0", NO_COLOR: "1" };
  const tracefold = (...words: readonly string[]) =>
    spawnSync("node", ["node_modules/tracefold/dist/cli/main.js", ...words], { cwd: folder, env, encoding: "utf8" });
  const explained = tracefold("explain", "--", "npm", "test");
  const doctor = tracefold("doctor", "--format", "json");
  const words = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=tracefold/reporter"];
  const reported = spawnSync("node", words, { cwd: folder, env, encoding: "utf8" });
  const problems = [
    ...(explained.status === 0 && explained.stdout.includes("<-- look here") ? [] : [`explain: ${said(explained)}`]),
    ...(doctor.status === 0 ? [] : [`doctor: ${said(doctor)}`]),
    ...(reported.status === 1 && reported.stdout.includes("<-- look here") ? [] : [`reporter: ${said(reported)}`]),
  ];
  if (problems.length > 0) failed++;
  console.log(`${name}: ${problems.length === 0 ? "works" : problems.join("\n  ")}`);
}

function said({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }): string {
  return `exit ${status}\n${`${stdout}${stderr}`.slice(-600)}`;
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: exit ${status}\n${stdout}${stderr}`);
}
