import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Milliseconds for a run of the built program. */
const longest = 10_000;

/** Does the program on disk pass, built by gcc with sanitizers? Nothing of Tracefold takes part in this answer. */
export function passesOnDisk(path: string): boolean {
  const built = `${path}.out`;
  const words = [
    "-g",
    "-O0",
    "-w",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    path,
    "-o",
    built,
    "-lm",
  ];
  if (spawnSync("gcc", words, { stdio: "ignore" }).status !== 0) return false;
  const { status } = spawnSync(built, { stdio: "ignore", timeout: longest });
  rmSync(built, { force: true });
  return status === 0;
}
