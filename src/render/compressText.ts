import { nth, present } from "../base/checked.ts";
import { offsetOf } from "../base/sourceFile.ts";
import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import { conjunctTexts } from "../base/text.ts";
import { type Formula, loopText } from "../commands/common/result.ts";
import type { Explained, FoldedStep, Folding, LoopFailure, LoopResult } from "../commands/explain/result.ts";
import { initializerName } from "../ir/reservedNames.ts";
import { breakConjunction, createGutter, type Gutter, type Paint, WIDTH } from "./layout.ts";
import { counted, functionPhrase, inputsPhrase, oneLine, proofFailureLines, proofPhrase } from "./phrases.ts";

/** Longer listings are shortened in the middle by default. */
const MOST_LINES = 200;
/** The number of steps at either end of a shortened listing. */
const SHOWN_AT_ENDS = 80;
/** The number of folded loops in the middle of a shortened listing. */
const MOST_LOOPS = 15;
const MOST_INDENT = 8;
const MOST_ALIGNED = 40;
/** The number of listed attempts. */
const MOST_TRIES = 8;

export type CompressTextOptions = {
  readonly paint: Paint;
  readonly source: (path: string) => string | null;
  /** True to print all steps. */
  readonly full?: boolean;
};

export type FoldedExplanation = Explained & { readonly folding: Folding };

export function isFolded(explained: Explained): explained is FoldedExplanation {
  return explained.folding !== null;
}

/**
 * The folded run, as a person would draw it:
 *
 *   in main
 *     11 | j = 0                    -> 0
 *     12 | +-- while (i != n): 100 iterations in one, folded at once
 *        | |   j >= i
 *        | +-- 300 steps
 *     16 | j >= n
 *   306 steps -> 7; 1 loop folded, 0 unrolled; proof checked (4 triples, cvc5)
 */
export function compressText(given: FoldedExplanation, options: CompressTextOptions): string {
  const { paint } = options;
  const report = { ...given, folding: { ...given.folding, steps: given.folding.steps.map(inOneLine) } };
  const lines: string[] = [];
  const { outcome, folding } = report;
  const place = outcome.location === null ? "" : `${paint.bold(formatPlace(outcome.location))}: `;
  lines.push(`${place}${(outcome.kind === "exit" ? paint.green : paint.red)(oneLine(outcome.message))}`);
  lines.push(`target: ${folding.target.formula} at ${formatPlace(folding.target.location)}`);
  lines.push("", ...bodyLines(report, options), "");
  for (const loop of report.loops) lines.push(...failureLines(loop, options));
  for (const { message, location } of report.notes)
    lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  for (const { reason, where, help } of report.unknowns) {
    lines.push(`${paint.yellow("unknown:")} ${where === null ? "" : `${formatPlace(where)}: `}${reason}`, `  ${help}`);
  }
  lines.push(
    `inputs: ${inputsPhrase(report.inputs)}`,
    summary(report, paint),
    ...proofFailureLines(report.proof.failures),
  );
  return `${lines.join("\n")}\n`;
}

function inOneLine(step: FoldedStep): FoldedStep {
  return step.kind === "step" ? { ...step, text: oneLine(step.text) } : step;
}

function summary(report: FoldedExplanation, paint: Paint): string {
  const folded = report.loops.filter((loop) => loop.foldedFrom !== null).length;
  const failed = report.loops.filter((loop) => loop.failure !== null).length;
  const inner =
    report.folding.innerUnrolls === 0 ? "" : ` (and ${report.folding.innerUnrolls.toLocaleString("en-US")} inner)`;
  const loops = [
    `${counted(folded, "loop")} folded`,
    `${report.folding.unrolls.toLocaleString("en-US")} unrolled${inner}`,
    ...(failed === 0 ? [] : [paint.yellow(`${failed.toLocaleString("en-US")} not folded`)]),
  ].join(", ");
  const length = `${counted(report.trace.steps, "step")} -> ${report.folding.length.toLocaleString("en-US")}`;
  return [length, loops, proofPhrase(report.proof, "triple", paint)].join("; ");
}

type Layout = { readonly gutter: Gutter; readonly column: number; readonly options: CompressTextOptions };

