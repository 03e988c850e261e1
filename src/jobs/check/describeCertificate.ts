import type { CheckedCertificateFolder } from "../../proof/certificateFolder.ts";
import type { CheckReport } from "./checkReport.ts";

/** The report of a checked certificate: its questions stand where a proof has triples. */
export function describeCertificate(
  { program, check, questions }: CheckedCertificateFolder,
  about: { readonly version: string; readonly ms: number; readonly manifest: string },
): CheckReport {
  const isRefuted = questions.some(({ answer }) => answer === "refuted");
  return {
    schema: 1,
    tool: { name: "tracefold", version: about.version },
    command: "check",
    status: check.kind === "proved" ? "ok" : isRefuted ? "failed" : "unknown",
    program: {
      files: program.files.map(({ path, sha256 }) => ({ path, sha256 })),
      entry: program.functions[program.entry]!.name,
    },
    target: null,
    manifest: about.manifest,
    trace: { steps: 0 },
    triples: questions.map(({ what, answer, by }, i) => ({
      name: `obligation-${i + 1}`,
      text: what,
      answer,
      by: by ?? "rewriting",
    })),
    scripts: [],
    notChecked: [],
    checker: check.kind === "proved" ? check.by.join(" and ") || null : null,
    assumptions:
      check.kind === "proved" ? check.assumptions.map(({ behaviour, range }) => ({ behaviour, location: range })) : [],
    notes: program.notes.map(({ message, range }) => ({ message, location: range })),
    stats: { ms: about.ms, solver: { queries: questions.length, ms: 0 } },
    unknowns:
      check.kind === "refused" && !isRefuted
        ? [{ reason: check.reason, where: null, help: "Another solver may decide it: --solver z3, --solver cvc5." }]
        : [],
  };
}
