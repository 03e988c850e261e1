import { type CaseResult, isClaim } from "./campaign.ts";

/** Counts what a campaign came to. */
export function createTotals() {
  const counts = new Map<string, number>();
  const add = (key: string, by = 1) => counts.set(key, (counts.get(key) ?? 0) + by);
  return {
    add(result: CaseResult): void {
      const { judgement, skipped, violations } = result;
      add("programs");
      if (skipped !== null) add(`skipped: ${skipped.replace(/:.*/, "")}`);
      if (isClaim(result)) add("with a claim");
      if (judgement !== null) {
        add(`claims: ${judgement.kind ?? "not explained"}`);
        add("samples run", judgement.samples);
        add("samples that the step limit ended", judgement.open);
        add("samples also run by gcc", judgement.job?.runs.length ?? 0);
        add("invariants checked by gcc", judgement.job?.checks.length ?? 0);
        add("facts evaluated", judgement.facts);
      }
      if (violations.length > 0) add("programs with a violation");
      for (const kind of new Set(violations.map((violation) => violation.kind))) add(`violation: ${kind}`);
    },
    count: (key: string) => counts.get(key) ?? 0,
    /** One line for each count. */
    table(): string {
      const order = ["programs", "with", "claims", "samples", "invariants", "facts", "skipped", "violation"];
      const rank = (key: string) => order.findIndex((prefix) => key.startsWith(prefix));
      const rows = [...counts].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
      const width = Math.max(0, ...rows.map(([key]) => key.length));
      return rows
        .map(([key, count]) => `${key.padEnd(width)}  ${count.toLocaleString("en-US").padStart(9)}`)
        .join("\n");
    },
  };
}
