import { expect, it } from "vitest";
import { sourceFile } from "../../../../src/base/sourceFile.ts";
import { suspectsOf } from "../../../../src/commands/explain/failingTest/suspects.ts";
import type { WhyGraph, WhyNode } from "../../../../src/commands/explain/result.ts";
import { type JsJudgement, notJudged } from "../../../../src/js/changes/judgement.ts";

const source = sourceFile("a.js", "a = 1;\nb = 2;\nc = 3;\nd = 4;\ne = 5;\n");

function nodeOf(id: number): WhyNode {
  const location = { file: "a.js", line: id + 1, column: 1, endLine: id + 1, endColumn: 7 };
  return {
    ...{
      id,
      kind: "write",
      steps: [id],
      depth: 0,
      function: "f",
      location,
      line: id,
      text: "x",
      values: [],
      tests: [],
    },
    ...{ visit: { number: 1, of: 1 }, acts: true, question: 0, near: [id], flowsInto: [], handsOn: false },
    ...{ calledBy: null, evidence: "observed" },
  } as unknown as WhyNode;
}

const graph = { nodes: [0, 1, 2, 3, 4].map(nodeOf), edges: [] } as unknown as WhyGraph;

function suspectLines(changes: Readonly<Record<number, { broken: readonly string[]; repairs: number | null }>>) {
  const lines: JsJudgement["lines"] = Object.entries(changes).map(([line, verdict]) => {
    const start = 7 * (Number(line) - 1);
    const change = {
      kind: "constantByOne",
      file: "a.js",
      edits: [{ start, end: start + 1, text: "x" }],
      lines: [],
      size: 1,
    } as const;
    const own = { change, asked: 5, stillFailing: [], isConfirmed: false, ...verdict } as const;
    return { file: "a.js", line: Number(line), score: 1, changes: [own] };
  });
  const suspects = suspectsOf({ ...notJudged, lines }, graph, new Map([["a.js", source]]), () => false);
  return suspects.map(({ location }) => location.line);
}

it("puts a line first whose change breaks nothing", () => {
  expect(suspectLines({ 5: { broken: [], repairs: null } })).toEqual([5, 1, 2, 3, 4]);
});

it("takes a change that breaks other tests, or repairs few of them, as a hint beside the nearest lines", () => {
  expect(suspectLines({ 5: { broken: ["b"], repairs: null } })).toEqual([1, 2, 3, 5, 4]);
  expect(suspectLines({ 5: { broken: [], repairs: 0.1 } })).toEqual([1, 2, 3, 5, 4]);
});
