import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { FoldCase } from "../test/support/foldLaw.ts";
import { loopProgram } from "../test/support/loopPrograms.ts";
import { startWorker } from "../test/support/worker.ts";
import type { FoldingAnswer } from "./foldingWorker.ts";

export type FoldingFuzz = {
  readonly seed: number;
  readonly count: number;
  /** Seconds that one program may take; after that it is skipped. */
  readonly seconds: number;
  readonly keepGoing: boolean;
};

const foldCase: fc.Arbitrary<FoldCase> = fc.record({
  program: fc.oneof(
    { weight: 6, arbitrary: loopProgram(0, 1) },
    { weight: 2, arbitrary: loopProgram(1, 1) },
    loopProgram(1, 2),
    loopProgram(2, 1),
  ),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  choice: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
});

const BATCH = 40;

/** Folds generated programs and runs what the folded runs stand for; true if no law was broken. */
export async function fuzzFolding({ seed, count, seconds, keepGoing }: FoldingFuzz): Promise<boolean> {
  const totals = { programs: 0, idle: 0, folded: 0, proved: 0, matched: 0, violations: 0, slow: 0 };
  const start = performance.now();
  const worker = startWorker<FoldCase, FoldingAnswer>(new URL("foldingWorker.ts", import.meta.url), seconds * 1000);
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (stopped = true));
  for (let done = 0; done < count && !stopped; done += BATCH) {
    const batchSeed = seed * 1_000_003 + done;
    const cases = fc.sample(foldCase, { seed: batchSeed, numRuns: Math.min(BATCH, count - done) });
    for (const [k, chosen] of cases.entries()) {
      if (stopped) break;
      totals.programs++;
      const answered = await worker.ask(chosen);
      if (answered.kind === "slow") {
        totals.slow++;
        report("skipped for time", `${batchSeed}-${k}`, chosen, chosen.program.body);
        continue;
      }
      const { folding, text } = answered.kind === "answer" ? answered.answer : deadWorker(chosen, answered.how);
      if (folding === null) totals.idle++;
      if (folding === null) continue;
      if (folding.folds > 0) totals.folded++;
      if (folding.folds > 0 && folding.checked) totals.proved++;
      totals.matched += folding.matched;
      if (folding.problem === null) continue;
      totals.violations++;
      report(folding.problem, `${batchSeed}-${k}`, chosen, text);
      stopped ||= !keepGoing;
    }
    const rate = (totals.programs / ((performance.now() - start) / 1000)).toFixed(1);
    process.stderr.write(`\r${totals.programs} programs, ${totals.violations} violations, ${rate} a second `);
  }
  worker.end();
  console.log(
    `\n${totals.programs} programs (seed ${seed}): ${totals.folded} folded, ${totals.proved} of them proved, ` +
      `${totals.matched} other runs that a folded run stands for, ${totals.violations} violations, ` +
      `${totals.slow} skipped for time, ${totals.idle} with nothing to fold`,
  );
  return totals.violations === 0;
}

function report(problem: string, name: string, { seed }: FoldCase, text: string): void {
  const file = join(tmpdir(), `tracefold-folding-${name}.c`);
  writeFileSync(file, `// ${name}, inputs of seed ${seed}\n// ${problem.replaceAll("\n", "\n// ")}\n${text}`);
  console.log(`\n${name}: ${problem}\n${file}`);
}

/** Answers for a process that did not live to answer. */
function deadWorker({ program }: FoldCase, how: string): FoldingAnswer {
  const problem = `the process ended (${how})`;
  return { text: program.body, folding: { problem, folds: 0, failures: 0, checked: false, matched: 0 } };
}
