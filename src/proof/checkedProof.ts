import type { ProofCheck } from "./proveRun.ts";

declare const accepted: unique symbol;

/** A proof of which independent solvers have accepted every triple. `checkedProof` alone makes one. */
export type CheckedProof = { readonly triples: number; readonly checker: string; readonly [accepted]: true };

/** Null for a proof that was not checked to its end, or was not accepted. */
export function checkedProof({ triples, verdicts, checked, checker }: ProofCheck): CheckedProof | null {
  const isAccepted =
    checked && verdicts.length === triples.length && verdicts.every(({ answer }) => answer === "proved");
  return isAccepted ? ({ triples: triples.length, checker: checker ?? "values alone" } as CheckedProof) : null;
}
