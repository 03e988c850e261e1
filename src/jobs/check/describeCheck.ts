import type { CheckedProof } from "../../proof/checkProof.ts";
import type { Unknown } from "../commonReport.ts";
import type { CheckReport } from "./checkReport.ts";

/** The report of a checked proof. */
export function describeCheck(
  proof: CheckedProof,
  about: { readonly version: string; readonly ms: number; readonly manifest: string },
): CheckReport {
  const { program, target, trace, verdicts, scripts, checker } = proof;
  const isWrong = scripts.length > 0 || verdicts.some(({ answer }) => answer === "refuted" || answer === "vacuous");
  return {
    schema: 1,
    tool: { name: "tracefold", version: about.version },
    command: "check",
    status: isWrong ? "failed" : proof.checked ? "ok" : "unknown",
    program: {
      files: program.files.map(({ path, sha256 }) => ({ path, sha256 })),
      entry: program.functions[program.entry]!.name,
    },
    target: { formula: target.text, location: target.range },
    manifest: about.manifest,
    trace: { steps: trace.steps },
    triples: verdicts.map(({ triple, answer, by }) => ({ name: triple.name, text: triple.text, answer, by })),
    scripts,
    notChecked: proof.others,
    checker,
    assumptions: [],
    notes: program.notes.map(({ message, range }) => ({ message, location: range })),
    stats: { ms: about.ms, solver: { queries: verdicts.length, ms: 0 } },
    unknowns: unknownsOf(proof),
  };
}

function unknownsOf({ verdicts, triples }: CheckedProof): Unknown[] {
  const unknowns: Unknown[] = verdicts
    .filter(({ answer }) => answer === "unknown")
    .map(({ triple, by }) => ({
      reason: `${by} does not decide ${triple.name}`,
      where: triple.range,
      help: "Another solver may: --solver z3, --solver cvc5.",
    }));
  if (verdicts.length < triples.length) {
    const left = triples.length - verdicts.length;
    unknowns.push({ reason: `the check was stopped with ${left} triples left`, where: null, help: "Run it again." });
  }
  return unknowns;
}
