import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The command-line tests run what is in `dist/`; build it again where a source file is newer. */
export default function setup(): void {
  const built = modified(join(root, "dist/cli/main.js"));
  if (built > newest(join(root, "src")) && built > modified(join(root, "tsdown.config.ts"))) return;
  execFileSync(process.execPath, [join(root, "node_modules/tsdown/dist/run.mjs")], { cwd: root, stdio: "inherit" });
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((entry) => modified(join(entry.parentPath, entry.name))));
}
