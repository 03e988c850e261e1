import { basename } from "node:path";
import { explainText } from "../render/explainText.ts";
import { plain } from "../render/layout.ts";
import { patchOf } from "../render/patch.ts";
import { toSarif } from "../render/sarif.ts";
import type { TestWithExplanation } from "./explainTest.ts";
import type { FailingTest } from "./failingTests.ts";

/** What the tests of a run showed. */
export type RunOfTests = {
  readonly ran: number;
  readonly unit: "test" | "program";
  readonly failing: readonly FailingTest[];
  /** Those of them that do not fail in the base; null without a base. */
  readonly fresh: readonly FailingTest[] | null;
  readonly base: string | null;
  readonly explained: readonly TestWithExplanation[];
  /** True if the test command ended with status 0, so that its tests were not asked for. */
  readonly passed: boolean;
  /** True if some tests could not be run. */
  readonly notRun: boolean;
  /** What could not be done, one sentence each. */
  readonly problems: readonly string[];
  /** The contracts that changed against the base, as text; null if they were not compared. */
  readonly contracts: string | null;
  /** The signal that ended the work before all was known; null for none. */
  readonly signal: string | null;
};

/** How the parts of a summary are written: as Markdown for GitHub, as plain text for a terminal. */
export type SummaryStyle = {
  heading(level: 2 | 3, text: string): string;
  code(text: string, language?: string): string;
  items(title: string, names: readonly string[], isFolded: boolean): string;
  problem(text: string): string;
  page(path: string): string;
  text(text: string): string;
};

export const markdown: SummaryStyle = {
  heading: (level, text) => `${"#".repeat(level)} ${escaped(text)}`,
  code: fenced,
  items(title, names, isFolded) {
    const list = names.map((name) => `- ${escaped(name)}`).join("\n");
    return isFolded
      ? `<details><summary>${escaped(title)}</summary>\n\n${list}\n\n</details>`
      : `${escaped(title)}:\n\n${list}`;
  },
  problem: (text) => text.split("\n").map(escaped).join("\\\n").replaceAll(/^/gm, "> "),
  page: (path) => `The whole run: \`${basename(path)}\` among the artefacts.`,
  text: escaped,
};

export const plainText: SummaryStyle = {
  heading: (_, text) => `== ${onOneLine(text)}`,
  code: (text) => text,
  items: (title, names) => `${title}:\n${names.map((name) => `  ${onOneLine(name)}`).join("\n")}`,
  problem: (text) => text,
  page: (path) => `The whole run: ${path}`,
  text: onOneLine,
};

/** The summary of a run. */
export function summaryOf(run: RunOfTests, style: SummaryStyle): string {
  const { unit, failing, fresh, base, explained, problems, contracts } = run;
  const shown = fresh ?? failing;
  const parts = [style.heading(2, headline(run))];
  parts.push(...explained.map((each) => sectionOf(each, style)));
  const left = shown.slice(explained.length);
  if (left.length > 0) parts.push(style.items("Not explained here", left.map(nameOf), false));
  const old = fresh === null ? [] : failing.filter((test) => !fresh.includes(test));
  if (old.length > 0) {
    const title = `${counted(old.length, unit)} ${old.length === 1 ? "fails" : "fail"} in ${base}, too`;
    parts.push(style.items(title, old.map(nameOf), true));
  }
  if (contracts !== null) parts.push(style.heading(3, `Contracts against ${base}`), style.code(contracts));
  parts.push(...problems.map(style.problem));
  if (run.signal !== null)
    parts.push(style.problem(`${run.signal} came before all was known. The rest is missing here.`));
  return `${parts.join("\n\n")}\n`;
}

/** One line about a run: `Tracefold: 2 of 3 tests fail`. */
export function headline({ ran, unit, failing, fresh, base, passed, notRun, signal }: RunOfTests): string {
  if (signal !== null && failing.length === 0) return `Tracefold: ended by ${signal}`;
  if (failing.length === 0) {
    if (notRun) return "Tracefold: the tests could not be run";
    if (ran > 0) return `Tracefold: ${counted(ran, unit)} passed`;
    return passed ? "Tracefold: the test command passes" : "Tracefold: no test ran";
  }
  const all = `${failing.length} of ${counted(ran, unit)} ${failing.length === 1 ? "fails" : "fail"}`;
  if (fresh === null) return `Tracefold: ${all}`;
  return `Tracefold: ${all}, ${fresh.length === 0 ? "none" : fresh.length} of them new against ${base}`;
}

function sectionOf({ test, explanation, sources, page, problem }: TestWithExplanation, style: SummaryStyle): string {
  const title = style.heading(3, nameOf(test));
  if (explanation === null) return `${title}\n\nNot explained: ${style.text(problem ?? "")}`;
  const source = (path: string) => sources.get(path) ?? null;
  const screen = explainText(explanation, { paint: plain, source });
  const patch = patchOf(explanation, source);
  return [
    title,
    style.code(screen.trimEnd()),
    ...(patch === null
      ? []
      : [
          `With this change ${patch.effect}. That does not make it the right one.`,
          style.code(patch.diff.trimEnd(), "diff"),
        ]),
    ...(page === null ? [] : [style.page(page)]),
  ].join("\n\n");
}

export function nameOf({ subject, name }: FailingTest): string {
  return name ?? (subject.kind === "program" ? subject.words.join(" ") : subject.command.join(" "));
}

/** A fence is longer than any in the text. */
function fenced(text: string, language = "text"): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Names of tests may look like Markdown. */
function escaped(text: string): string {
  return onOneLine(text).replaceAll(/[\\`*_[\]<|]/g, "\\$&");
}

export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Workflow commands that GitHub shows beside the lines: the failures, and the lines that stand out. */
export function annotationsOf(explained: readonly TestWithExplanation[], relative: (path: string) => string): string {
  const lines = explained.flatMap(({ test, explanation }) => {
    if (explanation?.kind !== "explained") return [];
    const { failure, suspects } = explanation;
    const at = ({ file, line, column }: typeof failure.location) => ({ file: relative(file), line, col: column });
    const title = nameOf(test);
    return [
      annotation("error", { ...at(failure.location), title }, failure.message),
      ...suspects
        .filter(({ certainty, whatIfs }, i) => certainty === "sure" || (i === 0 && whatIfs[0]?.level === "passes"))
        .map(({ location, whatIfs: [change], statement }) => {
          const effect =
            change === undefined
              ? ""
              : `: ${change.text} ${change.level === "passes" ? "it passes" : "it gets further"}`;
          return annotation("warning", { ...at(location), title: `look here: ${title}` }, `${statement}${effect}`);
        }),
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function annotation(
  level: "error" | "warning",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const data = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const all = Object.entries(properties).map(([name, value]) => `${name}=${property(`${value}`)}`);
  return `::${level} ${all.join(",")}::${data(message)}`;
}

/** One SARIF run with a result for each explanation. */
export function sarifOf(explained: readonly TestWithExplanation[]) {
  const logs = explained.flatMap(({ explanation }) => (explanation === null ? [] : [toSarif(explanation)]));
  const [first] = logs;
  if (first === undefined) return null;
  const runs = logs.map(({ runs: [run] }) => run);
  const [run] = first.runs;
  const artifacts = new Map(runs.flatMap((each) => each.artifacts).map((each) => [each.location.uri, each]));
  return {
    ...first,
    runs: [
      {
        ...run,
        invocations: runs.flatMap((each) => each.invocations),
        artifacts: [...artifacts.values()],
        results: runs.flatMap((each) => each.results),
      },
    ],
  };
}