type Block = {
  readonly loop: boolean;
  readonly heading: string;
  readonly lines: readonly string[];
  /** The number of steps before it that the report does not list. */
  readonly unlisted: number;
};

function bodyLines(report: FoldedExplanation, options: CompressTextOptions): string[] {
  // The step that ends static initialisation is counted but not shown.
  const steps = report.folding.steps.filter(
    (step) => !(step.kind === "step" && step.function === initializerName && step.text === "return"),
  );
  const gap = firstGap(report.folding.steps);
  const unlisted = report.folding.length - report.folding.steps.length;
  const gutter = createGutter(
    steps.map((step) => step.location.line),
    options.paint,
  );
  const widths = steps.map((step) => (step.kind === "step" ? indentOf(step).length + step.text.length : 0));
  const column = widths.filter((width) => width <= MOST_ALIGNED).reduce((a, b) => Math.max(a, b), 0);
  const mainFile = report.program.files[0]?.path;
  const blocks = steps.map((step): Block => {
    const heading = functionPhrase(step.function, step.location.file, mainFile);
    const layout = { gutter, column, options };
    const lines = step.kind === "step" ? [stepLine(step, layout)] : loopLines(step, report.loops[step.loop], layout);
    return { loop: step.kind === "loop", heading, lines, unlisted: step === gap ? unlisted : 0 };
  });
  return drawBlocks(blocks, options, gap === null ? unlisted : 0);
}

/** The first step that does not follow the previous listed one. */
function firstGap(steps: readonly FoldedStep[]): FoldedStep | null {
  const isNext = (step: FoldedStep, before: FoldedStep) =>
    step.step <= before.step + (before.kind === "loop" ? before.steps : 1);
  return steps.find((step, i) => i > 0 && !isNext(step, nth(steps, i - 1))) ?? null;
}

function indentOf(step: FoldedStep): string {
  return "  ".repeat(Math.min(step.depth, MOST_INDENT));
}

function stepLine(step: FoldedStep & { kind: "step" }, { gutter, column, options }: Layout): string {
  const text = indentOf(step) + step.text;
  const value =
    step.value === undefined || step.text.endsWith(`= ${step.value}`)
      ? ""
      : `  ${options.paint.dim(`-> ${step.value}`)}`;
  return gutter.numbered(step.location.line, value === "" ? text : text.padEnd(column) + value);
}

/** The box for the iterations of a folded loop. */
function loopLines(step: FoldedStep & { kind: "loop" }, loop: LoopResult | undefined, layout: Layout): string[] {
  const { gutter, options } = layout;
  const { paint } = options;
  const indent = indentOf(step);
  const room = WIDTH - gutter.width - indent.length - 4;
  const inside = (text: string) => gutter.blank(indent + paint.cyan("|   ") + paint.bold(text));
  const invariant = breakConjunction(conjunctTexts(step.invariant), room);
  const inner = (loop?.inner ?? []).flatMap(({ location, invariant }) => [
    gutter.blank(indent + paint.cyan(`|   inside, ${headOf(location, options)}:`)),
    ...breakConjunction(conjunctTexts(invariant), room - 2).map((line) => inside(`  ${line}`)),
  ]);
  const head = `+-- ${headOf(step.location, options)}: ${counted(step.iterations, "iteration")} as one, ${found(loop)}`;
  return [
    gutter.numbered(step.location.line, indent + paint.cyan(head)),
    ...invariant.map(inside),
    ...(loop?.rounds === undefined ? [] : [inside(`after ${counted(loop.rounds, "round")}`)]),
    ...inner,
    ...(step.left === undefined ? [] : leftLines(step.left, room).map(inside)),
    gutter.blank(indent + paint.cyan(`+-- instead of ${counted(step.steps, "step")}`)),
  ];
}

/** The condition after the loop, for all its exits. */
function leftLines(left: readonly Formula[], room: number): readonly string[] {
  const [first, ...more] = left.length === 0 ? ["anything"] : breakConjunction(conjunctTexts(left), room - 6);
  return [`left: ${first}`, ...more.map((line) => `      ${line}`)];
}

function found(loop: LoopResult | undefined): string {
  const after = loop?.foldedFrom ?? 0;
  return after === 0 ? "no iteration unrolled" : `after ${counted(after, "unrolled iteration")}`;
}

