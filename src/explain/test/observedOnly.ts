import type { Explanation } from "../explanation.ts";

const reason = "from one point on the program model does something else than the test did";

/** What is proved of a model that leaves the recorded test is proved of another program: the rows stay, as observed, and no proof. */
export function observedOnly<T extends Explanation>(explanation: T): T {
  if (explanation.kind !== "explained") return explanation;
  return {
    ...explanation,
    sections: explanation.sections.map((section) => ({
      ...section,
      rows: section.rows.map((row) => ({ ...row, evidence: "observed" as const, facts: [] })),
    })),
    argument: null,
    loops: [],
    proof: { triples: 0, checked: false, checker: null, failures: [] },
    missing: [reason],
  };
}
