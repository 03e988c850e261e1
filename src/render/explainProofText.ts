import { nth } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import { formatPlace } from "../base/sourceRange.ts";
import { conjunctTexts } from "../base/text.ts";
import { type Formula, invariantParts, mostOpenStatements } from "../commands/common/result.ts";
import type {
  Argument,
  ArgumentStep,
  Explained,
  Explanation,
  Folding,
  VariableValue,
} from "../commands/explain/result.ts";
import type { RunOutcome } from "../commands/run/result.ts";
import { breakConjunction, brokenLine, createGutter, type Gutter, type Paint, plain, WIDTH } from "./layout.ts";
import {
  claimMark,
  counted,
  functionPhrase,
  inputsPhrase,
  oneLine,
  proofFailureLines,
  proofPhrase,
} from "./phrases.ts";

const MOST_INDENT = 8;

/** Longer statements push their own values to the right. */
const MOST_ALIGNED = 40;

export type ProofTextOptions = {
  readonly paint: Paint;
};

export type Argued = Explained & { readonly argument: Argument; readonly folding: Folding };
type Report = Explained & Argument & { readonly folding: Folding };

/** False for a long list of statements that nobody could reduce: what was observed says more. */
export function isArgued(explanation: Explanation): explanation is Argued {
  if (explanation.kind !== "explained" || explanation.argument === null || explanation.folding === null) return false;
  const { argument, missing, graph } = explanation;
  return missing.length === 0 || argument.steps.length <= mostOpenStatements || graph.nodes.length === 0;
}

/**
 * The complete form of an explanation: what was proved.
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
export function explainProofText(given: Argued, options: ProofTextOptions): string {
  const { paint } = options;
  const report: Report = { ...given, ...given.argument, steps: given.argument.steps.map(inOneLine) };
  const lines = [headLine(report, paint)];
  lines.push("", ...shortened(stepLines(report, paint), paint), "");
  if (report.size.statements > MANY_STATEMENTS) lines.push(...unfoldedLines(report, paint));
  for (const { message, location } of report.notes)
    lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  for (const unknown of report.unknowns) {
    const place = unknown.where === null ? "" : `${formatPlace(unknown.where)}: `;
    lines.push(`${paint.yellow("unknown:")} ${place}${unknown.reason}`, `  ${unknown.help}`);
  }
  lines.push(...inputLines(report, paint), ...closingLines(report, paint));
  return `${lines.flatMap(brokenLine).join("\n")}\n`;
}

/** Longer texts are cut in the middle. */
const MOST_LINES = 300;
const END_LINES = 60;

function shortened(lines: readonly string[], paint: Paint): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const left = (lines.length - 2 * END_LINES).toLocaleString("en-US");
  const gap = paint.dim(`  … ${left} lines left out (--format json has them) …`);
  return [...lines.slice(0, END_LINES), gap, ...lines.slice(-END_LINES)];
}

/** More statements usually mean that a loop did not fold. */
const MANY_STATEMENTS = 40;

function unfoldedLines({ loops }: Report, paint: Paint): string[] {
  return loops.flatMap(({ failure, location, iterations }) =>
    failure === null
      ? []
      : [
          `${paint.yellow("not folded:")} ${formatPlace(location)}: ${counted(iterations, "iteration")}: ${failure.reason}`,
        ],
  );
}

function inOneLine(step: ArgumentStep): ArgumentStep {
  const lined = (formula: Formula): Formula => ({ ...formula, text: oneLine(formula.text) });
  switch (step.kind) {
    case "fact":
      return { ...step, formulas: step.formulas.map(lined) };
    case "statement":
      return { ...step, text: oneLine(step.text) };
    case "loop":
      return { ...step, text: oneLine(step.text), invariant: step.invariant.map(lined) };
    case "target":
      return { ...step, text: oneLine(step.text), formula: lined(step.formula) };
    default:
      return assertNever(step);
  }
}

function headLine({ failure, folding: { target }, outcome }: Report, paint: Paint): string {
  if (failure.kind === "condition") {
    const { visit } = target;
    const which =
      visit === undefined ? "" : paint.dim(` (the last time that it holds: visit ${visit.number} of ${visit.of})`);
    return `${paint.bold(formatPlace(target.location))}: ${target.formula}${which}`;
  }
  return explainHeading(outcome, paint);
}

function explainHeading(outcome: RunOutcome, paint: Paint): string {
  return `${placeOf(outcome, paint)}${paint.red(oneLine(outcome.message))}`;
}

function placeOf({ location }: RunOutcome, paint: Paint): string {
  return location === null ? "" : `${paint.bold(formatPlace(location))}: `;
}

