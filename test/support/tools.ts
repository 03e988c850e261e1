import { spawnSync } from "node:child_process";

export type Tool = "gcc" | "gcc -m32" | "z3" | "cvc5" | "coqc" | "chromium" | "redis-server";

/**
 * Whether a Debian tool is there. `npm test` has tried to install it (`scripts/provide-tools.sh`); with `CI=true` a
 * missing one is an error, elsewhere the tests that need it are to be skipped: `describe.skipIf(!hasTool("gcc"))`.
 */
export function hasTool(tool: Tool): boolean {
  const present = probe(tool);
  if (!present && process.env.CI === "true") throw new Error(`${tool} is missing and CI=true`);
  return present;
}

function probe(tool: Tool): boolean {
  if (tool === "gcc -m32") {
    const options = ["-m32", "-x", "c", "-", "-o", "/dev/null"];
    return spawnSync("gcc", options, { input: "int main(void) { return 0; }" }).status === 0;
  }
  return spawnSync(tool, ["--version"]).status === 0;
}
