import { nth } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import { formatPlace } from "../base/sourceRange.ts";
import type { Explained, Explanation, ExplanationHead, Failure, Reproducer } from "../commands/explain/result.ts";
import { type Screen, screenOf } from "./chooseRows.ts";
import { failureLines, type SourceOptions } from "./failureText.ts";
import { type Paint, plain, WIDTH, wrapped } from "./layout.ts";
import {
  bytesPhrase,
  callLabels,
  claimMark,
  counted,
  inputsPhrase,
  oneLine,
  proofFailureLines,
  proofPhrase,
  testsPhrase,
} from "./phrases.ts";
import { alsoSuspects, effectText, sectionText, shortened } from "./rows.ts";

export type WhyTextOptions = SourceOptions & {
  /** True to print the notes instead of their number. */
  readonly verbose?: boolean;
  readonly all?: boolean;
};

/** Prints an explanation: the failure with its values, then the causes in the order of the run. */
export function explainText(explanation: Explanation, options: WhyTextOptions): string {
  const lines = linesOf(explanation, options);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function linesOf(explanation: Explanation, options: WhyTextOptions): readonly string[] {
  const { paint } = options;
  switch (explanation.kind) {
    case "explained":
      return explainedLines(explanation, options);
    case "doesNotFail": {
      const { outcome, tests } = explanation;
      if (tests?.list.every(({ passes }) => passes)) {
        return [`${paint.green(testsPhrase(tests.list))}: there is nothing to explain.`];
      }
      const place = outcome.location === null ? "" : `${paint.bold(formatPlace(outcome.location))}: `;
      return [
        `${place}${paint.green(outcome.message)}`,
        "This run does not fail: there is nothing to explain.",
        ...testsLines(tests),
        `${paint.dim("help:")} --target 'x == 7 @ file.c:12' explains why a condition holds at a line`,
        `inputs: ${inputsPhrase(explanation.inputs)}`,
        `trace: ${counted(explanation.trace.steps, "step")}`,
      ];
    }
    case "notExplained":
    case "interrupted":
      return [
        ...(explanation.failure === null ? [] : failureLines(explanation.failure, explanation.program, options)),
        ...explanation.unknowns.flatMap((unknown) => [...unknownLines(unknown, paint), `  ${unknown.help}`]),
        `inputs: ${inputsPhrase(explanation.inputs)}`,
        `trace: ${counted(explanation.trace.steps, "step")}`,
      ];
    default:
      return assertNever(explanation, "explanation");
  }
}

function explainedLines(explanation: Explained, options: WhyTextOptions): readonly string[] {
  const screen = screenOf(explanation, { all: options.all ?? false });
  const sections = screen.sections.map((section) => sectionText(section, explanation, options.paint));
  const untold = sections.flatMap((section) => section.untold);
  // The change of a first suspect without a row is still printed.
  const isShown = screen.sections.some(({ rows }) => rows.some(({ suspect }) => suspect === 0));
  if (!isShown && explanation.suspects[0]?.whatIfs[0]?.kind === "change") untold.unshift(0);
  return [
    ...failureLines(explanation.failure, explanation.program, options),
    ...sections.flatMap(({ lines }) => lines),
    ...whatIfLines(explanation, untold),
    ...alsoSuspects(explanation, screen.also).lines.map((line) => options.paint.dim(line)),
    ...closingLines(explanation, screen, options),
  ];
}

/** The changes that did not fit into their rows, likeliest suspect first; equal effects are merged. */
function whatIfLines({ suspects, program, failure }: Explained, untold: readonly number[]): readonly string[] {
  const callLabel = callLabels(program.files, failure.location.file);
  const byEffect = new Map<string, string[]>();
  const skipped: string[] = [];
  for (const index of [...untold].sort((a, b) => a - b)) {
    const { whatIfs, skips } = nth(suspects, index);
    const [whatIf] = whatIfs;
    const label = callLabel(nth(suspects, index));
    if (whatIf === undefined) {
      skipped.push(`\`${skips}\` at ${label}`);
      continue;
    }
    const effect = effectText(whatIf);
    const change = untold.length === 1 ? whatIf.text : whatIf.short;
    byEffect.set(effect, [...(byEffect.get(effect) ?? []), `${label} ${change}`]);
  }
  const parts = [...byEffect].map(([effect, changes]) => `${changes.join(", or ")} ${effect}`);
  return [
    ...(parts.length === 0 ? [] : wrapped(`what if: ${parts.join("; ")}`, 9)),
    ...(skipped.length === 0 ? [] : wrapped(`not done: ${skipped.join(", ")}`, 10)),
  ];
}

function closingLines(explanation: Explained, screen: Screen, { paint, verbose }: WhyTextOptions): readonly string[] {
  const { failure, inputs, inputCondition, reproducer, notes, unknowns, trace, proof } = explanation;
  const lines: string[] = [];
  if (failure.printed !== null && printedSaysMore(failure, failure.printed))
    lines.push(`printed: ${oneLine(failure.printed).slice(0, WIDTH - 9)}`);
  if (inputs.length > 0) lines.push(...wrapped(`inputs: ${inputsPhrase(inputs)}`, 8));
  // A proof about all bytes together says more than conditions on single bytes.
  const isProvedOfBytes =
    inputCondition?.bytes !== undefined && inputCondition.claims === "total" && inputCondition.proved;
  if (inputCondition !== null && (inputs.length > 0 || isProvedOfBytes) && inputCondition.text !== "") {
    lines.push(...wrapped(`when:   ${inputCondition.text}${claimMark(inputCondition, paint)}`, 8));
  }
  if (reproducer?.stdin !== undefined) lines.push(`smallest input that fails: ${inputPhrase(reproducer)}`);
  if (reproducer?.bytes !== undefined && !isProvedOfBytes)
    lines.push(...atMost(wrapped(`when:   ${bytesPhrase(reproducer.bytes)}`, 8), mostWhenLines));
  if (reproducer !== null && saysMore(reproducer.command, inputs.length, reproducer.steps < trace.steps)) {
    lines.push(`replay: ${paint.bold(reproducer.command)}  ${paint.dim(`(${counted(reproducer.steps, "step")})`)}`);
  }
  lines.push(...otherFailureLines(explanation), ...testsLines(explanation.tests, explanation.suspects));
  for (const unknown of unknowns) lines.push(...unknownLines(unknown, paint));
  if (verbose)
    for (const { message, location } of notes)
      lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  const failures = proof.failures.filter(({ answer }) => verbose || answer !== "unknown");
  const size = sizeLines(explanation, screen, { paint, verbose: verbose ?? false });
  return [...lines, ...size, ...proofFailureLines(failures)];
}

/** Conditions on many single bytes are in the JSON. */
const mostWhenLines = 2;

/** The first lines; dots stand for the others. */
function atMost(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return lines.slice(0, most).map((line, i) => (i < most - 1 ? line : `${shortened(line, WIDTH - 2)} …`));
}

/** One line with the omitted and the proved parts, shortened if necessary. */
function sizeLines(
  explanation: Explained,
  { cut, sections }: Screen,
  { paint, verbose }: SizeOptions,
): readonly string[] {
  const { notes, trace } = explanation;
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  const parts = (isShort: boolean, by: string, colours: Paint) => {
    // The JSON names the checker.
    const proof = verdictText(explanation, isShort, colours);
    return [
      `${counted(trace.steps, "step")} -> ${counted(rows, "line")}`,
      ...(cut === 0 ? [] : [`${cut.toLocaleString("en-US")} more${by} --all`]),
      proof,
      ...(notes.length === 0 || verbose ? [] : [`${counted(notes.length, "note")}${by} --verbose`]),
    ].join("; ");
  };
  if (parts(false, " with", plain).length <= WIDTH) return [parts(false, " with", paint)];
  if (parts(true, ":", plain).length <= WIDTH) return [parts(true, ":", paint)];
  return wrapped(parts(true, ":", paint), 2);
}

type SizeOptions = Pick<Required<WhyTextOptions>, "paint" | "verbose">;

/** Other failures that the search saw: the first one described, the others counted. */
function otherFailureLines({ otherFailures = [] }: Explained): readonly string[] {
  const [first] = otherFailures;
  if (first === undefined) return [];
  const place = first.location === null ? "" : ` at ${formatPlace(first.location)}`;
  const example = `${oneLine(first.message)}${place}`;
  return wrapped(`other inputs: ${counted(otherFailures.length, "other failure")} seen, as ${example}`, 14);
}

/**
 * `tests:  3 of 12 tests fail; this run is neg1; neg2 fails for the same reason; neg7 fails, too`. The change at the
 * first suspect says which tests have the same reason: they pass with it.
 */
function testsLines(tests: ExplanationHead["tests"], suspects: Explained["suspects"] = []): readonly string[] {
  if (tests === undefined) return [];
  const { explained, list } = tests;
  const failing = list.filter(({ name, passes }) => !passes && name !== explained).map(({ name }) => name);
  const change = suspects[0]?.changes.find(
    ({ level, confirmed, tests: { broken } }) => level === "passes" && confirmed && broken.length === 0,
  );
  const still = change === undefined ? failing : change.tests.stillFailing;
  const groups = [
    { names: failing.filter((name) => !still.includes(name)), how: "for the same reason" },
    {
      names: failing.filter((name) => still.includes(name)),
      how: change === undefined ? ", too" : "for another reason",
    },
  ].filter(({ names }) => names.length > 0);
  const textWith = (count: number) => {
    const told = groups.map(({ names, how }) => {
      const more = names.length - count;
      const shown = [...names.slice(0, count).map(oneLine), ...(more <= 0 ? [] : [`${more} more`])];
      const verb = names.length === 1 ? "fails" : "fail";
      return `; ${joinedNames(shown)} ${verb}${how.startsWith(",") ? how : ` ${how}`}`;
    });
    return `tests:  ${testsPhrase(list)}; this run is ${oneLine(explained)}${told.join("")}`;
  };
  let count = Math.max(0, ...groups.map(({ names }) => names.length));
  while (count > 1 && textWith(count).length > WIDTH) count--;
  return wrapped(textWith(count), 8);
}

function joinedNames(names: readonly string[]): string {
  return names.length === 1 ? nth(names, 0) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** True if the printed line says more than the assertion with its values: `n = 3` beside `assert(n == 4)` does not. */
function printedSaysMore({ condition, difference }: Failure, printed: string): boolean {
  // The head has the wrong line.
  if (difference?.found != null && difference.found.includes(JSON.stringify(printed.trimEnd()).slice(1, -1)))
    return false;
  const words = printed.match(/[^\s"'=:;,()[\]]+/g) ?? [];
  const known = new Set(
    (condition?.operands ?? []).flatMap(({ text, value }) => [text, value, value.replace(/^["'](.*)["']$/s, "$1")]),
  );
  return words.some((word) => !known.has(word));
}

function inputPhrase({ stdin = "", arguments: args = [] }: Reproducer): string {
  const words = args.map((arg) => JSON.stringify(arg)).join(" ");
  if (stdin === "" && args.length > 0) return `arguments ${words}`;
  return `${JSON.stringify(stdin)}${args.length === 0 ? "" : ` with arguments ${words}`}`;
}

/** False for a command that is just the program's name. */
function saysMore(command: string, inputs: number, isShorter: boolean): boolean {
  return inputs > 0 || isShorter || / -/.test(command);
}

/** Says that it is proved, or what is not. */
function verdictText(
  { proof, missing, unknowns, outcome, argument, graph }: Explained,
  isShort: boolean,
  paint: Paint,
): string {
  // A run in its own runtime has no proof.
  if (graph.source === "recording") return missing.map(({ reason }) => reason).join("; ");
  const phrase = proofPhrase(proof, "condition", paint, isShort);
  // A cancelled proof gets its own line.
  const [first] = unknowns.length > 0 ? [] : missing;
  if (proof.triples === 0 && outcome.kind === "limit") return "observed, not proved";
  if (first === undefined) return phrase;
  if (first.kind === "proof") return paint.yellow(first.reason);
  const reason = first.kind === "time" ? "out of time" : first.reason;
  // Loop invariants alone do not prove how the run ends.
  const isOpen = proof.triples === 0 || (argument === null && proof.failures.length === 0);
  return isOpen ? paint.yellow(`not proved: ${reason}`) : `${phrase}; ${paint.yellow(reason)}`;
}

function unknownLines({ reason, where }: Explained["unknowns"][number], paint: Paint): readonly string[] {
  const [first, ...rest] = wrapped(`unknown: ${where === null ? "" : `${formatPlace(where)}: `}${reason}`, 2);
  return [`${paint.yellow("unknown:")}${first!.slice("unknown:".length)}`, ...rest];
}