/** The statements and the facts between them, under the names of their functions. */
function stepLines(report: Report, paint: Paint): string[] {
  const { steps } = report;
  const depths = stepDepths(steps).map((depth) => Math.min(depth, MOST_INDENT));
  const gutter = createGutter(steps.flatMap(lineOf), paint);
  const texts = steps.map((step, i) => (step.kind === "fact" ? 0 : 2 * nth(depths, i) + step.text.length));
  const column = Math.max(0, ...texts.filter((length) => length <= MOST_ALIGNED));
  const mainFile = report.outcome.location?.file ?? steps.at(-1)?.location?.file;
  const headingOf = headings(steps, mainFile);
  const severalFunctions = new Set(steps.map((step) => step.function)).size > 1;
  const lines: string[] = [];
  let heading = severalFunctions ? null : headingOf(nth(steps, 0));
  for (const [i, step] of steps.entries()) {
    const now = headingOf(step);
    if (now !== heading && (step.kind !== "fact" || severalFunctions)) lines.push(paint.dim(now));
    heading = now;
    lines.push(...linesOf(step, i, report, { gutter, indent: "  ".repeat(nth(depths, i)), column, paint }));
  }
  return lines;
}

function lineOf(step: ArgumentStep): number[] {
  return step.kind === "fact" ? [] : [step.location.line];
}

/** A fact can be about another function than the statement before it. */
function headings(steps: readonly ArgumentStep[], mainFile: string | undefined): (step: ArgumentStep) => string {
  const files = new Map(steps.flatMap((step) => (step.kind === "fact" ? [] : [[step.function, step.location.file]])));
  return (step) => {
    const file = step.kind === "fact" ? files.get(step.function) : step.location.file;
    return functionPhrase(step.function, file, mainFile);
  };
}

type Layout = {
  readonly gutter: Gutter;
  readonly indent: string;
  /** The column of the remarks after statements. */
  readonly column: number;
  readonly paint: Paint;
};

function linesOf(step: ArgumentStep, index: number, report: Report, layout: Layout): string[] {
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
      const told = invariantParts(step.invariant).flatMap(({ when, formulas }) =>
        factLines(conjunctTexts(formulas), `${when}: `, "", layout),
      );
      return [gutter.numbered(step.location.line, head), ...told];
    }
    case "fact": {
      const { fresh, repeated } = newPart(step.formulas, report.steps.slice(0, index));
      const values = valueList(unstated(step.values, step.formulas));
      return factLines(fresh, "", [values, repeated].filter((remark) => remark !== "").join("; "), layout);
    }
    case "target": {
      const { outcome } = report;
      const asked = report.failure.kind === "condition";
      const verb = asked ? "holds" : outcome.kind === "error-location" ? "is reached" : "fails";
      const text = `${layout.indent}${step.text}`.padEnd(layout.column);
      const colour = asked ? paint.green : paint.red;
      return [
        gutter.numbered(step.location.line, `${paint.bold(text)}  ${colour(`<-- ${verb}: ${step.formula.text}`)}`),
      ];
    }
    default:
      return assertNever(step);
  }
}

/** Shown after conditions that are not explained. */
const wayRemark = "--flow-sensitive says why";

function isOnWay(step: ArgumentStep): boolean {
  return step.kind === "statement" && step.role === "way";
}

/** A statement, followed by its written values and the reason for it, dim. */
function remarked(text: string, values: string, because: string, { indent, column, paint }: Layout): string {
  const remarks = [values, because].filter((remark) => remark !== "").join("; ");
  if (remarks === "") return indent + text;
  return `${`${indent}${text}`.padEnd(column)}  ${paint.dim(remarks)}`;
}

function factLines(
  conjuncts: readonly string[],
  before: string,
  after: string,
  { gutter, indent, paint }: Layout,
): string[] {
  const room = WIDTH - gutter.width - indent.length - before.length - 3;
  return breakConjunction(conjuncts, room).map((part, i, all) => {
    const mark = i === 0 ? `-- ${before}` : " ".repeat(3 + before.length);
    const values = i === all.length - 1 && after !== "" ? `  ${paint.dim(`(${after})`)}` : "";
    return gutter.blank(`${indent}${paint.cyan(mark + part)}${values}`);
  });
}

/** Facts with fewer parts are always printed completely. */
const repeatedParts = 4;

/** The new parts of a long fact, and a remark about the others. */
function newPart(
  formulas: readonly Formula[],
  before: readonly ArgumentStep[],
): { fresh: readonly string[]; repeated: string } {
  const known = before.findLast((step) => step.kind === "fact");
  const said = new Set(known?.formulas.map(({ text }) => text));
  const fresh = formulas.filter(({ text }) => !said.has(text));
  const count = formulas.length - fresh.length;
  if (fresh.length === 0 || count < repeatedParts - 1) return { fresh: conjunctTexts(formulas), repeated: "" };
  return { fresh: conjunctTexts(fresh), repeated: `and ${count} from above` };
}

