import type { BugResult } from "./explainBug.ts";

export function tableOf(results: readonly BugResult[]): string {
  const count = (matches: (result: BugResult) => boolean) => results.filter(matches).length;
  const share = (part: number, of = results.length) =>
    `${part} of ${of} (${((100 * part) / Math.max(1, of)).toFixed(0)} %)`;
  const sure = results.filter(({ isSure }) => isSure);
  const times = results.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.toFixed(1) ?? "-";
  return [
    `answered                                ${share(count(({ error }) => error === null))}`,
    `faulty line first                       ${share(count(({ rank }) => rank === 1))}`,
    `among the first three                   ${share(count(({ rank }) => rank >= 1 && rank <= 3))}`,
    `among the first five                    ${share(count(({ rank }) => rank >= 1 && rank <= 5))}`,
    `a change passes all given tests         ${share(count(({ passingLines }) => passingLines > 0))}`,
    `  or all but some that failed before    ${share(count(({ harmlessLines }) => harmlessLines > 0))}`,
    `the change shown passes held-out tests  ${share(count(({ shown, passesHeldOut }) => shown?.passesAll === true && passesHeldOut))}`,
    `sounds sure, and the line is faulty     ${share(sure.filter(({ rank }) => rank === 1).length, sure.length)}`,
    `processor time, median / 90 % / most    ${at(0.5)} / ${at(0.9)} / ${at(1)} s`,
  ].join("\n");
}
