import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CampaignOptions, type CaseResult, createJudge, runCampaign } from "../test/support/claims/campaign.ts";
import { createTotals } from "../test/support/claims/campaignTable.ts";
import { shrinkChoices } from "../test/support/shrinkChoices.ts";

export type ClaimsFuzz = {
  readonly seed: number;
  readonly count: number;
  /** Seconds that one program may take. */
  readonly seconds: number;
  /** Attempts to make a program smaller that breaks a claim. */
  readonly shrinkBudget: number;
  readonly workers: number;
};

const judge = { random: 60, gccRuns: 12, milliseconds: 6000 };

/** Looks for claims of explanations that are false; true if there are none. */
export async function fuzzClaims({ seed, count, seconds, shrinkBudget, workers }: ClaimsFuzz): Promise<boolean> {
  const options: CampaignOptions = { seed, programs: count, seconds, workers, judge };
  const totals = createTotals();
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (stopped = true));
  const broken: CaseResult[] = [];
  await runCampaign(
    options,
    (result) => {
      totals.add(result);
      const [programs, claims] = [totals.count("programs"), totals.count("with a claim")];
      process.stderr.write(
        `\r${programs} programs, ${claims} claims, ${totals.count("programs with a violation")} violations `,
      );
      if (result.violations.length === 0) return;
      broken.push(result);
      // At once: the rest may take hours.
      save(result);
    },
    () => stopped,
  );
  process.stderr.write("\n");
  for (const result of broken) {
    const smallest = stopped ? result : await shrink(result, options, shrinkBudget);
    console.log(`\n${headOf(smallest).join("\n")}\n${ownLines(smallest.judgement?.run.text ?? "")}${save(smallest)}`);
  }
  console.log(`\nseeds ${seed} to ${seed + totals.count("programs") - 1}\n${totals.table()}`);
  return broken.length === 0;
}

/** What is wrong, in a few lines. */
function headOf({ seed, judgement, violations }: CaseResult): readonly string[] {
  return [
    `seed ${seed}`,
    ...(judgement === null ? [] : [`inputs ${judgement.run.inputs}`, `claim: ${judgement.claim}`]),
    ...violations.map(({ kind, inputs, detail }) => `${kind}${inputs.length > 0 ? ` with ${inputs}` : ""}: ${detail}`),
    ...(judgement === null ? [] : [`about: ${judgement.run.features.join(", ")}`]),
  ];
}

/** Writes a program that breaks a claim to a file. */
function save(result: CaseResult): string {
  const folder = join(tmpdir(), "tracefold-claims");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${result.seed}.c`);
  const head = headOf(result).map((line) => `// ${line.replaceAll("\n", "\n// ")}\n`);
  writeFileSync(file, head.join("") + (result.judgement?.run.text ?? ""));
  return file;
}

/** Without what all programs begin with. */
function ownLines(text: string): string {
  return text.replace(/^(#include|extern) .*\n/gm, "");
}

async function shrink(result: CaseResult, options: CampaignOptions, budget: number): Promise<CaseResult> {
  const [first] = result.violations;
  if (first === undefined || first.kind === "hang") return result;
  const judging = createJudge(options);
  let smallest = result;
  const fails = async (candidate: readonly number[]) => {
    const plain = await judging.inInterpreter(result.seed, candidate);
    const isSame = (found: CaseResult) => found.violations.some(({ kind }) => kind === first.kind);
    const found = isSame(plain) ? plain : (await judging.withGcc([plain]))[0]!;
    if (isSame(found)) smallest = found;
    return isSame(found);
  };
  await shrinkChoices(result.sequence, fails, budget);
  judging.end();
  return smallest;
}
