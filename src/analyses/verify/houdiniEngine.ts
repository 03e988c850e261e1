import type { Term } from "../../logic/term.ts";
import type { Finding, Task, VerifyEngine } from "./engine.ts";
import { candidatesAt } from "./headCandidates.ts";
import { proveWith } from "./proveWith.ts";

/** More candidates at a head cost more than they give. */
const mostCandidates = 900;

/**
 * Houdini over what runs suggest: first what the paper's entry constraints and simple bounds say, then relations, equations and
 * congruences, each level only where the one before is not enough.
 */
export const houdiniEngine: VerifyEngine = { name: "houdini", decide };

function decide(task: Task): Finding {
  let last: Finding = { kind: "unknown", reason: "no loop" };
  for (const families of ["simple", "extended"] as const) {
    if (task.cancellation.isCancelled()) return last;
    const candidates = new Map<string, readonly Term[]>();
    for (const head of task.model.heads.values()) {
      candidates.set(head.key, candidatesAt(task, head, families).slice(0, mostCandidates));
    }
    last = proveWith(task, candidates);
    if (last.kind === "safe") return last;
  }
  return last;
}
