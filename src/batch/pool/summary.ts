import type { Explanation } from "../../commands/explain/result.ts";
import type { ExploreReport } from "../../commands/explore/result.ts";
import type { InferReport } from "../../commands/infer/result.ts";
import type { RunOutcome, RunReport, TestsReport } from "../../commands/run/result.ts";
import type { VerifyReport } from "../../commands/verify/result.ts";
import type { FailureCause, TaskSummary } from "../task.ts";

type Answered = Pick<TaskSummary, "answer" | "reason" | "cause">;

type AnyReport = Explanation | VerifyReport | ExploreReport | RunReport | TestsReport | InferReport;

/** The answer of a command's JSON in one word, with its reason and cause. `exit` is the command's exit status. */
export function summaryOf(report: AnyReport, exit: number): Answered {
  switch (report.command) {
    case "explain":
    case "compress":
      return ofExplanation(report);
    case "verify":
      return ofVerification(report);
    case "explore":
      return ofExploration(report);
    case "run":
      return "tests" in report ? ofTests(report) : ofRun(report, exit);
    default:
      return ofContracts(report, exit);
  }
}

function ofExplanation(report: Explanation): Answered {
  if (report.kind === "doesNotFail") return { answer: "passes", reason: null, cause: null };
  if (report.kind !== "explained") {
    const place = report.failure?.location ?? report.outcome.location;
    return { answer: "unknown", reason: reasonOf(report), cause: causeOf(report.outcome, place) };
  }
  const { outcome, failure, suspects } = report;
  const [suspect] = suspects;
  const cause = causeOf(outcome, suspect?.location ?? failure.location);
  const text = suspect?.statement ?? failure.message;
  return { answer: "explained", reason: null, cause: cause === null ? null : { ...cause, text } };
}

function ofVerification(report: VerifyReport): Answered {
  const { verdict, outcome } = report;
  if (verdict === "unknown") return { answer: verdict, reason: reasonOf(report), cause: null };
  return { answer: verdict, reason: null, cause: outcome === null ? null : causeOf(outcome, outcome.location) };
}

function ofExploration(report: ExploreReport): Answered {
  const [failure] = report.failures;
  if (failure === undefined)
    return report.status === "ok"
      ? { answer: "passes", reason: null, cause: null }
      : { answer: "unknown", reason: reasonOf(report), cause: null };
  const cause = causeOf({ kind: "failure", message: failure.message }, failure.location);
  return { answer: "fails", reason: null, cause };
}

function ofRun(report: RunReport, exit: number): Answered {
  const { outcome } = report;
  if (exit === 0) return { answer: "passes", reason: null, cause: null };
  if (outcome.kind === "limit" || exit === 3) return { answer: "unknown", reason: outcome.message, cause: null };
  return { answer: "fails", reason: null, cause: causeOf(outcome, outcome.location) };
}

function ofTests({ tests }: TestsReport): Answered {
  const failing = tests.find(({ passes }) => !passes);
  if (failing === undefined) return { answer: "passes", reason: null, cause: null };
  const { outcome } = failing;
  if (outcome.kind === "limit") return { answer: "unknown", reason: outcome.message, cause: null };
  return { answer: "fails", reason: null, cause: causeOf(outcome, outcome.location) };
}

function ofContracts(report: InferReport, exit: number): Answered {
  if (report.diff !== null) {
    const [gone] = report.diff.gone;
    if (gone === undefined) return { answer: "kept", reason: null, cause: null };
    return {
      answer: "broken",
      reason: null,
      cause: { kind: "broken-contract", file: gone.file, line: 0, text: `${gone.name}: ${gone.statement}` },
    };
  }
  if (exit === 0) return { answer: "inferred", reason: null, cause: null };
  return { answer: "unknown", reason: reasonOf(report), cause: null };
}

type Outcome = Pick<RunOutcome, "behaviour" | "message"> & { readonly kind: string };

function causeOf(outcome: Outcome, place: RunOutcome["location"]): FailureCause | null {
  if (outcome.kind === "exit" && place === null) return null;
  const { kind, behaviour, message } = outcome;
  return { kind: behaviour ?? kind, file: place?.file ?? "", line: place?.line ?? 0, text: message };
}

function reasonOf({ unknowns }: Pick<AnyReport, "unknowns">): string {
  return unknowns[0]?.reason ?? "no reason is known";
}
