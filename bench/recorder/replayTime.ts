import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";

const root = resolve(import.meta.dirname, "../..");
const bundle = join(root, "node_modules/.cache/tracefold-bench/replayOnce.mjs");

/**
 * Microseconds of the replaying thread for each event of a recording, in a process of its own that runs the code bundled, as users
 * have it. Sources are read before the clock starts: they cost by the file, not by the event.
 */
export function replayTime(recording: string, events: number): { readonly first: number; readonly warm: number } {
  buildSync({
    entryPoints: [join(import.meta.dirname, "replayOnce.ts")],
    outfile: bundle,
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" },
  });
  // As often as it takes to warm up: a recording of a few hundred events is over before anything is compiled.
  const times = Math.min(60, 3 + Math.ceil(400_000 / Math.max(1, events)));
  const { stdout, stderr } = spawnSync(process.execPath, [bundle, recording, String(times)], { encoding: "utf8" });
  const all = stdout.trim().split("\n").map(Number);
  if (all.length !== times || all.some(Number.isNaN)) throw new Error(`the replay did not end well: ${stderr}`);
  const warm = all.slice(-3).sort((a, b) => a - b);
  return { first: all[0]! / Math.max(1, events), warm: warm[warm.length >> 1]! / Math.max(1, events) };
}
