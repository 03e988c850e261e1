import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { describeCheck } from "../../jobs/check/describeCheck.ts";
import { checkProof } from "../../proof/checkProof.ts";
import { manifestName, parseManifest } from "../../proof/manifest.ts";
import type { CheckRequest } from "../options/checkOptions.ts";
import { packageVersion } from "../version.ts";
import type { Control } from "./control.ts";
import type { EngineMessage } from "./engineMessage.ts";

/** Checks the proof in a folder from nothing but the program, the recorded inputs and the claims. */
export async function checkEngine(request: CheckRequest, control: Control): Promise<EngineMessage> {
  const start = performance.now();
  const path = manifestPath(request.path);
  const folder = dirname(path);
  const manifest = parseManifest(read(path), path);
  const fromHere = (from: string) => relative("", resolve(folder, from)) || ".";
  const checked = await checkProof(manifest, {
    fromManifest: fromHere,
    ...(request.solver === "auto" ? {} : { checkers: [request.solver] }),
    readScript: (name) => readIfPresent(join(folder, name)),
    cancellation: control.cancellation,
    progress: control.report,
  });
  const about = { version: packageVersion(), ms: Math.round(performance.now() - start), manifest: path };
  return { kind: "check", report: describeCheck(checked, about) };
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

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
