import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import type { VerifyReport } from "../jobs/verify/verifyReport.ts";
import type { Paint } from "./paint.ts";

/** `safe if no division-by-zero at file.c:12:3`. */
export function assumptionLines(assumptions: VerifyReport["assumptions"], paint: Paint): readonly string[] {
  const byBehaviour = new Map<string, SourceRange[]>();
  for (const { behaviour, location } of assumptions) {
    byBehaviour.set(behaviour, [...(byBehaviour.get(behaviour) ?? []), location]);
  }
  return [...byBehaviour].map(([behaviour, places]) => {
    const shown = places.slice(0, 4).map(formatPlace).join(", ");
    const more = places.length > 4 ? ` and ${places.length - 4} more places` : "";
    return `${paint.yellow("safe if")} no ${behaviour} at ${shown}${more}`;
  });
}
