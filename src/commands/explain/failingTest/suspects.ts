import { nth } from "../../../base/checked.ts";
import { lineOf, rangeBetweenOffsets, type SourceFile } from "../../../base/sourceFile.ts";
import { isWithin } from "../../../base/sourceRange.ts";
import { describeTextChange } from "../../../changes/change.ts";
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
  const passing = passingSuspects(judgement, graph, sources);
  const share = passing.length === 0 ? 1 : reasonsShare;
  const known = new Set(passing.map(({ location: { file, line } }) => `${file}:${line}`));
  const reasons = graph.nodes
    .toSorted((a, b) => nth(a.near, 0) - nth(b.near, 0))
    .filter(({ location: { file, line }, handsOn }) => {
      const key = `${file}:${line}`;
      if (handsOn || isTest(file) || known.has(key)) return false;
      known.add(key);
      return true;
    })
    .slice(0, mostSuspects - passing.length);
  const total = reasons.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
  return [
    ...passing.map((each) => ({ ...each, weight: each.weight * (reasons.length === 0 ? 1 : 1 - share) })),
    ...reasons.map((node, i) => reasonSuspect(node, graph, share / (i + 1) / total, passing.length + i)),
  ];
}

/** The weight of all lines without a passing change, if others have one. */
const reasonsShare = 0.1;

/** A statement that the failure depends on; no change of it lets the test pass. */
function reasonSuspect(node: WhyNode, { nodes }: WhyGraph, weight: number, rank: number): Suspect {
  return {
    location: node.location,
    function: node.function,
    text: node.text,
    statement: node.text,
    weight,
    certainty: "none",
    node: node.id,
    operand: 0,
    way: rank >= 5 ? null : wayOf(nodes, node),
    whatIfs: [],
    changes: [],
  };
}

function passingSuspects(
  { lines }: JsJudgement,
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
  const passes = ({ changes }: JsJudgement["lines"][number]) =>
    changes.some(({ isConfirmed, broken }) => isConfirmed && broken.length === 0);
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
