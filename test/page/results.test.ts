import { describe, expect, it } from "vitest";
import { notesOf } from "../../page/src/lineNotes.ts";
import { causesOf } from "../../page/src/report.ts";
import { contractsOf } from "../../page/src/results/contracts.ts";
import { explorationText, inputsText, nodeText, type Way, waysOf } from "../../page/src/results/exploration.ts";
import { foldedRows, lengthText, roundsText } from "../../page/src/results/foldedRun.ts";
import { assumptionsOf, loopsOf, otherObligations, verdictText } from "../../page/src/results/verification.ts";
import type { PrintedNode } from "../../src/commands/explore/printedTree.ts";
import type { ExploreReport } from "../../src/commands/explore/result.ts";
import type { InferReport, ReportedFunction } from "../../src/commands/infer/result.ts";
import type { VerifyReport } from "../../src/commands/verify/result.ts";
import type { PageData } from "../../src/render/page/pageData.ts";
import {
  compressReports,
  countersCompressed,
  countersUnfolded,
  nestedCompressed,
} from "../support/reports/compressReports.ts";
import { asCompressed } from "../support/reports/flatReport.ts";

const place = (line: number, column = 1) => ({ file: "a.c", line, column, endLine: line, endColumn: column + 1 });
const dataOf = (report: unknown): PageData => ({
  version: 1,
  report: report as PageData["report"],
  files: [],
  recording: null,
});
const formula = (text: string, more: object = {}) => ({
  text,
  tight: true,
  term: text,
  c: text,
  variables: [],
  ...more,
});

describe("a verdict", () => {
  const loop = (line: number, ...texts: string[]) => ({
    location: place(line),
    function: "main",
    calls: [],
    conjuncts: texts.map((text) => formula(text)),
  });
  const proved = (kind: "keeps" | "target", line: number | null) => ({
    kind,
    text: `${kind} ${line}`,
    location: line === null ? null : place(line),
  });
  const report = {
    command: "verify",
    verdict: "safe",
    engine: "houdini",
    property: "assert",
    outcome: null,
    invariants: [loop(3, "x >= 0"), loop(9), loop(3, "x >= 0", "y == 1")],
    certificate: {
      obligations: [proved("keeps", 3), proved("target", null), proved("target", 3), proved("keeps", 50)],
    },
    assumptions: [
      { behaviour: "signed overflow", location: place(4) },
      { behaviour: "signed overflow", location: place(5) },
    ],
  } as unknown as VerifyReport;

  it("is one sentence, with its condition", () => {
    expect(verdictText(report)).toBe(
      "safe: no assertion fails and no error is reached in any run, on a condition (houdini)",
    );
    expect(verdictText({ ...report, verdict: "unknown" })).toMatch(/^unknown whether no assertion fails/);
    const outcome = { kind: "assertion", message: "assertion failed: x", location: null } as const;
    expect(verdictText({ ...report, verdict: "unsafe", outcome })).toBe("unsafe: assertion failed: x");
  });

  it("has every obligation in one place: at its loop, or besides", () => {
    const atLoops = loopsOf(report).map(({ obligations }) => obligations.map(({ text }) => text));
    expect(atLoops).toEqual([["keeps 3", "target 3"], [], []]);
    const others = otherObligations(report).map(({ text }) => text);
    expect(others).toEqual(["target null", "keeps 50"]);
    expect([...atLoops.flat(), ...others].length).toBe(report.certificate?.obligations.length);
  });

  it("names what it assumes once, with its places", () => {
    expect(assumptionsOf(report).map(({ text, places }) => [text, places.map(({ line }) => line)])).toEqual([
      ["no signed overflow", [4, 5]],
    ]);
  });

  it("has its invariants at the lines of the source, each once", () => {
    expect(notesOf(dataOf(report)).get("a.c:3")).toEqual(["always here: x >= 0", "always here: x >= 0, y == 1"]);
    expect(notesOf(dataOf({ ...report, invariants: [loop(3, "x"), loop(3, "x")] })).get("a.c:3")).toEqual([
      "always here: x",
    ]);
  });
});

describe("the graph of a report", () => {
  it("leads from an event to its causes, and never from a cause to its effects", () => {
    const nodes = [0, 1, 2].map((id) => ({ id }));
    const edges = [
      { from: 0, to: 1, kind: "data" },
      { from: 2, to: 1, kind: "control" },
      { from: 1, to: null, kind: "data" },
    ];
    const graph = { nodes, edges } as unknown as Parameters<typeof causesOf>[0];
    expect(causesOf(graph, 1).map(({ kind, node }) => [kind, node.id])).toEqual([
      ["data", 0],
      ["control", 2],
    ]);
    expect(causesOf(graph, 0)).toEqual([]);
  });
});

