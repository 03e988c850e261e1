import { applyEdits, type Change } from "../../changes/change.ts";
import { orderLines } from "../../changes/kinds.ts";
import type { TestOutcome } from "../runners/runner.ts";
import type { RunnerSession } from "../runners/session.ts";
import type { JsJudgement, JsVerdict, JudgeRequest, PassingJsChange } from "./judgement.ts";
import { keyOfTest, runReplaced } from "./replaced/runReplaced.ts";
import type { Survey } from "./surveyTests.ts";
import type { ReachedFile } from "./switchedSources.ts";
import type { Switch } from "./switches.ts";
import type { Trial } from "./tryChanges.ts";

/** No change is confirmed after so many milliseconds of work. */
const confirmingTime = 10_000;
/** After so many milliseconds of work in all, one confirmed change that breaks nothing is enough. */
const enoughWork = 4000;
/** At most so many changes may turn out not to pass. */
const mostRefuted = 4;

/** A change that repairs less of the other failing tests that reach its line may be an accident. */
export const leastRepairs = 0.3;

type FreshVerdict = JsVerdict & Pick<PassingJsChange, "stillFailing">;

/** What is known of a line that the failing test reached; nothing of others. */
type Evidence = (file: string, line: number) => { readonly lateness: number; readonly suspicion: number };

/** How late in the failing run each line was reached for the last time, and how much the tests speak against it. */
export function evidenceOf(
  switches: readonly Switch[],
  place: (number: number) => number,
  { reached, suspicions }: Trial,
): Evidence {
  const position = new Map(reached.map((each, i) => [each, (i + 1) / reached.length]));
  const byLine = new Map<string, ReturnType<Evidence>>();
  const none = { lateness: 0, suspicion: 0 };
  for (const { number, proposal } of switches) {
    const key = `${proposal.change.file}:${proposal.change.lines[0]}`;
    const { lateness, suspicion } = byLine.get(key) ?? none;
    byLine.set(key, {
      lateness: Math.max(lateness, position.get(place(number)) ?? 0),
      suspicion: Math.max(suspicion, suspicions.get(place(number)) ?? 0),
    });
  }
  return (file, line) => byLine.get(`${file}:${line}`) ?? none;
}

/** Orders the lines, and runs the best changes as changed sources. A change that fails there is not kept. */
export async function confirmChanges(
  { session, target, survey, confirm: wanted }: JudgeRequest,
  files: readonly ReachedFile[],
  passing: readonly PassingJsChange[],
  evidence: Evidence,
): Promise<JsJudgement["lines"]> {
  const byChange = new Map(passing.map((each) => [each.change, each]));
  /** How many changes of a line did not pass when they were run fresh. */
  const refuted = new Map<string, number>();
  const keyOf = ({ file, line }: { file: string; line: number }) => `${file}:${line}`;
  const failures = (each: { file: string; line: number }) => refuted.get(keyOf(each)) ?? 0;
  const ordered = () =>
    orderLines(
      [...byChange.values()].map(({ change, broken, repairs }) => ({
        change,
        passesAll: broken.length === 0,
        repairs,
      })),
      evidence,
    )
      .map((each) => ({ ...each, changes: each.changes.flatMap(({ change }) => byChange.get(change) ?? []) }))
      // The right change breaks nothing.
      .sort((a, b) => Number(breaksOthers(a)) - Number(breaksOthers(b)) || failures(a) - failures(b));
  let left = wanted;
  let refusals = 0;
  const end = session.work() + confirmingTime;
  for (let lines = ordered(); left > 0 && refusals < mostRefuted && session.work() < end; lines = ordered()) {
    const best = lines.slice(0, wanted).flatMap(({ changes, ...place }) => {
      const [change] = changes;
      return change === undefined ? [] : [{ ...change, key: keyOf(place) }];
    });
    // A change that breaks other tests says little, and is not worth a run.
    const next = best.find(({ isConfirmed, broken }) => !isConfirmed && broken.length === 0);
    if (next === undefined) break;
    const isFound = best.some(({ isConfirmed, broken }) => isConfirmed && broken.length === 0);
    const isWeak = (next.repairs ?? 1) < leastRepairs;
    if (isFound && (isWeak || session.work() > enoughWork)) break;
    const fresh = await runChanged(session, target, survey, files, next.change);
    if (fresh === null) {
      byChange.delete(next.change);
      refuted.set(next.key, (refuted.get(next.key) ?? 0) + 1);
      refusals++;
    } else {
      byChange.set(next.change, { change: next.change, ...fresh, isConfirmed: true });
      left--;
    }
  }
  return ordered();
}

function breaksOthers({ changes }: { readonly changes: readonly PassingJsChange[] }): boolean {
  return changes.every(({ broken }) => broken.length > 0);
}

/** Runs the tests of all files that reach the place, with the source really changed; null if the target fails. */
async function runChanged(
  session: RunnerSession,
  target: TestOutcome,
  survey: Survey,
  files: readonly ReachedFile[],
  change: Change,
): Promise<FreshVerdict | null> {
  const { run: before } = survey;
  const source = files.find(({ path }) => path === change.file);
  if (source === undefined) return null;
  const sources = { [source.path]: { was: source.text, now: applyEdits(source.text, change.edits) } };
  const isElsewhere = new Set(survey.files.filter(({ load }) => !(source.path in load)).map(({ file }) => file));
  const reaching = before.tests.map(({ id }) => id.file).filter((file) => !isElsewhere.has(file));
  const wanted = [...new Set([target.id.file, ...reaching])];
  const now = await runReplaced(session, target, survey, sources, wanted);
  const { tests, problems, broken, stillFailing } = now;
  if (now.target?.state !== "passed" || problems.length > before.problems.length || now.notRun.length > 0) return null;
  const passed = new Set(before.tests.filter(({ state }) => state === "passed").map(keyOfTest));
  // A test that failed before and passes now counts, too; the target counts by itself.
  const asked = tests.filter(({ state }) => state === "passed" || state === "failed").length - stillFailing.length - 1;
  const names = (list: readonly TestOutcome[]) => list.map(({ id }) => id.name);
  const failedBefore = tests.filter((test) => !passed.has(keyOfTest(test)) && test.state !== "skipped").length - 1;
  return {
    asked,
    broken: names(broken),
    repairs: failedBefore === 0 ? null : 1 - stillFailing.length / failedBefore,
    stillFailing: names(stillFailing),
  };
}
