import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The programs were divided before anything was measured: what misses in `look` may be looked at, `kept` is only
 * measured.
 */
export type Half = "look" | "kept";

export const halves: readonly Half[] = ["look", "kept"];

/** A program with tests of its own: functions `test_…` without parameters, which `main` calls one after the other. */
export type TestedProgram = {
  /** Its file's name without `.c`; unique over both halves. */
  readonly name: string;
  readonly half: Half;
  readonly path: string;
  readonly text: string;
};

export function testedPrograms(): readonly TestedProgram[] {
  return halves.flatMap((half) => {
    const folder = fileURLToPath(new URL(`./programs/${half}/`, import.meta.url));
    return readdirSync(folder)
      .filter((file) => file.endsWith(".c"))
      .sort()
      .map((file) => ({
        name: file.slice(0, -".c".length),
        half,
        path: folder + file,
        text: readFileSync(folder + file, "utf8"),
      }));
  });
}

/** Tests are right: they are neither mutated nor suspected. */
export function isTestFunction(name: string): boolean {
  return name === "main" || name.startsWith("test_");
}
