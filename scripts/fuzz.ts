import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { Defect } from "../src/base/errors.ts";
import type { DataModelName } from "../src/ir/type.ts";
import { checkGenerated } from "../test/support/checkGenerated.ts";
import { searchClaims } from "../test/support/claims/searchedClaims.ts";
import { generateProgram, programChoices } from "../test/support/generateProgram.ts";
import { shrinkChoices } from "../test/support/shrinkChoices.ts";
import { fuzzClaims } from "./fuzzClaims.ts";
import { fuzzFolding } from "./fuzzFolding.ts";

/**
 * npm run fuzz -- [--count N] [--seed S] [--data-model LP64|ILP32] [--keep-going]
 *   Generated programs in our interpreter and in a gcc build: same output, exit code, branch decisions and verdict on
 *   undefined behaviour. The first mismatch is shrunk and written to a file.
 *
 * npm run fuzz -- --folding [--count N] [--seed S] [--seconds S] [--keep-going]
 *   Generated programs with loops, folded: other runs that the folded run stands for must meet its target too. Programs
 *   that break a law, or take longer than so many seconds, are written to files.
 *
 * npm run fuzz -- claims [--n N] [--seed S] [--seconds S] [--workers N] [--shrink-budget N]
 *   Generated programs that fail, explained: other runs whose inputs satisfy the printed condition must fail in the same
 *   way, in our interpreter and in a gcc build with sanitizers; invariants, facts and replays are checked too. Each
 *   violation is made smaller and written to a file; a table closes the report.
 *
 * npm run fuzz -- byte-claims [--n N] [--seed S]
 *   The same programs, reading standard input byte by byte: claims about bytes as they are found, tried on other bytes.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: "string", default: "200" },
    workers: { type: "string", default: "1" },
    folding: { type: "boolean", default: false },
    count: { type: "string", default: "1000" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    "data-model": { type: "string" },
    "keep-going": { type: "boolean", default: false },
    "shrink-budget": { type: "string" },
  },
});

const BATCH = 40;

async function main(): Promise<void> {
  const total = Number(values.count);
  const seed = Number(values.seed);
  let failures = 0;
  const start = performance.now();
  for (let done = 0; done < total; done += BATCH) {
    const batchSeed = seed * 1_000_003 + done;
    const dataModel = (values["data-model"] ?? (done % (2 * BATCH) === 0 ? "LP64" : "ILP32")) as DataModelName;
    const sequences = fc.sample(programChoices, { seed: batchSeed, numRuns: Math.min(BATCH, total - done) });
    // Both data models without files, then both with them.
    const files = done % (4 * BATCH) >= 2 * BATCH;
    const programs = sequences.map((sequence) => generateProgram(sequence, files));
    const problems = await checkGenerated(programs, dataModel);
    for (const [k, problem] of problems.entries()) {
      if (problem === null) continue;
      failures++;
      await reportMismatch(sequences[k]!, files, problem, dataModel, `${batchSeed}-${k}`);
      if (!values["keep-going"]) process.exit(1);
    }
    const rate = ((done + BATCH) / ((performance.now() - start) / 1000)).toFixed(0);
    process.stderr.write(`\r${Math.min(done + BATCH, total)} programs, ${failures} mismatches, ${rate} a second `);
  }
  console.log(`\n${total} programs, ${failures} mismatches (seed ${seed})`);
  if (failures > 0) process.exitCode = 1;
}

async function reportMismatch(
  sequence: readonly number[],
  files: boolean,
  problem: string,
  model: DataModelName,
  name: string,
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
  const smallest = generateProgram(await shrinkChoices(sequence, fails, Number(values["shrink-budget"] ?? 600)), files);
  const [message] = await checkGenerated([smallest], model);
  const file = join(tmpdir(), `tracefold-mismatch-${name}.c`);
  writeFileSync(
    file,
    `// ${model}, inputs ${smallest.inputs.join(",")}\n// ${message?.replaceAll("\n", "\n// ")}\n${smallest.text}`,
  );
  console.log(`${message}\n${file}\n${smallest.text}`);
}

if (positionals[0] === "claims") {
  const holds = await fuzzClaims({
    seed: Number(values.seed),
    count: Number(values.n),
    seconds: Number(values.seconds ?? 60),
    shrinkBudget: Number(values["shrink-budget"] ?? 120),
    workers: Number(values.workers),
  });
  if (!holds) process.exitCode = 1;
} else if (positionals[0] === "byte-claims") {
  const seeds = Array.from({ length: Number(values.n) }, (_, i) => Number(values.seed) + i);
  const { claims, total, refuted } = await searchClaims(seeds, 32, "bytes");
  console.log(
    `${seeds.length} programs, ${claims} claims about bytes, ${total} of them total, ${refuted.length} refuted`,
  );
  for (const each of refuted) console.log(each);
  if (refuted.length > 0) process.exitCode = 1;
} else if (values.folding) {
  const [seed, count, seconds] = [values.seed, values.count, values.seconds ?? 10].map(Number) as [
    number,
    number,
    number,
  ];
  const holds = await fuzzFolding({ seed, count, seconds, keepGoing: values["keep-going"] });
  if (!holds) process.exitCode = 1;
} else {
  await main();
}
