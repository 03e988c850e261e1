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
  readonly failing: readonly FailingTest[];
  /** Those of them that do not fail in the base; null without a base. */
  readonly fresh: readonly FailingTest[] | null;
  readonly base: string | null;
  readonly explained: readonly TestWithExplanation[];
  /** What could not be done, one sentence each. */
  readonly problems: readonly string[];
  /** The contracts that changed against the base, as text; null if they were not compared. */
  readonly contracts: string | null;
};

/** The summary of a run, as Markdown. */
export function markdownOf({ ran, failing, fresh, base, explained, problems, contracts }: RunOfTests): string {
  const shown = fresh ?? failing;
  const parts = [`## ${headline(ran, failing.length, fresh?.length ?? null, base)}`];
  parts.push(...explained.map(sectionOf));
  const left = shown.slice(explained.length);
  if (left.length > 0)
    parts.push(`Not explained here:\n\n${left.map((test) => `- ${escaped(nameOf(test))}`).join("\n")}`);
  const old = fresh === null ? [] : failing.filter((test) => !fresh.includes(test));
  if (old.length > 0)
    parts.push(
      `<details><summary>${counted(old.length, "test")} ${old.length === 1 ? "fails" : "fail"} in ${escaped(base ?? "")}, too</summary>\n\n${old
        .map((test) => `- ${escaped(nameOf(test))}`)
        .join("\n")}\n\n</details>`,
    );
  if (contracts !== null) parts.push(`### Contracts against ${escaped(base ?? "")}\n\n${fenced(contracts)}`);
  parts.push(...problems.map((problem) => `> ${escaped(problem)}`));
  return `${parts.join("\n\n")}\n`;
}

export function headline(ran: number, failing: number, fresh: number | null, base: string | null): string {
  if (failing === 0) return ran === 0 ? "Tracefold: no test ran" : `Tracefold: ${counted(ran, "test")} passed`;
  const all = `${failing} of ${counted(ran, "test")} ${failing === 1 ? "fails" : "fail"}`;
  if (fresh === null) return `Tracefold: ${all}`;
  return `Tracefold: ${all}, ${fresh === 0 ? "none" : fresh} of them new against ${base}`;
}

function sectionOf({ test, explanation, sources, page, problem }: TestWithExplanation): string {
  const title = `### ${escaped(nameOf(test))}`;
  if (explanation === null) return `${title}\n\nNot explained: ${escaped(problem ?? "")}`;
  const source = (path: string) => sources.get(path) ?? null;
  const screen = explainText(explanation, { paint: plain, source });
  const patch = patchOf(explanation, source);
  return [
    title,
    fenced(screen.trimEnd()),
    ...(patch === null
      ? []
      : [
          `With this change ${patch.effect}. That does not make it the right one.`,
          fenced(patch.diff.trimEnd(), "diff"),
        ]),
    ...(page === null ? [] : [`The whole run: \`${basename(page)}\` among the artefacts.`]),
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
  return text.replaceAll(/[\\`*_[\]<|]/g, "\\$&").replaceAll(/\s+/g, " ");
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
