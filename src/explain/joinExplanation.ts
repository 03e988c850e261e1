import { describeChange, type PrintValue } from "../analyses/counterfactual/describeChange.ts";
import type { WhatIf as TriedChange } from "../analyses/counterfactual/suspect.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { sourceTextAt } from "../ir/sourceText.ts";
import { describeInput, describeOutcome } from "../jobs/run/describeRun.ts";
import type { Argument } from "./argument.ts";
import { describeMissing } from "./describeMissing.ts";
import type { ExplainReport } from "./explainReport.ts";
import type { ExplainedRun } from "./explainRun.ts";
import type { Explanation, ExplanationHead, Failure, Row, Suspect, WhatIf } from "./explanation.ts";
import type { Screen } from "./why/screen.ts";
import type { SuspectWish } from "./why/suspectWishes.ts";
import type { ToldWhy } from "./why/whyExplanation.ts";

/** What the recording tells and what logic proved of it, in one explanation. */
export function joinExplanation(
  trace: Trace,
  told: ToldWhy,
  { suspects: wishes, named }: Screen,
  proved: ExplainedRun | null,
  report: ExplainReport,
): Explanation {
  if (trace.program.watched !== undefined) return answerOf(trace, proved, report);
  const steps = provedSteps(proved);
  // A budget that nobody asked for ends what refines the answer, not the answer.
  const isCutOff = proved !== null && proved.cancelled !== "budget" && describeMissing(proved) !== null;
  const isProved = ({ id }: Row) => told.steps.get(id)!.some((step) => steps.has(step));
  const marked = markedRows(told, wishes);
  const isHead = ({ suspect }: SuspectWish) =>
    suspect.range.file === told.failure.location.file && suspect.range.line === told.failure.location.line;
  const also = wishes.slice(0, named).flatMap((wish, i) => (marked.has(i) || isHead(wish) || isIdle(wish) ? [] : [i]));
  const rows = (row: Row): Row => ({
    ...row,
    evidence: isProved(row) ? "proved" : "observed",
    suspect: [...marked].find(([, id]) => id === row.id)?.[0] ?? null,
  });
  return {
    ...headOf(trace, report),
    kind: "explained",
    // What is observed explains the run; but work that was ended has not answered what it was asked.
    status: isCutOff ? "unknown" : "ok",
    unknowns: isCutOff ? report.unknowns : [],
    failure: told.failure,
    sections: told.sections.map((section) => ({ ...section, rows: section.rows.map(rows) })),
    suspects: wishes.map((wish, i) => describeSuspect(trace, wish, marked.get(i) ?? null, told.print)),
    also,
    cut: { rows: told.left, suspects: wishes.length - marked.size - also.length },
    ...provedPart(report),
  };
}

/** No change helped there, and it is as unlikely as all the others of which that is true: naming it says nothing. */
function isIdle({ suspect: { whatIf, omission, weight } }: SuspectWish): boolean {
  return whatIf === null && omission === null && weight < leastIdle;
}

const leastIdle = 0.01;

/** Someone asked why a condition holds: logic alone says so. */
function answerOf(trace: Trace, proved: ExplainedRun | null, report: ExplainReport): Explanation {
  const { unknowns, target, steps } = report;
  const head = { ...headOf(trace, report), unknowns };
  if (target === null || steps.length === 0) {
    const isStopped = proved !== null && proved.cancelled !== null;
    return { ...head, kind: isStopped ? "interrupted" : "notExplained", failure: null };
  }
  const failure: Failure = {
    kind: "condition",
    message: `${target.formula} holds`,
    location: target.location,
    function: steps.at(-1)!.function,
    stack: [],
    condition: null,
    places: [],
    printed: null,
  };
  const observed = { sections: [], suspects: [], also: [], cut: { rows: 0, suspects: 0 } };
  return { ...head, kind: "explained", failure, ...observed, ...provedPart(report) };
}