/** The later steps that need a step, unless it is only the next one. */
function becauseOf(step: ArgumentStep, index: number, { steps }: Report): string {
  const next = steps[index + 1]?.id;
  const texts = step.because.filter((because) => because.for !== next).map((because) => because.text);
  return texts.length === 0 ? "" : `needed: ${[...new Set(texts)].join("; ")}`;
}

function followingFact(steps: readonly ArgumentStep[], index: number): readonly Formula[] {
  const next = steps[index + 1];
  if (next?.kind === "fact") return next.formulas;
  return next?.kind === "target" ? [next.formula] : [];
}

/** The values that the formulas do not already show. */
function unstated(variables: readonly VariableValue[], formulas: readonly Formula[]): VariableValue[] {
  const stated = new Set(formulas.map(({ text }) => text));
  return variables.filter(({ name, value }) => !stated.has(`${name} == ${value}`));
}

/** True for `i = 0`, where the statement shows the written value. */
function writesLiterally(text: string, { name, value }: VariableValue): boolean {
  return text === `${name} = ${value}`;
}

function valueList(variables: readonly VariableValue[]): string {
  return variables.map(({ name, value }) => `${name} = ${value}`).join(", ");
}

function inputLines(report: Report, paint: Paint): string[] {
  const { inputs, inputCondition, reproducer } = report;
  const lines = inputs.length === 0 ? [] : [`inputs: ${inputsPhrase(inputs)}`];
  if (inputs.length > 0 && inputCondition !== null) {
    lines.push(`when:   ${inputCondition.text}${claimMark(inputCondition, paint)}`);
  }
  if (reproducer !== null)
    lines.push(`replay: ${paint.bold(reproducer.command)}  ${paint.dim(`(${counted(reproducer.steps, "step")})`)}`);
  return lines;
}

/** `1,434 steps -> 9 statements, 1 loop, 3 facts; 112 steps dropped, 1,300 folded; proof checked (26 conditions, cvc5)`. */
function closingLines(report: Report, paint: Paint): string[] {
  const { size, proof, trace, dropped, steps } = report;
  const shown = steps.filter(({ kind }) => kind === "loop").length;
  const kept = [
    counted(size.statements, "statement"),
    ...(shown === 0 ? [] : [counted(shown, "loop")]),
    counted(size.facts, "fact"),
  ];
  const loops = report.loops.filter(({ foldedFrom }) => foldedFrom !== null).length;
  const folded = trace.steps - (report.folding.length - loops);
  const line = (proved: string, isShort: boolean) =>
    [
      `${counted(trace.steps, "step")} -> ${kept.join(", ")}`,
      ...(size.between === 0 ? [] : [`${size.between.toLocaleString("en-US")} more in between`]),
      ...(dropped === 0 && folded <= 0 ? [] : [gonePhrase(dropped, folded, isShort)]),
      ...(proved === "" ? [] : [proved]),
    ].join("; ");
  const phrase = (isShort: boolean, colours: Paint) => proofPhrase(proof, "condition", colours, isShort);
  const fits = (isShort: boolean) => line(phrase(isShort, plain), isShort).length <= WIDTH;
  // The verdict is not shortened; the JSON names the checker.
  const told = fits(false)
    ? [line(phrase(false, paint), false)]
    : fits(true)
      ? [line(phrase(true, paint), true)]
      : [`${line("", true)};`, `  ${phrase(true, paint)}`];
  return [...told, ...proofFailureLines(proof.failures)];
}

function gonePhrase(dropped: number, folded: number, isShort: boolean): string {
  return [
    ...(dropped === 0
      ? []
      : [isShort ? `${dropped.toLocaleString("en-US")} dropped` : `${counted(dropped, "step")} dropped`]),
    ...(folded <= 0 ? [] : [`${folded.toLocaleString("en-US")} folded`]),
  ].join(", ");
}

/** The call depth of each step, the outermost being 0. A fact has the depth of its function's nearest statement. */
export function stepDepths(steps: readonly ArgumentStep[]): number[] {
  const depths = steps.map((step, i) => {
    if (step.kind !== "fact") return step.depth;
    const same = (other: ArgumentStep) => other.kind !== "fact" && other.function === step.function;
    const near = steps.slice(0, i).findLast(same) ?? steps.slice(i).find(same) ?? steps.find((s) => s.kind !== "fact");
    return near === undefined || near.kind === "fact" ? 0 : near.depth;
  });
  const least = depths.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER);
  return depths.map((depth) => depth - least);
}