/** `while (i != n)` if the source is available, otherwise `loop`. */
function headOf(location: SourceRange, { source }: CompressTextOptions): string {
  const text = source(location.file);
  const head = text === null ? null : (loopText(text, location) ?? untestedHead(text, location));
  return head !== null && head.length <= 60 ? head : `loop at line ${location.line}`;
}

/** A loop without a condition is located by the first statement of its body; its head is right before that. */
function untestedHead(text: string, { line, column }: SourceRange): string | null {
  const before = text.slice(0, offsetOf({ text }, line, column));
  const heads = [...before.matchAll(/\b(?:while\s*\(\s*(?:1|true)\s*\)|for\s*\([^;()]*;\s*;[^;()]*\)|do\b)/g)];
  const last = heads[heads.length - 1];
  if (last === undefined || !/^\s*\{?[^;{}]*$/.test(before.slice(last.index + last[0].length))) return null;
  return last[0].replaceAll(/\s+/g, " ");
}

/** Prints blocks under the names of their functions; in the middle of a long listing, only loops. */
function drawBlocks(blocks: readonly Block[], { paint, full }: CompressTextOptions, unlistedEnd: number): string[] {
  const total = blocks.reduce((sum, block) => sum + block.lines.length, 0);
  const shorten = full !== true && total > MOST_LINES;
  const lines: string[] = [];
  let heading = "";
  let left = 0;
  let loops = 0;
  const say = () => {
    if (left > 0) lines.push(paint.dim(`  … ${counted(left, "step")} left out (--full shows them)`));
    left = 0;
  };
  for (const [i, block] of blocks.entries()) {
    left += block.unlisted;
    const nearAnEnd = i < SHOWN_AT_ENDS || i >= blocks.length - SHOWN_AT_ENDS;
    if (shorten && !nearAnEnd && !(block.loop && loops++ < MOST_LOOPS)) {
      left++;
      continue;
    }
    say();
    if (block.heading !== heading) lines.push(paint.dim(block.heading));
    heading = block.heading;
    lines.push(...block.lines);
  }
  left += unlistedEnd;
  say();
  return lines;
}

/** Says which loop was not folded, what was tried, and why the best invariant did not suffice. */
function failureLines(loop: LoopResult, options: CompressTextOptions): string[] {
  if (loop.failure === null) return [];
  const { paint } = options;
  const { reason, tried, best, lost } = loop.failure;
  const head = `${formatPlace(loop.location)}: ${headOf(loop.location, options)} in ${loop.function}`;
  return [
    `${paint.yellow("not folded:")} ${head}, ${counted(loop.iterations, "iteration")}`,
    `  why:   ${reason}`,
    ...(tried.length === 0 ? [] : [`  tried: ${triedPhrase(tried)}`]),
    ...(best === null ? [] : bestLines(best)),
    ...(lost === null ? [] : [`  lost:  ${lost.fact.text} at ${formatPlace(lost.location)}: ${oneLine(lost.text)}`]),
  ];
}

/** `folding after 0, 1 and 2 unrolled iterations, with 12 to 40 candidates`. */
function triedPhrase(tried: LoopFailure["tried"]): string {
  const visits = tried.map(({ from }) => from);
  const last = present(visits.pop());
  const others = visits.length < MOST_TRIES ? visits.join(", ") : `${visits.slice(0, MOST_TRIES).join(", ")}, …`;
  const after = visits.length === 0 ? counted(last, "unrolled iteration") : `${others} and ${last} unrolled iterations`;
  const counts = tried.map(({ candidates }) => candidates);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `folding after ${after}, with ${least === most ? "" : `${least} to `}${counted(most, "candidate")}`;
}

function bestLines({ from, invariant }: NonNullable<LoopFailure["best"]>): string[] {
  if (invariant.length === 0) return ["  best:  nothing: no candidate was shown to be kept"];
  const after = from === 0 ? "" : `after ${counted(from, "unrolled iteration")}: `;
  const [first, ...others] = conjunctTexts(invariant);
  return breakConjunction([`${after}${first}`, ...others], WIDTH - 9).map(
    (line, i) => `${i === 0 ? "  best:  " : "         "}${line}`,
  );
}
