import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Defect } from "../src/base/errors.ts";
import type { DataModelName } from "../src/ir/type.ts";
import { checkGenerated } from "../test/support/checkGenerated.ts";
import { generateProgram, programChoices } from "../test/support/generateProgram.ts";
import { shrinkChoices } from "../test/support/shrinkChoices.ts";

const BATCH = 40;

export type ProgramFuzz = {
  readonly seed: number;
  readonly count: number;
  /** Null: both, in turn. */
  readonly dataModel: DataModelName | null;
  readonly keepGoing: boolean;
  readonly shrinkBudget: number;
};

/**
 * Generated programs in our interpreter and in a gcc build: same output, exit code, branch decisions and verdict on
 * undefined behaviour. The first mismatch is shrunk and written to a file.
 */
export async function fuzzPrograms({ seed, count: total, keepGoing, ...how }: ProgramFuzz): Promise<boolean> {
  let failures = 0;
  const start = performance.now();
  for (let done = 0; done < total; done += BATCH) {
    const batchSeed = seed * 1_000_003 + done;
    const dataModel = how.dataModel ?? (done % (2 * BATCH) === 0 ? "LP64" : "ILP32");
    const sequences = fc.sample(programChoices, { seed: batchSeed, numRuns: Math.min(BATCH, total - done) });
    // Both data models without files, then both with them.
    const files = done % (4 * BATCH) >= 2 * BATCH;
    const programs = sequences.map((sequence) => generateProgram(sequence, files));
    const problems = await checkGenerated(programs, dataModel);
    for (const [k, problem] of problems.entries()) {
      if (problem === null) continue;
      failures++;
      await reportMismatch(sequences[k]!, files, problem, dataModel, `${batchSeed}-${k}`, how.shrinkBudget);
      if (!keepGoing) return false;
    }
    const rate = ((done + BATCH) / ((performance.now() - start) / 1000)).toFixed(0);
    process.stderr.write(`\r${Math.min(done + BATCH, total)} programs, ${failures} mismatches, ${rate} a second `);
  }
  console.log(`\n${total} programs, ${failures} mismatches (seed ${seed})`);
  return failures === 0;
}

async function reportMismatch(
  sequence: readonly number[],
  files: boolean,
  problem: string,
  model: DataModelName,
  name: string,
  budget: number,
) {
  console.log(`\n${model}: ${problem}\nshrinking …`);
  const fails = async (candidate: readonly number[]) => {
    try {
      return (await checkGenerated([generateProgram(candidate, files)], model))[0] !== null;
    } catch (error) {
      // A candidate that gcc refuses is none.
      if (error instanceof Defect) throw error;
      return false;
    }
  };
  const smallest = generateProgram(await shrinkChoices(sequence, fails, budget), files);
  const [message] = await checkGenerated([smallest], model);
  const file = join(tmpdir(), `tracefold-mismatch-${name}.c`);
  writeFileSync(
    file,
    `// ${model}, inputs ${smallest.inputs.join(",")}\n// ${message?.replaceAll("\n", "\n// ")}\n${smallest.text}`,
  );
  console.log(`${message}\n${file}\n${smallest.text}`);
}
