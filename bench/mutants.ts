import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { allCases } from "./mutants/allCases.ts";
import { unanswered } from "./mutants/caseAnswer.ts";
import type { FailingCase } from "./mutants/failingCases.ts";
import { isOmission, mutationKinds } from "./mutants/mutation.ts";
import { type MutantOptions, mutantOptions, usage } from "./mutants/options.ts";
import { createPool } from "./mutants/pool.ts";
import { type CaseScore, scoreOf } from "./mutants/score.ts";
import { selfcheck } from "./mutants/selfcheck.ts";
import { missedLimits, tableLines } from "./mutants/table.ts";

/** How good explanations are: failing mutants of programs with tests, where the changed line is known. */
export async function runMutants(args: readonly string[]): Promise<void> {
  const options = mutantOptions(args);
  if (options === null) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  if (options.selfcheck) return reportProblems(await selfcheck(), "every program passes");
  const cases = chosen(await allCases({ fresh: options.fresh, progress }), options);
  const scores: (CaseScore | undefined)[] = cases.map(() => undefined);
  // What is known when someone has waited long enough is told.
  process.once("SIGTERM", () => {
    report(cases, scores, options);
    process.exit(1);
  });
  await explainAll(cases, options, (index, score) => {
    scores[index] = score;
  });
  report(cases, scores, options);
}

/** The table of the cases that have been explained, and what it asks for. */
function report(all: readonly FailingCase[], some: readonly (CaseScore | undefined)[], options: MutantOptions): void {
  const cases = all.filter((_, i) => some[i] !== undefined);
  const scores = some.filter((score) => score !== undefined);
  console.log(tableLines(scores, options).join("\n"));
  if (options.list) for (const line of missLines(cases, scores, options)) console.log(line);
  if (options.json !== null)
    writeFileSync(options.json, `${JSON.stringify(jsonOf(cases, scores, options), null, 1)}\n`);
  reportProblems(missedLimits(scores, options), "every limit is kept");
}

function reportProblems(problems: readonly string[], otherwise: string): void {
  console.log(problems.length === 0 ? otherwise : problems.join("\n"));
  if (problems.length > 0) process.exitCode = 1;
}

function progress(text: string): void {
  console.error(text);
}

function chosen(cases: readonly FailingCase[], { half, program, limit }: MutantOptions): readonly FailingCase[] {
  const some = cases.filter((each) => (half ?? each.half) === each.half && (program ?? each.program) === each.program);
  if (limit === null || limit >= some.length) return mixed(some);
  // In the order of kinds, so that each gets its share, and each program within it.
  const byKind = mutationKinds.flatMap((kind) => some.filter(({ mutation }) => mutation.kind === kind));
  return mixed(Array.from({ length: limit }, (_, i) => byKind[Math.floor((i * byKind.length) / limit)]!));
}

/** In an order that has to do with nothing, the same each time: what is known early is like the whole. */
function mixed(cases: readonly FailingCase[]): readonly FailingCase[] {
  const key = ({ id }: FailingCase) => createHash("sha256").update(id).digest("hex");
  return cases
    .map((each) => ({ each, key: key(each) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ each }) => each);
}

async function explainAll(
  cases: readonly FailingCase[],
  { budget, suspectsOnly, workers }: MutantOptions,
  onScore: (index: number, score: CaseScore) => void,
): Promise<void> {
  let done = 0;
  const tasks = cases.map((each) => ({ kind: suspectsOnly ? "suspects" : "explain", case: each, budget }) as const);
  await createPool(workers).map(tasks, {
    // An explainer that does not look at the clock is ended.
    limit: 15 * budget + 60_000,
    onDone: (index, result) => {
      const answer = result.kind === "answer" ? result.answer : unanswered(reasonOf(result), budget);
      onScore(index, scoreOf(cases[index]!, answer, budget));
      if (++done % 25 === 0 || done === cases.length) progress(`${done} of ${cases.length} mutants explained`);
    },
  });
}

function reasonOf(result: { readonly kind: string; readonly reason?: string }): string {
  return result.reason ?? `an answer of another kind: ${result.kind}`;
}

/** What the half that may be looked at misses. */
function missLines(
  cases: readonly FailingCase[],
  scores: readonly CaseScore[],
  { suspectsOnly }: MutantOptions,
): readonly string[] {
  return scores.flatMap((score, i) => {
    if (score.half === "kept") return [];
    const rank = isOmission(score.kind) ? score.functionRank : score.rank;
    const isShown = isOmission(score.kind) ? score.neighbourShown : score.lineShown;
    if ((suspectsOnly || isShown) && rank !== null && rank <= 5 && score.answered) return [];
    const { mutation, entry, failure, steps } = cases[i]!;
    const what = score.answered
      ? `${isShown ? "shown" : "not shown"}, rank ${rank ?? "-"}`
      : `no answer: ${score.reason}`;
    return [
      `${score.id}  line ${mutation.lines.join(",")}  ${mutation.description}`,
      `    ${entry}: ${failure.kind} at ${failure.line ?? "-"} after ${steps} steps; ${what}`,
    ];
  });
}

/** Cases of the other half are counted, not told. */
function jsonOf(cases: readonly FailingCase[], scores: readonly CaseScore[], options: MutantOptions) {
  return {
    table: tableLines(scores, options),
    missed: missedLimits(scores, options),
    cases: scores.flatMap((score, i) => (score.half === "kept" ? [] : [{ ...score, mutation: cases[i]!.mutation }])),
  };
}
