import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FailingCase } from "./failingCases.ts";
import { createPool } from "./pool.ts";
import { testedPrograms } from "./programs.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Every failing mutant of every program. Finding them means to run thousands of mutants, so they are kept until a program or
 * a mutator changes; `fresh` finds them again, which a change of the interpreter may call for.
 */
export async function allCases(options: {
  readonly fresh: boolean;
  progress(text: string): void;
}): Promise<readonly FailingCase[]> {
  const file = join(folder, "../../node_modules/.cache/tracefold", `mutants-${contentHash()}.json`);
  if (!options.fresh && existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as FailingCase[];
  const programs = testedPrograms();
  const pool = createPool();
  let done = 0;
  const found = await pool.map(
    programs.map(({ name }) => ({ kind: "cases", program: name }) as const),
    { limit: 30 * 60_000, onDone: () => options.progress(`mutants of ${++done} of ${programs.length} programs`) },
  );
  const cases = found.flatMap((result) => {
    if (result.kind !== "cases") throw new Error(`no mutants: ${result.kind === "lost" ? result.reason : "no answer"}`);
    return result.cases;
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(cases));
  return cases;
}

/** Of the programs and of everything that mutates them. */
function contentHash(): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?:programs|kinds)\b.*\.[ct]s?$|^(?:mutat|failing|choose|apparent|site|source|tree|forbidden).*\.ts$/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}
