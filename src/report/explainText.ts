import { assertNever } from "../base/assertNever.ts";
import { formatPlace } from "../base/sourceRange.ts";
import { answersQuestion, type ExplainReport, type ExplanationStep } from "../explain/explainReport.ts";
import { stepDepths } from "../explain/stepDepths.ts";
import type { Variable } from "../jobs/compress/compressReport.ts";
import { splitConjuncts } from "../jobs/conjuncts.ts";
import type { RunOutcome } from "../jobs/run/runReport.ts";
import { claimMark } from "./claimMark.ts";
import { excerpt } from "./excerpt.ts";
import { breakConjunction, createGutter, type Gutter, WIDTH } from "./gutter.ts";
import type { Paint } from "./paint.ts";
import { counted, functionPhrase, inputsPhrase, oneLine, proofFailureLines, proofPhrase } from "./phrases.ts";

/** Deeper calls are not indented further. */
const MOST_INDENT = 8;

/** Statements longer than this push their values to the right instead of moving everybody's. */
const MOST_ALIGNED = 40;

export type ExplainTextOptions = {
  readonly paint: Paint;
  /** The text of a source file, or null. */
  readonly source: (path: string) => string | null;
  /** Leaves the heading out: it was printed when the run had failed. */
  readonly headed?: boolean;
};

/**
 * The explanation of a failing run:
 *
 *   unit_foo.c:11:3: assertion failed: res >= 0
 *
 *   in testFoo
 *     10 | foo(0, -2, 1)
 *   in foo
 *        |   -- x == 1 && a == 0 && b == -2
 *      4 |   x = x + a
 *   …
 *   27 steps -> 4 statements, 4 facts; proof checked (9 conditions, cvc5)
 */
