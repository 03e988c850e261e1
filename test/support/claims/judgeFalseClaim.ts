import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { cancelledAfterWork, neverCancelled, sharedCancellation } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { root } from "../builtCli.ts";
import { explainCase } from "./explainedRun.ts";
import type { FalseClaim } from "./falseClaims.ts";
import { satisfies } from "./readClaim.ts";
import { sameFailure } from "./sameFailure.ts";

/** Milliseconds of processor time, some more than whoever asks has. */
const budget = 15_000;

/** Explains the program, and expects what it says of the counterexample to be true. Returns what it says. */
export async function judgeFalseClaim({ name, inputs, counterexample }: FalseClaim): Promise<string> {
  const path = join(root, "test/fixtures/claims", `${name}.c`);
  const program = await loadCText(`${name}.c`, readFileSync(path, "utf8"), { preprocess: "builtin" });
  const trace = recordTrace(program, { inputs });
  const { processes } = sharedCancellation();
  const cancellation = cancelledAfterWork(budget, { ...neverCancelled, processes });
  const explained = explainCase(trace, { shrink: false, cancellation });
  expect(explained).not.toBeNull();
  const { claim, report } = explained!;
  if (claim.kind !== "none") expect(report.inputCondition.proof.status).toBe("checked");
  const other = recordTrace(program, { inputs: counterexample, maxSteps: 1_000_000 });
  expect(sameFailure(trace.outcome, other.outcome)).toBe(false);
  const covers = claim.kind !== "none" && satisfies(claim, (index) => counterexample[index] ?? null) !== false;
  // What is left open may go wrong; all else may not.
  const isOpen =
    claim.kind === "samePath" ||
    (claim.kind === "ifTerminates" && other.outcome.kind === "limit") ||
    (other.outcome.kind === "undefined-behaviour" && claim.openLines.has(other.outcome.at.range.line));
  expect({ claim: claim.text, covers: covers && !isOpen }).toEqual({ claim: claim.text, covers: false });
  const own = claim.kind === "none" ? true : satisfies(claim, (index) => inputs[index] ?? null);
  expect(own).not.toBe(false);
  return claim.text;
}
