import { spawnSync } from "node:child_process";
import { builtCli, root } from "./builtCli.ts";

/**
 * Runs a command as a reader would, with `tracefold` being this checkout's. Commands with `npm ci` are not run as they
 * stand: they would replace `node_modules` below the running tests. What follows the `npm ci` is.
 */
export function runShown(command: string, folder = root): string {
  const own = command
    .replace(/^npm ci && /, "")
    .replaceAll(/(?:npx )?\btracefold (?=run|explain|compress|check|infer|--)/g, `node ${builtCli()} `);
  return spawnSync("bash", ["-c", `{ ${own}\n} 2>&1`], { cwd: folder, encoding: "utf8", timeout: 600_000 }).stdout;
}

/** Times differ from run to run, and who checks a proof from machine to machine. */
export function withoutTimes(text: string): string {
  return text
    .replaceAll(/(proof (?:checked|accepted) \([\d,]+ \w+)(?:, [^)]*)?\)/g, "$1, SOLVER)")
    .replaceAll(/\d+(\.\d+)? m?s\b/g, "N ms")
    .replaceAll(/"ms": \d+(\.\d+)?/g, '"ms": N');
}