export function explainText(given: ExplainReport, options: ExplainTextOptions): string {
  const { paint } = options;
  const report = { ...given, steps: given.steps.map(inOneLine) };
  const lines = headLines(report, options).slice(options.headed ? 1 : 0);
  if (report.steps.length > 0) lines.push("", ...shortened(stepLines(report, paint), paint), "");
  if (report.explanation.statements > MANY_STATEMENTS) lines.push(...unfoldedLines(report, paint));
  for (const { message, location } of report.notes)
    lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${message}`);
  for (const unknown of report.unknowns) {
    const place = unknown.where === null ? "" : `${formatPlace(unknown.where)}: `;
    lines.push(`${paint.yellow("unknown:")} ${place}${unknown.reason}`, `  ${unknown.help}`);
  }
  lines.push(...inputLines(report, paint), ...closingLines(report, paint));
  return `${lines.join("\n")}\n`;
}

/** Of more lines the first and the last ones are printed. */
const MOST_LINES = 300;
const END_LINES = 60;

function shortened(lines: readonly string[], paint: Paint): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const left = (lines.length - 2 * END_LINES).toLocaleString("en-US");
  const gap = paint.dim(`  … ${left} lines left out (--format json has them) …`);
  return [...lines.slice(0, END_LINES), gap, ...lines.slice(-END_LINES)];
}

/** An explanation with more statements is most often that of a loop which did not fold. */
const MANY_STATEMENTS = 40;

function unfoldedLines({ loops }: ExplainReport, paint: Paint): string[] {
  return loops.flatMap(({ failure, location, iterations }) =>
    failure === null
      ? []
      : [
          `${paint.yellow("not folded:")} ${formatPlace(location)}: ${counted(iterations, "iteration")}: ${failure.reason}`,
        ],
  );
}

function inOneLine(step: ExplanationStep): ExplanationStep {
  if (step.kind === "fact") return { ...step, formula: oneLine(step.formula) };
  if (step.kind === "statement") return { ...step, text: oneLine(step.text) };
  return { ...step, text: oneLine(step.text), formula: oneLine(step.formula) };
}

function headLines(report: ExplainReport, { paint, source }: ExplainTextOptions): string[] {
  const { outcome, target, steps } = report;
  if (answersQuestion(report) && target !== null) {
    return [`${paint.bold(formatPlace(target.location))}: ${target.formula}`];
  }
  if (outcome.kind === "exit" || outcome.kind === "assumption") {
    return [
      `${placeOf(outcome, paint)}${paint.green(outcome.message)}`,
      "This run does not fail: there is nothing to explain.",
      `${paint.dim("help:")} --target 'x == 7 @ file.c:12' explains why a condition holds at a line`,
    ];
  }
  const head = explainHeading(outcome, paint);
  const text = steps.length > 0 || outcome.location === null ? null : source(outcome.location.file);
  if (text === null) return [head];
  return [head, ...excerpt(text, outcome.location!).map((line) => `  ${paint.cyan(line)}`)];
}

/** How the run fails, and where. */
export function explainHeading(outcome: RunOutcome, paint: Paint): string {
  return `${placeOf(outcome, paint)}${paint.red(oneLine(outcome.message))}`;
}

function placeOf({ location }: RunOutcome, paint: Paint): string {
  return location === null ? "" : `${paint.bold(formatPlace(location))}: `;
}

/** The statements with the facts between them, under the names of their functions. */
function stepLines(report: ExplainReport, paint: Paint): string[] {
  const { steps } = report;
  const depths = stepDepths(steps, report.program.entry).map((depth) => Math.min(depth, MOST_INDENT));
  const gutter = createGutter(steps.flatMap(lineOf), paint);
  const texts = steps.map((step, i) => (step.kind === "fact" ? 0 : 2 * depths[i]! + step.text.length));
  const column = Math.max(0, ...texts.filter((length) => length <= MOST_ALIGNED));
  const mainFile = report.outcome.location?.file ?? steps.at(-1)?.location?.file;
  const headingOf = headings(steps, mainFile);
  const severalFunctions = new Set(steps.map((step) => step.function)).size > 1;
  const lines: string[] = [];
  let heading = severalFunctions ? null : headingOf(steps[0]!);
  for (const [i, step] of steps.entries()) {
    const now = headingOf(step);
    if (now !== heading && (step.kind !== "fact" || severalFunctions)) lines.push(paint.dim(now));
    heading = now;
    lines.push(...linesOf(step, i, report, { gutter, indent: "  ".repeat(depths[i]!), column, paint }));
  }
  return lines;
}

function lineOf(step: ExplanationStep): number[] {
  return step.kind === "fact" ? [] : [step.location.line];
}

/** A fact may be about another function than the statement that it stands behind, whose place it has. */
function headings(steps: readonly ExplanationStep[], mainFile: string | undefined): (step: ExplanationStep) => string {
  const files = new Map(steps.flatMap((step) => (step.kind === "fact" ? [] : [[step.function, step.location.file]])));
  return (step) => {
    const file = step.kind === "fact" ? files.get(step.function) : step.location.file;
    return functionPhrase(step.function, file, mainFile);
  };
}

type Layout = {
  readonly gutter: Gutter;
  readonly indent: string;
  /** Where the remarks behind statements begin. */
  readonly column: number;
  readonly paint: Paint;
};

function linesOf(step: ExplanationStep, index: number, report: ExplainReport, layout: Layout): string[] {
  const { gutter, paint } = layout;
  switch (step.kind) {
    case "statement": {
      const values = unstated(step.writes, followingFact(report.steps, index)).filter(
        (w) => !writesLiterally(step.text, w),
      );
      if (step.role !== undefined) {
        const isLastOnWay = report.steps.findLast(isOnWay) === step;
        return [gutter.aside(step.location.line, remarked(step.text, isLastOnWay ? wayRemark : "", "", layout))];
      }
      return [
        gutter.numbered(
          step.location.line,
          remarked(step.text, valueList(values), becauseOf(step, index, report), layout),
        ),
      ];
    }
    case "loop": {
      const times = counted(step.iterations, "iteration");
      const head = remarked(step.text, times, becauseOf(step, index, report), layout);
      return [gutter.numbered(step.location.line, head), ...factLines(step.formula, "each time: ", "", layout)];
    }
    case "fact": {
      const { fresh, repeated } = newPart(step.formula, report.steps.slice(0, index));
      const values = valueList(unstated(step.variables, step.formula));
      return factLines(fresh, "", [values, repeated].filter((remark) => remark !== "").join("; "), layout);
    }
    case "target": {
      const { outcome } = report;
      const asked = answersQuestion(report);
      const verb = asked ? "holds" : outcome.kind === "error-location" ? "is reached" : "fails";
      const text = `${layout.indent}${step.text}`.padEnd(layout.column);
      const colour = asked ? paint.green : paint.red;
      return [gutter.numbered(step.location.line, `${paint.bold(text)}  ${colour(`<-- ${verb}: ${step.formula}`)}`)];
    }
    default:
      return assertNever(step);
  }
}

/** Conditions that are only shown can be explained too. */
const wayRemark = "--flow-sensitive says why";

function isOnWay(step: ExplanationStep): boolean {
  return step.kind === "statement" && step.role === "way";
}

/** A statement with what it wrote and what it is needed for behind it, dim. */
function remarked(text: string, values: string, because: string, { indent, column, paint }: Layout): string {
  const remarks = [values, because].filter((remark) => remark !== "").join("; ");
  if (remarks === "") return indent + text;
  return `${`${indent}${text}`.padEnd(column)}  ${paint.dim(remarks)}`;
}

function factLines(formula: string, before: string, after: string, { gutter, indent, paint }: Layout): string[] {
  const room = WIDTH - gutter.width - indent.length - before.length - 3;
  return breakConjunction(formula, room).map((part, i, all) => {
    const mark = i === 0 ? `-- ${before}` : " ".repeat(3 + before.length);
    const values = i === all.length - 1 && after !== "" ? `  ${paint.dim(`(${after})`)}` : "";
    return gutter.blank(`${indent}${paint.cyan(mark + part)}${values}`);
  });
}

/** Facts with fewer parts are always said in full. */
const repeatedParts = 4;

/** Of a long fact, what the fact before it did not say, and a remark on the rest. */
function newPart(formula: string, before: readonly ExplanationStep[]): { fresh: string; repeated: string } {
  const parts = splitConjuncts(formula);
  const known = before.findLast((step) => step.kind === "fact");
  const said = new Set(known === undefined ? [] : splitConjuncts(known.formula));
  const fresh = parts.filter((part) => !said.has(part));
  const count = parts.length - fresh.length;
  if (fresh.length === 0 || count < repeatedParts - 1) return { fresh: formula, repeated: "" };
  return { fresh: fresh.join(" && "), repeated: `and ${count} from above` };
}

/** What a step is needed for, unless that is what stands right behind it. */
function becauseOf(step: ExplanationStep, index: number, { steps }: ExplainReport): string {
  const next = steps[index + 1]?.id;
  const texts = step.because.filter((because) => because.for !== next).map((because) => because.text);
  return texts.length === 0 ? "" : `needed: ${[...new Set(texts)].join("; ")}`;
}

function followingFact(steps: readonly ExplanationStep[], index: number): string {
  const next = steps[index + 1];
  return next?.kind === "fact" || next?.kind === "target" ? next.formula : "";
}

/** The values that the formula does not already spell out. */
function unstated(variables: readonly Variable[], formula: string): Variable[] {
  const stated = new Set(splitConjuncts(formula));
  return variables.filter(({ name, value }) => !stated.has(`${name} == ${value}`));
}

/** `i = 0`: the statement says itself what it wrote. */
function writesLiterally(text: string, { name, value }: Variable): boolean {
  return text === `${name} = ${value}`;
}

function valueList(variables: readonly Variable[]): string {
  return variables.map(({ name, value }) => `${name} = ${value}`).join(", ");
}

function inputLines(report: ExplainReport, paint: Paint): string[] {
  const { inputs, inputCondition, reproducer, steps } = report;
  const lines = inputs.length === 0 && steps.length > 0 ? [] : [`inputs: ${inputsPhrase(inputs)}`];
  if (steps.length > 0 && inputs.length > 0 && inputCondition.text !== "") {
    lines.push(`when:   ${inputCondition.text}${claimMark(inputCondition, paint)}`);
  }
  if (reproducer !== null)
    lines.push(`replay: ${paint.bold(reproducer.command)}  ${paint.dim(`(${counted(reproducer.steps, "step")})`)}`);
  return lines;
}

/** `1,434 steps -> 9 statements, 1 loop, 3 facts; 112 steps dropped, 1,300 folded; proof checked (26 conditions, cvc5)`. */
function closingLines(report: ExplainReport, paint: Paint): string[] {
  const { explanation, proof, trace, dropped, steps } = report;
  if (steps.length === 0) return [`trace: ${counted(trace.steps, "step")}`];
  const shown = steps.filter(({ kind }) => kind === "loop").length;
  const kept = [
    counted(explanation.statements, "statement"),
    ...(shown === 0 ? [] : [counted(shown, "loop")]),
    counted(explanation.invariants, "fact"),
  ];
  const loops = report.loops.filter(({ foldedFrom }) => foldedFrom !== null).length;
  const folded = trace.steps - (report.folded.steps - loops);
  const gone = [
    ...(dropped === 0 ? [] : [`${counted(dropped, "step")} dropped`]),
    ...(folded <= 0 ? [] : [`${folded.toLocaleString("en-US")} folded`]),
  ];
  const parts = [
    `${counted(trace.steps, "step")} -> ${kept.join(", ")}`,
    ...(explanation.between === 0 ? [] : [`${explanation.between.toLocaleString("en-US")} more in between`]),
    ...(gone.length === 0 ? [] : [gone.join(", ")]),
    proofPhrase(proof, "condition", paint),
  ];
  return [parts.join("; "), ...proofFailureLines(proof)];
}
