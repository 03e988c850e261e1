import { mulberry32 } from "../../../src/interpreter/inputs.ts";
import { type Answered, startWorker } from "../worker.ts";
import { generateClaimProgram } from "./claimProgram.ts";
import type { ClaimAnswer, ClaimQuestion } from "./claimsWorker.ts";
import { compareWithGcc, type GccJob } from "./gccClaims.ts";
import type { Violation } from "./judgeClaim.ts";
import type { Judgement, JudgeOptions } from "./judgeRun.ts";

export type CampaignOptions = {
  readonly seed: number;
  /** Programs, at most. */
  readonly programs: number;
  /** Ends when so many claims have been judged. */
  readonly claims?: number;
  /** After so long a program is taken to hang. */
  readonly seconds: number;
  /** Processes that judge. */
  readonly workers: number;
  readonly judge: Omit<JudgeOptions, "seed">;
};

/** What became of one program. */
export type CaseResult = {
  readonly seed: number;
  readonly sequence: readonly number[];
  readonly judgement: Judgement | null;
  /** Why there is no judgement, where nothing is wrong. */
  readonly skipped: string | null;
  readonly violations: readonly Violation[];
};

/** Programs whose runs gcc makes together: a build costs more than the runs. */
const together = 16;

const numbers = 250;

/** The choices that the program of a seed is made of. */
export function sequenceOf(seed: number): readonly number[] {
  const next = mulberry32(Math.imul(seed, 7919));
  return [...Array(numbers).keys()].map(() => Math.floor(next() * 0x10000));
}

/** Judges the programs of the seeds from `seed` on; `receive` gets them in the order in which they are done. */
export async function runCampaign(
  options: CampaignOptions,
  receive: (result: CaseResult) => Promise<void> | void,
  isStopped: () => boolean = () => false,
): Promise<void> {
  let next = options.seed;
  let claims = 0;
  const isDone = () => isStopped() || next >= options.seed + options.programs || claims >= (options.claims ?? Infinity);
  const work = async () => {
    const judge = createJudge(options);
    while (!isDone()) {
      const batch: CaseResult[] = [];
      while (batch.length < together && !isDone()) {
        const seed = next++;
        const result = await judge.inInterpreter(seed, sequenceOf(seed));
        if (isClaim(result)) claims++;
        batch.push(result);
      }
      for (const result of await judge.withGcc(batch)) await receive(result);
    }
    judge.end();
  };
  await Promise.all([...Array(options.workers).keys()].map(work));
}

export function isClaim({ judgement }: CaseResult): boolean {
  return judgement !== null && judgement.kind !== null && judgement.kind !== "none";
}

/** Judges programs one by one, in a process of its own. */
export function createJudge(options: Pick<CampaignOptions, "seconds" | "judge">) {
  const module = new URL("claimsWorker.ts", import.meta.url);
  const worker = startWorker<ClaimQuestion, ClaimAnswer>(module, options.seconds * 1000);
  return {
    end: worker.end,
    inInterpreter: async (seed: number, sequence: readonly number[]): Promise<CaseResult> => {
      const answered = await worker.ask({ sequence, options: { ...options.judge, seed } });
      return { seed, sequence, ...resultOf(answered, sequence) };
    },
    withGcc: async (results: readonly CaseResult[]): Promise<readonly CaseResult[]> => {
      const jobs = results.map(({ judgement }) => judgement?.job ?? null);
      const found = await compareWithGcc(jobs.filter((job): job is GccJob => job !== null));
      return results.map((result, i) => {
        if (jobs[i] === null) return result;
        return { ...result, violations: [...result.violations, ...found.shift()!.slice(0, 1)] };
      });
    },
  };
}

function resultOf(answered: Answered<ClaimAnswer>, sequence: readonly number[]): Omit<CaseResult, "seed" | "sequence"> {
  const without = { judgement: null, skipped: null };
  const broken = (kind: "hang" | "crash", detail: string) => ({
    ...without,
    violations: [{ kind, detail, inputs: [] }],
  });
  if (answered.kind === "slow") return broken("hang", `no answer in time\n${generateClaimProgram(sequence).text([])}`);
  if (answered.kind === "died") return broken("crash", `the process ended (${answered.how})`);
  const { answer } = answered;
  if (answer.kind === "crash") return broken("crash", `${answer.message}\n${answer.text}`);
  if (answer.kind === "skipped") return { ...without, skipped: answer.reason, violations: [] };
  return { judgement: answer.judgement, skipped: null, violations: answer.judgement.violations };
}
