import { nth } from "../../../base/checked.ts";
import { lineOf, rangeBetweenOffsets, type SourceFile } from "../../../base/sourceFile.ts";
import { isWithin } from "../../../base/sourceRange.ts";
import { describeTextChange } from "../../../changes/change.ts";
import { leastRepairs } from "../../../js/changes/confirmChanges.ts";
import type { JsJudgement, PassingJsChange } from "../../../js/changes/judgement.ts";
import type { Suspect, TextChange, WhatIf, WhyGraph, WhyNode } from "../result.ts";

const mostSuspects = 24;
const mostWay = 4;

/**
 * The lines whose changes let the test pass, likeliest first, then those that the failure depends on. Only changes that
 * were run on the changed source are shown as passing.
 */
export function suspectsOf(
  judgement: JsJudgement,
  graph: WhyGraph,
  sources: ReadonlyMap<string, SourceFile>,
  isTest: (file: string) => boolean,
): readonly Suspect[] {
  const strong = passingSuspects(judgement.lines.filter(isStrong), graph, sources);
  const weak = passingSuspects(
    judgement.lines.filter((line) => !isStrong(line)),
    graph,
    sources,
  );
  const known = new Set(strong.map(({ location: { file, line } }) => `${file}:${line}`));
  const isNew = (file: string, line: number) => !known.has(`${file}:${line}`) && known.add(`${file}:${line}`);
  const near = (node: WhyNode) => nth(node.near, 0);
  const hints = weak.map((suspect) => {
    known.add(`${suspect.location.file}:${suspect.location.line}`);
    const node = suspect.node === null ? null : nth(graph.nodes, suspect.node);
    const nearest = Math.min(...graph.nodes.flatMap((each) => (each.line === node?.line ? each.near : [])));
    return { node, suspect, order: nearest / hintWeight };
  });
  const reasons = graph.nodes
    .toSorted((a, b) => near(a) - near(b))
    .filter(({ location: { file, line }, handsOn }) => !handsOn && !isTest(file) && isNew(file, line))
    .map((node) => ({ node, suspect: reasonSuspect(node), order: near(node) }));
  const rest = [...reasons, ...hints].sort((a, b) => a.order - b.order).slice(0, mostSuspects - strong.length);
  const share = strong.length === 0 ? 1 : restShare;
  const all = strong.reduce((sum, { weight }) => sum + weight, 0);
  const total = rest.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
  return [
    ...strong.map((each) => ({ ...each, weight: (each.weight / all) * (rest.length === 0 ? 1 : 1 - share) })),
    ...rest.map(({ node, suspect }, i) => ({
      ...suspect,
      weight: share / (i + 1) / total,
      way: node === null || strong.length + i >= 5 ? null : wayOf(graph.nodes, node),
    })),
  ];
}

/** A change there breaks nothing and repairs what fails. Any other is a hint only: the failure can be turned off there. */
function isStrong({ changes }: JsJudgement["lines"][number]): boolean {
  return changes.some(({ broken, repairs }) => broken.length === 0 && (repairs ?? 1) >= leastRepairs);
}

/** So much nearer to the failure than it is a line counts where a change lets the test pass, but breaks others. */
const hintWeight = 2;

/** The weight of all lines without a change that passes and breaks nothing, if others have one. */
const restShare = 0.1;

/** A statement that the failure depends on; no change of it lets the test pass. */
function reasonSuspect(node: WhyNode): Suspect {
  return {
    location: node.location,
    function: node.function,
    text: node.text,
    statement: node.text,
    weight: 0,
    certainty: "none",
    node: node.id,
    operand: 0,
    way: null,
    whatIfs: [],
    changes: [],
  };
}

