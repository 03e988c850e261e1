import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { readIfPresent } from "../base/readIfPresent.ts";
import { type CheckedProof, type CheckProofOptions, checkProof } from "./checkProof.ts";
import { manifestName, parseManifest } from "./manifest.ts";

/** Checks the proof in a folder, or beside a manifest, from nothing but the program, the recorded inputs and the claims. */
export async function checkFolder(
  path: string,
  options: Omit<CheckProofOptions, "fromManifest" | "readScript" | "listed">,
): Promise<{ readonly checked: CheckedProof; readonly manifest: string }> {
  const manifest = manifestPath(path);
  const folder = dirname(manifest);
  const checked = await checkProof(parseManifest(read(manifest), manifest), {
    ...options,
    fromManifest: (from) => relative("", resolve(folder, from)) || ".",
    readScript: (name) => readIfPresent(join(folder, name)),
    listed: readdirSync(folder),
  });
  return { checked, manifest };
}

function manifestPath(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? join(path, manifestName) : path;
}

function read(path: string): string {
  const text = readIfPresent(path);
  if (text !== null) return text;
  throw new TracefoldError({
    code: "TF101",
    message: `${path}: there is no such file`,
    help: "tracefold compress FILE --proof DIR writes a proof.",
  });
}
