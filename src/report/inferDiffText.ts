import type { ContractDifference } from "../jobs/infer/inferReport.ts";
import type { Paint } from "./paint.ts";

/** What an earlier run of `infer` said and this one does not, and the other way round. */
export function inferDiffText(
  { gone, new: added, removed, added: functions }: ContractDifference,
  paint: Paint,
): string {
  const lines = [
    ...gone.map(({ name, file, statement }) => paint.red(`no longer: ${file} ${name}: ${statement}`)),
    ...added.map(({ name, file, statement }) => paint.green(`new:       ${file} ${name}: ${statement}`)),
    ...removed.map(({ name, file }) => `not called: ${file} ${name}`),
    ...functions.map(({ name, file }) => `first seen: ${file} ${name}`),
  ];
  return `${lines.length === 0 ? "the contracts are the same" : lines.join("\n")}\n`;
}