function provedPart(report: ExplainReport) {
  return {
    argument: argumentOf(report),
    loops: report.loops,
    inputCondition: report.inputCondition.text === "" ? null : report.inputCondition,
    reproducer: report.reproducer,
    proof: report.proof,
    missing: report.unknowns.map(({ reason }) => reason),
  };
}

export function argumentOf(report: ExplainReport): Argument | null {
  const { target, steps, explanation: size, folded, unrolls, innerUnrolls, dropped, droppedSteps, unknowns } = report;
  if (target === null || steps.length === 0) return null;
  return {
    target: { ...target, asked: target.asked ?? false },
    steps,
    size,
    folded,
    unrolls,
    innerUnrolls,
    dropped,
    droppedSteps: droppedSteps ?? [],
    unknowns,
  };
}

export function headOf(trace: Trace, report: ExplainReport): ExplanationHead {
  const { program } = trace;
  return {
    schema: 2,
    tool: report.tool,
    command: "explain",
    status: report.status === "ok" ? "ok" : "unknown",
    program: report.program,
    dataModel: report.dataModel,
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => ({ ...describeInput(program, input), step: input.step + 1 })),
    trace: { steps: trace.steps },
    notes: report.notes,
    stats: report.stats,
    unknowns: [],
  };
}

/** The steps that a checked proof is about. */
function provedSteps(proved: ExplainedRun | null): ReadonlySet<number> {
  if (proved === null || proved.abstraction === null || !proved.proof.checked) return new Set();
  return new Set(proved.abstraction.relevant.flatMap(({ origin }) => (origin.kind === "step" ? [origin.step] : [])));
}

/** By suspect, the row that shows the execution that it is about, or else its line. */
function markedRows(told: ToldWhy, wishes: readonly SuspectWish[]): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  const taken = new Set<number>();
  wishes.forEach(({ step, suspect }, i) => {
    const ids = told.sections
      .flatMap((section) => section.rows)
      .filter(({ location, id }) => {
        const { file, line } = suspect.range;
        return !taken.has(id) && location.file === file && location.line <= line && line <= location.endLine;
      });
    // Several statements may stand on one line.
    const within = ids.filter(({ location }) => contains(location, suspect.range));
    const nearest = within.length > 0 ? within : ids;
    const row = nearest.find(({ id }) => told.steps.get(id)!.includes(step)) ?? nearest.at(-1);
    if (row === undefined) return;
    rows.set(i, row.id);
    taken.add(row.id);
  });
  return rows;
}

function contains(outer: SourceRange, inner: SourceRange): boolean {
  const begins = outer.line < inner.line || (outer.line === inner.line && outer.column <= inner.column);
  const ends = outer.endLine > inner.endLine || (outer.endLine === inner.endLine && outer.endColumn >= inner.endColumn);
  return begins && ends;
}

function describeSuspect(
  trace: Trace,
  { suspect, statement }: SuspectWish,
  row: number | null,
  print: PrintValue,
): Suspect {
  const { range, function: fn, whatIf, edit, flip, value, omission } = suspect;
  const skips = omission === null ? null : sourceTextAt(trace.program, omission.write.range);
  const tried = [whatIf, edit, flip, value].filter((each, i, all) => each !== null && all.indexOf(each) === i);
  return {
    location: range,
    function: fn.name,
    text: sourceTextAt(trace.program, range) ?? "",
    statement,
    weight: Math.round(1000 * suspect.weight) / 1000,
    row,
    whatIfs: tried.map((each) => describeWhatIf(trace.program, each!, print)),
    ...(skips === null ? {} : { skips: skips.replace(/;$/, "") }),
  };
}

function describeWhatIf(program: Program, whatIf: TriedChange, print: PrintValue): WhatIf {
  const { text, short } = describeChange(program, whatIf, print);
  const { asked, broken } = whatIf.kind === "edit" ? whatIf : { asked: 0, broken: 0 };
  return {
    kind: whatIf.kind,
    text,
    short,
    level: whatIf.level === 2 ? "passes" : "getsPast",
    passingRuns: { asked, broken },
  };
}
