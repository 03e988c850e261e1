import { cancelledAfter } from "../../src/base/cancellation.ts";
import { TracefoldError } from "../../src/base/errors.ts";
import { explain } from "../../src/explain/explainProgram.ts";
import type { ExplainReport } from "../../src/explain/explainReport.ts";
import { loadCText } from "../../src/frontend/c/loadC.ts";
import { explainText } from "../../src/report/explainText.ts";
import { plain } from "../../src/report/paint.ts";
import { type CaseAnswer, type Suspect, unanswered } from "./caseAnswer.ts";
import type { FailingCase } from "./failingCases.ts";
import { isTestFunction } from "./programs.ts";

/** The default explanation of a failing mutant, as the command line gives it. */
export async function explainCase(
  { entry, maxSteps }: FailingCase,
  { path, text }: { readonly path: string; readonly text: string },
  budget: number,
): Promise<CaseAnswer> {
  const program = await loadCText(path, text, { entry });
  const start = performance.now();
  try {
    const report = explain(program, { run: { maxSteps }, cancellation: cancelledAfter(budget) });
    return answerOf(report, text, performance.now() - start);
  } catch (error) {
    if (error instanceof TracefoldError)
      return unanswered(`${error.code}: ${error.message}`, performance.now() - start);
    throw error;
  }
}

function answerOf(report: ExplainReport, text: string, ms: number): CaseAnswer {
  const screen = explainText(report, { paint: plain, source: () => text });
  const answered = report.steps.length > 0;
  return {
    answered,
    reason: answered ? null : (report.unknowns[0]?.reason ?? "no explanation"),
    ms,
    work: { queries: report.stats.solver.queries, replays: 0 },
    screen,
    shown: shownLines(screen),
    suspects: suspectsOf(report),
    provedShare: answered ? (report.proof.checked ? 1 : 0) : null,
    refuted: 0,
  };
}

/** Without an order of its own, a report suspects its statements, the last one first; tests come behind all others. */
function suspectsOf({ steps }: ExplainReport): readonly Suspect[] {
  const statements = steps
    .filter((step) => step.kind === "statement" || step.kind === "loop")
    .map((step) => ({ function: step.function, line: step.location.line }))
    .reverse();
  const isTest = (suspect: Suspect) => isTestFunction(suspect.function);
  const ordered = [...statements.filter((suspect) => !isTest(suspect)), ...statements.filter(isTest)];
  return ordered.filter(({ line }, i) => ordered.findIndex((other) => other.line === line) === i);
}

/** The lines of the program that stand in the margin of a screen, or as `file.c:12`. */
export function shownLines(screen: string): readonly number[] {
  const lines = new Set<number>();
  for (const line of screen.split("\n")) {
    if (line.startsWith("note:")) continue;
    const found = /^\s*(?:[\w$]+:)?(\d+)\s+[|:]/.exec(line) ?? /\.c:(\d+)/.exec(line);
    if (found !== null) lines.add(Number(found[1]));
  }
  return [...lines];
}
