import { beforeAll, describe, expect, it } from "vitest";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { proveExplanation } from "../../src/commands/explain/proveExplanation.ts";
import { recordTrace, type Trace } from "../../src/interpreter/trace.ts";
import { checkedProof } from "../../src/proof/checkObligations.ts";
import type { FoldClaim } from "../../src/proof/claim.ts";
import { proveClaim, proveExported } from "../../src/proof/proveRun.ts";
import type { RunsClaim } from "../../src/proof/runsObligations.ts";
import type { LoopPiece } from "../../src/recordedRun/generalized/encodeRuns.ts";
import { endlessPoint } from "../../src/recordedRun/generalized/runObligation.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";

const text = `
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int a[16], c = 0;
  for (int i = 0; i < n; i++) { a[i] = 1; c += 2; }
  assert(c < 20);
  return 0;
}`;

describe("the proof of a claim about other runs", () => {
  let trace: Trace;
  let folds: readonly FoldClaim[];
  let claim: RunsClaim;
  let range: SourceRange;

  beforeAll(async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    trace = recordTrace(program, { inputs: [12n] });
    const { condition } = proveExplanation(trace, {
      shrink: false,
      checkers: ["z3"],
      proved({ claims, runs }) {
        [folds, claim] = [claims, runs!];
      },
    });
    const piece = condition.kind === "claimed" ? condition.pieces[1] : undefined;
    range = (piece as LoopPiece).range;
  });

  const isAccepted = (changed: RunsClaim) => checkedProof(proveClaim(runOf(trace), folds, changed)) !== null;

  it("is accepted, alone and with the proof of the folded run", () => {
    expect(claim.condition).toEqual(["(<= (* (- 1) |input(1)|) (- 10))", "(<= |input(1)| 16)"]);
    expect(isAccepted(claim)).toBe(true);
    expect(proveExported(runOf(trace), folds, claim).checked).toBe(true);
  });

  it("is not accepted for more inputs than it holds for", () => {
    expect(isAccepted({ ...claim, condition: claim.condition.slice(0, 1) })).toBe(false);
    expect(isAccepted({ ...claim, condition: claim.condition.slice(1) })).toBe(false);
  });

  it("is not accepted for no inputs at all", () => {
    expect(isAccepted({ ...claim, condition: [...claim.condition, "(<= |input(1)| 0)"] })).toBe(false);
  });

  it("is not accepted without a ranking function, or with one that grows", () => {
    const [loop] = claim.loops;
    expect(loop!.ranks.length).toBeGreaterThan(0);
    expect(isAccepted({ ...claim, loops: [{ ...loop!, ranks: [] }] })).toBe(false);
    const grown = loop!.ranks.map((rank) => rank.map(({ at, term }) => ({ at, term: `(- ${term})` })));
    expect(isAccepted({ ...claim, loops: [{ ...loop!, ranks: grown }] })).toBe(false);
  });

  it("is not accepted without the facts that keep the loop's operations defined", () => {
    const [loop] = claim.loops;
    expect(isAccepted({ ...claim, loops: [{ ...loop!, invariants: [] }] })).toBe(false);
  });

  it("is not accepted with claims that no obligation uses", () => {
    const [loop] = claim.loops;
    const isNoLoop = "which is no loop or has a claim already";
    expect(() => isAccepted({ ...claim, loops: [loop!, { ...loop!, piece: 99 }] })).toThrow(isNoLoop);
    expect(() => isAccepted({ ...claim, loops: [loop!, loop!] })).toThrow(isNoLoop);
    const stray = { at: "1:9999", formulas: ["false"] };
    expect(() => isAccepted({ ...claim, loops: [{ ...loop!, invariants: [...loop!.invariants, stray] }] })).toThrow(
      isNoLoop,
    );
  });

  it("names open points by keys of this run", () => {
    const [loop] = claim.loops;
    const keyOfEnd = endlessPoint(1, range).key;
    const open = { ...claim, loops: [{ ...loop!, ranks: [] }] };
    expect(isAccepted({ ...open, open: [keyOfEnd] })).toBe(true);
    expect(isAccepted({ ...open, open: [`2${keyOfEnd}`] })).toBe(false);
  });
});
