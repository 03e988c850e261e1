import type { CaseAnswer, Suspect } from "./caseAnswer.ts";
import type { FailingCase } from "./failingCases.ts";
import { isOmission, type MutationKind } from "./mutation.ts";
import type { Half } from "./programs.ts";

/** How well a failing mutant was explained. */
export type CaseScore = {
  readonly id: string;
  readonly half: Half;
  readonly kind: MutationKind;
  readonly answered: boolean;
  readonly reason: string | null;
  readonly ms: number;
  /** Lines of text; null without a screen. */
  readonly lines: number | null;
  /** A changed line is on the screen; of an omission where it stood. */
  readonly lineShown: boolean;
  /** Of an omission: a line beside it, or where it stood, is on the screen. */
  readonly neighbourShown: boolean;
  /** The first suspect that is a changed line; 1 is the first. null where none is. */
  readonly rank: number | null;
  /** The first suspect in the changed function. */
  readonly functionRank: number | null;
  readonly suspects: readonly Suspect[];
  readonly provedShare: number | null;
  readonly refuted: number;
  readonly replays: number;
};

/** A machine with other work is a little late. */
const grace = 1.1;

export function scoreOf({ id, half, mutation }: FailingCase, answer: CaseAnswer, budget: number): CaseScore {
  const { lines, neighbours, kind } = mutation;
  const shown = new Set(answer.shown);
  const beside = isOmission(kind) ? [...lines, ...neighbours] : lines;
  return {
    id,
    half,
    kind,
    answered: answer.answered && answer.ms <= budget * grace,
    reason: answer.reason,
    ms: Math.round(answer.ms),
    lines: answer.screen === "" ? null : answer.screen.trimEnd().split("\n").length,
    lineShown: lines.some((line) => shown.has(line)),
    neighbourShown: beside.some((line) => shown.has(line)),
    rank: rankOf(answer, ({ line }) => lines.includes(line)),
    functionRank: rankOf(answer, (suspect) => suspect.function === mutation.function),
    suspects: answer.suspects,
    provedShare: answer.provedShare,
    refuted: answer.refuted,
    replays: answer.work.replays,
  };
}

function rankOf({ suspects }: CaseAnswer, isIt: (suspect: CaseAnswer["suspects"][number]) => boolean): number | null {
  const index = suspects.findIndex(isIt);
  return index < 0 ? null : index + 1;
}
