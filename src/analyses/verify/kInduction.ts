import { certificateOf } from "../../cutpoints/certificate.ts";
import { inState } from "../../cutpoints/instance.ts";
import { anyHead, unroll } from "../../cutpoints/unroll.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { type Finding, type Task, unknownFinding, type VerifyEngine } from "./engine.ts";

const mostDepth = 4;

/**
 * k-induction (Sheeran, Singh, Stålmarck 2000) over regions, with the known invariants: no error within k regions from
 * the start, and none after k regions without one from anywhere.
 */
export function kInduction(resources: number): VerifyEngine {
  return { name: "k-induction", decide: (task) => decide(task, resources) };
}

function decide(task: Task, resources: number): Finding {
  const { model, solver, knowledge, cancellation } = task;
  const { terms } = model;
  const invariants = (head: string) => knowledge.invariants.get(head) ?? [];
  const assume = (head: string, state: ReadonlyMap<Variable, Term>, guard: Term) =>
    invariants(head).map((formula) => terms.implies(guard, inState(model, formula, state)));
  const { layer: start, facts } = anyHead(model);
  let proved = 0;
  solver.push();
  try {
    const known = new Set<Variable>();
    solver.assert(...facts);
    for (const { head, guard, state } of start) solver.assert(...assume(head, state, guard));
    const unrolling = unroll(model, solver, start, known, assume);
    unrolling.step();
    for (let depth = 1; depth <= mostDepth && proved === 0; depth++) {
      if (cancellation.isCancelled()) return unknownFinding("interrupted");
      solver.assert(terms.not(unrolling.errors));
      unrolling.step();
      const answer = solver.check([unrolling.errors], { limits: { resources }, model: false });
      if (answer.kind === "unsat") proved = depth;
      if (answer.kind === "unknown") return unknownFinding(answer.message);
    }
  } finally {
    solver.pop();
  }
  if (proved === 0) return unknownFinding(`no induction over up to ${mostDepth} regions`);
  solver.push();
  try {
    const base = unroll(model, solver, null, new Set(), assume);
    // The step begins at a head; the start's region before it is one more.
    for (let i = 1; i <= proved + 1; i++) {
      base.step();
      const answer = solver.check([base.errors], { limits: { resources } });
      if (answer.kind === "unsat") continue;
      if (answer.kind === "unknown") return unknownFinding(answer.message);
      const inputs = base.inputsIn(answer.model);
      const memory = base.memoryIn(answer.model);
      if (task.confirm(inputs, memory)) return { kind: "unsafe", inputs, memory };
      return unknownFinding("an error that no run confirms");
    }
  } finally {
    solver.pop();
  }
  // Depth 1 needs no error-free region before it; a condition that holds after one such region holds after two.
  return { kind: "safe", certificate: certificateOf(model, knowledge.invariants, Math.max(2, proved)) };
}
