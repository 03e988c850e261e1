import type { Evidence } from "../../src/analyses/counterfactual/evidence.ts";

/** What an explainer said about a failing mutant. */
export type CaseAnswer = {
  /** Something that explains, not only that the run fails. */
  readonly answered: boolean;
  /** Why not. */
  readonly reason: string | null;
  readonly ms: number;
  readonly work: { readonly queries: number; readonly replays: number };
  /** The default text, or "" where only the suspects were asked for. */
  readonly screen: string;
  /** Lines of the program that the screen shows. */
  readonly shown: readonly number[];
  /** The most suspicious first. */
  readonly suspects: readonly Suspect[];
  /** Of what is claimed; null where nothing is claimed. */
  readonly provedShare: number | null;
  /** Claims that the run contradicts. */
  readonly refuted: number;
};

export type Suspect = {
  readonly function: string;
  readonly line: number;
  /** What its place in the order comes from, where only the suspects were asked for. */
  readonly evidence?: Evidence;
};

export function unanswered(reason: string, ms: number): CaseAnswer {
  return {
    answered: false,
    reason,
    ms,
    work: { queries: 0, replays: 0 },
    screen: "",
    shown: [],
    suspects: [],
    provedShare: null,
    refuted: 0,
  };
}
