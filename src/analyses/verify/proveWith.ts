import { certificateOf } from "../../cutpoints/certificate.ts";
import type { Term } from "../../logic/term.ts";
import type { Finding, Task } from "./engine.ts";
import { excludesErrors, houdini, joined } from "./houdini.ts";
import { neededConjuncts } from "./neededConjuncts.ts";

/** Proves what it can of the candidates, tells the others, and says whether that is enough. */
export function proveWith(task: Task, candidates: ReadonlyMap<string, readonly Term[]>): Finding {
  const { model, knowledge } = task;
  const found = houdini(task, candidates);
  const invariants = joined(model, knowledge.invariants, found);
  for (const [key, list] of invariants) knowledge.invariants.set(key, list);
  if (!excludesErrors(task, invariants))
    return { kind: "unknown", reason: "the invariants that were found are too weak" };
  return { kind: "safe", certificate: certificateOf(model, neededConjuncts(task, invariants)) };
}