function passingSuspects(
  lines: JsJudgement["lines"],
  graph: WhyGraph,
  sources: ReadonlyMap<string, SourceFile>,
): readonly Suspect[] {
  const shown = lines.slice(0, mostSuspects);
  const total = shown.reduce((sum, { score }) => sum + score, 0);
  return shown.flatMap(({ file, line, score, changes }, rank): readonly Suspect[] => {
    const source = sources.get(file);
    if (source === undefined) return [];
    const text = lineOf(source, line)?.trim() ?? "";
    const edit = changes[0]?.change.edits[0];
    const whole = { file: source.path, line, column: 1, endLine: line, endColumn: 1 + text.length };
    const edited = edit === undefined ? whole : rangeBetweenOffsets(source, edit.start, edit.end);
    // What is added between two lines counts for both.
    const location = edited.line === line ? edited : whole;
    const node = nodeAt(graph.nodes, source.path, line, location);
    return [
      {
        location,
        function: node?.function ?? "",
        text,
        statement: node?.text ?? text,
        weight: total === 0 ? 0 : score / total,
        certainty: certaintyOf(shown, rank),
        node: node?.id ?? null,
        operand: 0,
        way: node === null || rank >= 5 ? null : wayOf(graph.nodes, node),
        whatIfs: changes
          .filter(({ isConfirmed }) => isConfirmed)
          .slice(0, 1)
          .map((each) => whatIf(each, source)),
        changes: changes.map((each) => textChange(each, source)),
      },
    ];
  });
}

/** A first line that is this much likelier than the second is marked as sure. */
const sureRatio = 3;

function certaintyOf(lines: JsJudgement["lines"], rank: number): Suspect["certainty"] {
  const passes = (line: JsJudgement["lines"][number]) =>
    isStrong(line) && line.changes.some(({ isConfirmed, broken }) => isConfirmed && broken.length === 0);
  const [first, second] = lines;
  if (!passes(nth(lines, rank))) return "none";
  const isFar = first !== undefined && second !== undefined && first.score >= sureRatio * second.score;
  return rank === 0 && (isFar || lines.filter(passes).length === 1) ? "sure" : "possible";
}

/** The statement on a line: the shortest one, that with the change, its last execution. */
function nodeAt(nodes: readonly WhyNode[], path: string, line: number, change: WhyNode["location"]): WhyNode | null {
  const onLine = nodes.filter(({ location }) => isOn(location, path, line));
  const least = Math.min(...onLine.map(({ location }) => location.endLine - location.line));
  const shortest = onLine.filter(({ location }) => location.endLine - location.line === least);
  return shortest.findLast(({ location }) => isWithin(change, location)) ?? shortest.at(-1) ?? null;
}

function isOn({ file, line, endLine }: WhyNode["location"], path: string, wanted: number): boolean {
  return file === path && line <= wanted && wanted <= endLine;
}

/** The nodes from a suspect to the failure, without those that only pass on a value. */
function wayOf(nodes: readonly WhyNode[], from: WhyNode): readonly number[] {
  const way = [from.id];
  const seen = new Set(way);
  for (let at = from.next?.node ?? null; at !== null && !seen.has(at); at = nth(nodes, at).next?.node ?? null) {
    seen.add(at);
    if (!nth(nodes, at).handsOn) way.push(at);
    if (way.length > mostWay) break;
  }
  return way;
}

function whatIf({ change, asked, broken, stillFailing }: PassingJsChange, { text }: SourceFile): WhatIf {
  return {
    kind: "change",
    ...describeTextChange(text, change),
    level: "passes",
    passingRuns: { asked, broken: broken.length, stillFailing: stillFailing.length },
  };
}

function textChange(
  { change, asked, broken, stillFailing, isConfirmed }: PassingJsChange,
  source: SourceFile,
): TextChange {
  return {
    kind: change.kind,
    text: describeTextChange(source.text, change).text,
    edits: change.edits.map(({ start, end, text }) => ({ location: rangeBetweenOffsets(source, start, end), text })),
    level: "passes",
    avoids: false,
    tests: { asked, broken: [...broken], stillFailing: [...stillFailing] },
    confirmed: isConfirmed,
  };
}
