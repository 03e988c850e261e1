import { conjunctTexts } from "../../../src/base/text.ts";
import type { Formula } from "../../../src/commands/common/result.ts";
import { claims } from "../../../src/commands/verify/claims.ts";
import type { HeadInvariant, ProvedObligation, VerifyReport } from "../../../src/commands/verify/result.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";

export function verifyReportOf({ report }: PageData): VerifyReport | null {
  return report.command === "verify" ? (report as unknown as VerifyReport) : null;
}

/** The verdict in one sentence. */
export function verdictText({ verdict, property, outcome, assumptions, engine }: VerifyReport): string {
  if (verdict === "unsafe") return `unsafe: ${outcome?.message ?? "a run violates the property"}`;
  if (verdict === "unknown") return `unknown whether ${claims[property]}`;
  const condition = assumptions.length === 0 ? "" : ", on a condition";
  return `safe: ${claims[property]} in any run${condition}${engine === null ? "" : ` (${engine})`}`;
}

/** A loop with what holds at its head, and what was proved about it. */
export type VerifiedLoop = HeadInvariant & {
  readonly texts: readonly string[];
  readonly obligations: readonly ProvedObligation[];
};

export function loopsOf({ invariants, certificate }: VerifyReport): readonly VerifiedLoop[] {
  const seen = new Set<string>();
  return invariants.map((head) => {
    const key = placeKey(head.location);
    // A loop of a function with several callers has an invariant for each: their obligations are listed once.
    const obligations = seen.has(key) ? [] : (certificate?.obligations ?? []).filter((each) => isAbout(each, key));
    seen.add(key);
    return { ...head, texts: formulaTexts(head.conjuncts), obligations };
  });
}

/** What was proved about no single loop. */
export function otherObligations({ invariants, certificate }: VerifyReport): readonly ProvedObligation[] {
  const keys = new Set(invariants.map(({ location }) => placeKey(location)));
  return (certificate?.obligations ?? []).filter(({ location }) => location === null || !keys.has(placeKey(location)));
}

/** What a safe verdict takes for granted: `no signed overflow`, with its places. */
export function assumptionsOf({ assumptions }: VerifyReport) {
  const byBehaviour = new Map<string, VerifyReport["assumptions"][number]["location"][]>();
  for (const { behaviour, location } of assumptions)
    byBehaviour.set(behaviour, [...(byBehaviour.get(behaviour) ?? []), location]);
  return [...byBehaviour].map(([behaviour, places]) => ({ text: `no ${behaviour}`, places }));
}

/** Texts of conjuncts; those that may not hold on other runs say so. */
export function formulaTexts(formulas: readonly Formula[]): readonly string[] {
  return conjunctTexts(formulas).map((text, i) => (formulas[i]?.onlyThisRun === true ? `${text} (on this run)` : text));
}

function isAbout({ location }: ProvedObligation, key: string): boolean {
  return location !== null && placeKey(location) === key;
}

function placeKey({ file, line, column }: HeadInvariant["location"]): string {
  return `${file}:${line}:${column}`;
}