describe("a tree of paths", () => {
  const node = (id: number, parent: number | null, kind: PrintedNode["kind"] = "branch"): PrintedNode => ({
    id,
    parent,
    kind,
    location: place(id + 1),
    function: "main",
    condition: [],
  });
  const shape = ({ nodes, next }: Way): unknown => [nodes.map(({ id }) => id), ...next.map(shape)];

  it("has chains in one way, and forks below", () => {
    const list = [node(0, null, "root"), node(1, 0), node(2, 1), node(3, 1), node(4, 3, "cycle"), node(5, 4, "exit")];
    expect(waysOf(list).map(shape)).toEqual([[[0, 1], [[2]], [[3, 4, 5]]]]);
  });

  it("has every node once, however deep it is", () => {
    const deep = Array.from({ length: 3000 }, (_, i) => node(i, i === 0 ? null : i - 1));
    expect(waysOf(deep)[0]?.nodes.length).toBe(3000);
    const comb = Array.from({ length: 2000 }, (_, i) => node(i, i === 0 ? null : i % 2 === 0 ? i - 2 : i - 1));
    const count = (ways: readonly Way[]): number =>
      ways.reduce((sum, { nodes, next }) => sum + nodes.length + count(next), 0);
    expect(count(waysOf(comb))).toBe(2000);
    expect(waysOf([])).toEqual([]);
  });

  it("says what happens at a leaf, and with which inputs", () => {
    expect(nodeText({ ...node(1, 0, "failed"), reason: "the solver gave up" })).toBe("not decided: the solver gave up");
    expect(inputsText([])).toBe("none");
    expect(inputsText(Array.from({ length: 31 }, (_, i) => i))).toMatch(/29, … \(31\)$/);
  });

  it("does not call a search safe that left targets open", () => {
    const targets = [{ status: "unknown" }, { status: "unreachable" }];
    const report = { failures: [], targets, complete: false } as unknown as ExploreReport;
    expect(explorationText(report)).toBe("no failure was found; 1 of 2 targets are open");
    expect(explorationText({ ...report, targets: [], complete: true })).toMatch(/all paths were followed/);
    expect(explorationText({ ...report, failures: [{} as ExploreReport["failures"][number]] })).toBe(
      "1 failure was found",
    );
  });
});

describe("contracts", () => {
  const fn = (name: string, line: number, more: Partial<ReportedFunction> = {}): ReportedFunction => ({
    ...{ name, file: "a.c", line, kind: "function", className: null, static: false, async: false, exported: null },
    ...{ params: [{ name: "n", seen: "int n" }], isPositional: true, returns: "int", pre: [], post: [], cases: [] },
    ...{ ordered: false, pure: false, modifies: [], throws: [], calls: [], paths: 1, withheld: 0, rounds: false },
    evidence: { calls: 2, replayed: 2, tests: 1, examples: ["f(1) is 2"] },
    ...more,
  });
  const report = {
    command: "infer",
    language: "c",
    functions: [
      fn("late", 20, { pure: true }),
      fn("early", 3, {
        pre: [
          { condition: "n > 0", origin: "needed" },
          { condition: "n < 9", origin: "observed" },
        ],
        post: ["result == n + 1"],
      }),
    ],
  } as unknown as InferReport;

  it("are in the order of the source, with calls and examples", () => {
    const [early, late] = contractsOf(report);
    expect(early?.signature).toBe("int early(int n)");
    expect(early?.lines.map(({ word, text, isObserved }) => [word, text, isObserved])).toEqual([
      ["requires", "n > 0", false],
      ["requires", "n < 9", true],
      ["ensures", "result == n + 1", false],
    ]);
    expect(early?.evidence).toBe("2 calls, 1 path, 1 run");
    expect(late?.examples).toEqual(["f(1) is 2"]);
  });

  it("stand above their functions, long ones cut", () => {
    expect(notesOf(dataOf(report)).get("a.c:20")).toEqual(["pure"]);
    const long = fn("long", 7, { post: Array.from({ length: 9 }, (_, i) => `result != ${i}`) });
    const notes = notesOf(dataOf({ ...report, functions: [long] })).get("a.c:7");
    expect(notes?.length).toBe(6);
    expect(notes?.at(-1)).toBe("… 4 more");
  });
});

describe("a folded run", () => {
  it.each(compressReports)("%s: has all steps, loops as one", (_, flat) => {
    const report = asCompressed(flat);
    const rows = foldedRows(report);
    expect(rows.length).toBe(report.folding?.steps.length);
    expect(rows.filter(({ always }) => always !== null).length).toBe(
      report.folding?.steps.filter(({ kind }) => kind === "loop").length,
    );
    expect(rows.reduce((sum, { left }) => sum + left, 0)).toBe(0);
  });

  it("says how long it was and is", () => {
    expect(lengthText(asCompressed(countersCompressed))).toBe("306 steps became 7");
    const { loops } = asCompressed(nestedCompressed);
    expect(loops.map(roundsText)).toEqual([
      "9 rounds as one, after 1 unrolled",
      "10 rounds as one",
      "10 rounds as one",
    ]);
    expect(asCompressed(countersUnfolded).loops.map(roundsText)).toEqual(["100 rounds, not folded"]);
  });

  it("says where steps are left out of a long list", () => {
    const whole = asCompressed(countersUnfolded);
    if (whole.folding === null) throw new Error("no folding");
    const steps = [...whole.folding.steps.slice(0, 20), ...whole.folding.steps.slice(-20)];
    const rows = foldedRows({ folding: { ...whole.folding, steps } });
    expect(rows[20]?.left).toBe(whole.folding.length - 40);
  });

  it("has the invariants of inner loops at their lines", () => {
    const notes = notesOf(dataOf(asCompressed(nestedCompressed)));
    expect([...notes.keys()].map((key) => key.split(":")[1])).toEqual(["8", "11", "21"]);
  });
});
