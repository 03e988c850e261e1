import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes a project into a temporary folder, with the packages that this repository has installed. */
export function writeProject(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "tracefold-project-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(root, "node_modules"));
  return root;
}

/** A digest of all files of a project, without its packages. */
export function digestOf(root: string): string {
  const hash = createHash("sha256");
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      if (name === "node_modules") continue;
      const path = join(folder, name);
      hash.update(path);
      if (statSync(path).isDirectory()) visit(path);
      else hash.update(readFileSync(path));
    }
  };
  visit(root);
  return hash.digest("hex");
}
