import { readFileSync } from "node:fs";
import { loadCText } from "../src/c/cFrontEnd.ts";
import { proveExplanation } from "../src/commands/explain/proveExplanation.ts";
import { recordTrace } from "../src/interpreter/trace.ts";
import { startCheckers } from "../src/proof/checkObligations.ts";
import type { FoldClaim } from "../src/proof/claim.ts";
import { proveClaim } from "../src/proof/proveRun.ts";
import type { RunsClaim } from "../src/proof/runsObligations.ts";
import { runOf } from "../src/recordedRun/runOf.ts";

const programs: readonly (readonly [path: string, inputs: readonly bigint[]])[] = [
  ["examples/explain/off-by-one.c", [40n]],
  ["examples/explain/collision.c", [500n, 400n, 100n, 0n, 400n, 900n, 300n, 1n, 1n, 0n, 0n, 0n]],
  ["examples/folding/two-counters.c", [100n]],
  ["examples/nested-loops.c", [4n]],
  ["test/fixtures/claims/s18.c", [10n]],
  ["test/fixtures/claims/t13.c", [5n, 2n]],
];

/** Explanations with what is said of other inputs, proof included, against those without: a sum over some programs. */
export async function claimCost(): Promise<{ readonly whole: number; readonly without: number }> {
  let [whole, claimed] = [0, 0];
  for (const [path, inputs] of programs) {
    const trace = recordTrace(await loadCText(path, readFileSync(path, "utf8"), { preprocess: "builtin" }), { inputs });
    let proved: { readonly claims: readonly FoldClaim[]; readonly runs: RunsClaim | null } | null = null;
    let [before, found] = [0, 0];
    const start = performance.now();
    proveExplanation(trace, {
      shrink: false,
      dump(stage) {
        if (stage === "facts") before = performance.now();
        if (stage === "inputs") found = performance.now() - before;
      },
      proved(what) {
        proved = what;
      },
    });
    whole += performance.now() - start;
    claimed += found + checking(trace, proved!);
  }
  return { whole, without: whole - claimed };
}

function checking(
  trace: Parameters<typeof runOf>[0],
  { claims, runs }: { readonly claims: readonly FoldClaim[]; readonly runs: RunsClaim | null },
): number {
  if (runs === null) return 0;
  const checkers = startCheckers();
  // Whoever checks has started by then.
  proveClaim(runOf(trace), claims, runs, { checkers });
  const start = performance.now();
  proveClaim(runOf(trace), claims, runs, { checkers });
  const time = performance.now() - start;
  checkers.dispose();
  return time;
}
