import { present } from "../base/checked.ts";
import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import { conjunctTexts } from "../base/text.ts";
import { loopText } from "../commands/common/result.ts";
import { claims } from "../commands/verify/claims.ts";
import type { CheckedCertificate, HeadInvariant, VerifyReport, WitnessReport } from "../commands/verify/result.ts";
import { breakConjunction, type Paint } from "./layout.ts";
import { assumptionLines, counted, inputsPhrase, oneLine } from "./phrases.ts";

export type VerifyTextOptions = {
  readonly paint: Paint;
  readonly source: (path: string) => string | null;
  /** True to print the work of each engine and all invariants. */
  readonly explainVerdict: boolean;
};

/** The number of invariants that are shown by default; longer ones are cut. */
const mostShown = 12;
const width = 96;

/**
 * The verdict in the first line, then what it stands on:
 *
 *   safe: no assertion fails in any run (houdini, certificate checked by cvc5 1.0.3)
 *   file.c:4:10: while (n > 0)
 *       n = x + y, y <= n
 */
export function verifyText(report: VerifyReport, options: VerifyTextOptions): string {
  const { paint } = options;
  const lines = [headline(report, paint)];
  for (const line of assumptionLines(report.assumptions, paint)) lines.push(line);
  lines.push(...exceptionLines(report));
  if (report.witness !== null) lines.push(...witnessLines(report.witness, paint));
  else if (report.verdict === "safe") lines.push(...invariantLines(report, options));
  if (report.verdict === "unsafe") {
    lines.push(`inputs: ${inputsPhrase(report.inputs)}`);
    if (report.replay !== null) lines.push(`run it: ${report.replay}`);
  }
  for (const { reason, where, help } of report.unknowns) {
    lines.push(`${paint.yellow("unknown:")} ${place(where)}${reason}`);
    if (help !== "") lines.push(`  ${help}`);
  }
  if (report.verdict === "unknown" && report.witness === null) lines.push(...knownLines(report, options));
  for (const { message, location } of report.notes) lines.push(`${paint.dim("note:")} ${place(location)}${message}`);
  if (options.explainVerdict) lines.push(...engineLines(report));
  return `${lines.join("\n")}\n`;
}

/** A run that the verdict says nothing of. */
function exceptionLines({ exception }: VerifyReport): readonly string[] {
  if (exception === null) return [];
  const { outcome, inputs, replay } = exception;
  return [
    `  one run does that: ${place(outcome.location)}${oneLine(outcome.message)}`,
    `  inputs: ${inputsPhrase(inputs)}`,
    `  run it: ${replay}`,
  ];
}

function headline(report: VerifyReport, paint: Paint): string {
  const { verdict, outcome, engine } = report;
  if (verdict === "unsafe") {
    return `${paint.red("unsafe")}: ${place(outcome!.location)}${oneLine(outcome!.message)} (found by ${engine})`;
  }
  if (verdict === "unknown") return `${paint.yellow("unknown")}: whether ${claims[report.property]}`;
  const condition = report.assumptions.length === 0 ? "" : ", on a condition (below)";
  const numbers = report.arithmetic === "unbounded" ? " over unbounded integers" : "";
  return `${paint.green("safe")}: ${claims[report.property]} in any run${numbers}${condition} (${engine}, ${checkedPhrase(present(report.certificate))})`;
}

function checkedPhrase({ checkedBy, questions }: CheckedCertificate): string {
  if (checkedBy.length === 1 && checkedBy[0] === "a run") return "certificate checked by running it again";
  const by = checkedBy.length === 0 ? "" : ` by ${checkedBy.join(" and ")}`;
  return `certificate checked${by}: ${counted(questions, "question")}`;
}

function invariantLines(report: VerifyReport, options: VerifyTextOptions): readonly string[] {
  const { certificate, invariants } = report;
  if (certificate!.kind === "bounded") return [`every run passes at most ${counted(certificate!.depth, "loop head")}`];
  if (certificate!.kind === "run") return [`its only run ends after ${counted(certificate!.depth, "step")}`];
  const told = invariants.filter(({ conjuncts }) => conjuncts.length > 0);
  const shown = options.explainVerdict ? told : told.slice(0, mostShown);
  const lines = shown.flatMap((head) => headLines(head, options));
  if (told.length > shown.length)
    lines.push(`and ${counted(told.length - shown.length, "more loop")}: --explain-verdict lists all`);
  const { depth } = certificate!;
  if (depth > 1) lines.push(`by induction over ${counted(depth, "round")}`);
  return lines;
}

function witnessLines({ invariants, suffices }: WitnessReport, paint: Paint): readonly string[] {
  const words = { holds: paint.green("holds"), violated: paint.red("does not hold"), unknown: paint.yellow("unknown") };
  const lines = invariants.flatMap(({ text, location, verdict, by, inputs }) => [
    `${formatPlace(location)}: ${words[verdict]}: ${oneLine(text)} (${by})`,
    ...(inputs.length === 0 ? [] : [`    inputs: ${inputs.slice(0, 20).join(", ")}${inputs.length > 20 ? ", …" : ""}`]),
  ]);
  const together = {
    yes: "the invariants that hold suffice: no error follows from them",
    no: "the invariants that hold do not suffice",
    unknown: "whether the invariants that hold suffice is not known",
  };
  return [...lines, together[suffices]];
}

/** The proved invariants of an unknown verdict. */
function knownLines({ invariants }: VerifyReport, options: VerifyTextOptions): readonly string[] {
  const told = invariants.filter(({ conjuncts }) => conjuncts.length > 0);
  if (told.length === 0) return [];
  const shown = options.explainVerdict ? told : told.slice(0, 3);
  return ["proved so far:", ...shown.flatMap((head) => headLines(head, options))];
}

function headLines(head: HeadInvariant, { source, explainVerdict }: VerifyTextOptions): readonly string[] {
  const text = source(head.location.file);
  const loop = (text === null ? null : loopText(text, head.location)) ?? "loop";
  const via = head.calls.length === 0 ? "" : ` (called by ${head.calls.join(", ")})`;
  const lines = breakConjunction(conjunctTexts(head.conjuncts), width);
  const cut = !explainVerdict && lines.length > 6 ? [...lines.slice(0, 6), "…"] : lines;
  return [`${formatPlace(head.location)}: ${loop}${via}`, ...cut.map((line) => `    ${line}`)];
}

function engineLines({ engines, certificate, states, subsumed }: VerifyReport): readonly string[] {
  const lines = engines.map(
    ({ engine, result, detail, ms }) =>
      `  ${engine.padEnd(12)} ${result.padEnd(8)} ${`${ms} ms`.padStart(9)}  ${oneLine(detail)}`,
  );
  if (certificate !== null) {
    lines.push(
      `  ${"checker".padEnd(12)} ${"proved".padEnd(8)} ${`${certificate.ms} ms`.padStart(9)}  ${certificate.size} characters`,
    );
  }
  if (states > 0) lines.push(`  minimax: ${counted(states, "state")}, ${subsumed} of them subsumed`);
  return ["engines:", ...lines];
}

function place(location: SourceRange | null): string {
  return location === null ? "" : `${formatPlace(location)}: `;
}
