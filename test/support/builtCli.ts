import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The built command line. `npm test` builds it; a test run by hand says when it judges an older one. */
export function builtCli(): string {
  checked ??= check();
  return checked;
}

let checked: string | null = null;

function check(): string {
  const main = join(root, "dist/cli/main.js");
  const built = statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  const changed = sources
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)));
  if (changed.some(({ mtimeMs }) => mtimeMs > built)) console.warn("dist/ is older than src/: npm run build");
  return main;
}
