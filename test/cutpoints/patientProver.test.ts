import { describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { isExhausted, patientProver } from "../../src/cutpoints/generalize.ts";
import { createTerms } from "../../src/logic/terms.ts";
import type { Implication, Prover } from "../../src/solver/solver.ts";

const goal = createTerms().variable("goal", "Bool");

/** A prover that gives the answers in their order, and says what it was asked to spend. */
function prover(answers: readonly Implication["kind"][]) {
  const efforts: string[] = [];
  const answering: Prover = {
    cancellation: neverCancelled,
    open: (_, effort = "full") => ({
      implies(): Implication {
        const kind = answers[efforts.push(effort) - 1] ?? "unknown";
        if (kind === "proved") return { kind, used: [] };
        return kind === "refuted" ? { kind, model: () => undefined } : { kind, reason: "" };
      },
      close() {},
    }),
  };
  return { answering, efforts };
}

describe("a loop that the solver cannot reason about", () => {
  it("is asked about a limited number of times, mostly cheaply, over all its visits", () => {
    const { answering, efforts } = prover([]);
    const patience = { unanswered: 0 };
    for (let visit = 0; visit < 10; visit++) {
      const session = patientProver(answering, patience).open([]);
      for (let i = 0; i < 5; i++) expect(session.implies([], goal).kind).toBe("unknown");
      session.close();
    }
    expect(efforts).toEqual(["full", "full", ...Array(10).fill("quick")]);
    expect(isExhausted(patience)).toBe(true);
  });

  it("does not count answered questions", () => {
    const { answering, efforts } = prover(["proved", "unknown", ...Array(30).fill("refuted")]);
    const patience = { unanswered: 0 };
    const session = patientProver(answering, patience).open([]);
    const kinds = Array.from({ length: 20 }, () => session.implies([], goal).kind);
    expect(kinds).toEqual(["proved", "unknown", ...Array(18).fill("refuted")]);
    expect(new Set(efforts)).toEqual(new Set(["full"]));
    expect(isExhausted(patience)).toBe(false);
  });
});
