import type { InferReport, ReportedClass, ReportedFunction } from "../../../src/commands/infer/result.ts";
import { type ContractLine, contractLines, evidenceText, signatureOf } from "../../../src/render/inferText.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";

export function inferReportOf({ report }: PageData): InferReport | null {
  return report.command === "infer" ? (report as unknown as InferReport) : null;
}

/** The contract of a function, with the calls that it comes from. */
export type ShownContract = {
  readonly place: { readonly file: string; readonly line: number };
  readonly signature: string;
  readonly lines: readonly ContractLine[];
  readonly evidence: string;
  readonly examples: readonly string[];
};

/** In the order of the source. */
export function contractsOf({ functions, language }: InferReport): readonly ShownContract[] {
  return [...functions].sort(bySource).map((one) => ({
    place: { file: one.file, line: one.line },
    signature: signatureOf(one, language),
    lines: contractLines(one, language),
    evidence: evidenceText(one, language),
    // Reports of older versions have none.
    examples: one.evidence.examples ?? [],
  }));
}

function bySource(a: ReportedFunction, b: ReportedFunction): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

/** `{ balance: int, owner: string }`; empty if no field was seen. */
export function fieldsText({ fields }: ReportedClass): string {
  const seen = fields.filter((field) => field.seen !== "").map((field) => `${field.name}: ${field.seen}`);
  return seen.length === 0 ? "" : `{ ${seen.join(", ")} }`;
}
