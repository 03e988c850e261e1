import { boundedCertificate } from "../../cutpoints/certificate.ts";
import { inState } from "../../cutpoints/instance.ts";
import { unroll } from "../../cutpoints/unroll.ts";
import { isFalse, isTrue, type Variable } from "../../logic/term.ts";
import { type Finding, type Task, unknownFinding, type VerifyEngine } from "./engine.ts";

export type UnrollingOptions = {
  readonly mostDepth: number;
  /** The limit of one query, in solver steps. */
  readonly resources: number;
};

/** A run without inputs is followed this far, because that needs no queries. */
const mostComputed = 20_000;

/**
 * Bounded unrolling on merged regions: searches for an error within a number of regions. Ends with an error, with the
 * depth that no run exceeds, or at a query that is too hard.
 */
export function boundedUnrolling(options: UnrollingOptions): VerifyEngine {
  return { name: "unrolling", decide: (task) => decide(task, options) };
}

function decide(task: Task, { mostDepth, resources }: UnrollingOptions): Finding {
  const { model, solver, cancellation, knowledge } = task;
  const { terms } = model;
  solver.push();
  try {
    const known = new Set<Variable>();
    const unrolling = unroll(model, solver, null, known, (head, state, guard) =>
      (knowledge.invariants.get(head) ?? []).map((formula) => terms.implies(guard, inState(model, formula, state))),
    );
    const goesOn = (depth: number) => depth <= mostDepth || (depth <= mostComputed && isTrue(unrolling.frontier));
    for (let depth = 1; goesOn(depth); depth++) {
      if (cancellation.isCancelled()) return unknownFinding("interrupted");
      unrolling.step();
      const { errors, frontier } = unrolling;
      if (!isFalse(errors)) {
        const answer = solver.check([errors], { limits: { resources } });
        if (answer.kind === "unknown") return unknownFinding(`at depth ${depth}: ${answer.message}`);
        if (answer.kind === "sat") {
          const inputs = unrolling.inputsIn(answer.model);
          const memory = unrolling.memoryIn(answer.model);
          if (task.confirm(inputs, memory)) return { kind: "unsafe", inputs, memory };
          return unknownFinding(`an error at depth ${depth} that no run confirms`);
        }
      }
      if (isFalse(frontier)) return bounded(task, depth);
      if (isTrue(frontier)) continue;
      const answer = solver.check([frontier], { limits: { resources }, model: false });
      if (answer.kind === "unsat") return bounded(task, depth);
    }
    return unknownFinding(`runs of more than ${mostDepth} regions`);
  } finally {
    solver.pop();
  }
}

function bounded({ model, knowledge }: Task, depth: number): Finding {
  return { kind: "safe", certificate: boundedCertificate(model, knowledge.invariants, depth) };
}
