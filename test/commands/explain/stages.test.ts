import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Defect } from "../../../src/base/errors.ts";
import { loadC } from "../../../src/c/cFrontEnd.ts";
import { explainTrace } from "../../../src/commands/explain/pipeline.ts";
import { withLogic } from "../../../src/commands/explain/proveExplanation.ts";
import { explanation } from "../../../src/commands/explain/stages/explanation.ts";
import { facts, folds } from "../../../src/commands/explain/stages/folding.ts";
import { inputs, proof } from "../../../src/commands/explain/stages/proof.ts";
import { dependences } from "../../../src/commands/explain/stages/recording.ts";
import { reproducer } from "../../../src/commands/explain/stages/smallestRun.ts";
import { type Stage, type StageName, stageNames, stagesWatchedBy } from "../../../src/commands/explain/stages/stage.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import { root } from "../../support/builtCli.ts";

const about = () => ({ version: "", ms: 0, replay: () => "" });
let trace: Trace;

beforeAll(async () => {
  const program = await loadC(join(root, "examples/explain/off-by-one.c"));
  trace = recordTrace(program, { inputs: [5n] });
});

describe("the stages of an explanation", () => {
  it("are dumped in order, each with something to read, and what they make passes its checks", () => {
    const dumped: [StageName, string][] = [];
    explainTrace(trace, { validate: true, dump: (stage, text) => dumped.push([stage, text()]) }, about);
    expect(dumped.map(([stage]) => stage)).toEqual([...stageNames]);
    for (const [, text] of dumped) expect(text).toMatch(/\S\n$/);
    expect(new Map(dumped).get("folds")).toContain("i <= rounds");
    expect(new Map(dumped).get("facts")).toContain("rounds == 0");
  });

  it("reports a defect for a wrong stage, but only with --check", () => {
    const wrong: Stage<object, { x: number }> = {
      name: "folds",
      make: () => ({ x: 1 }),
      problems: ({ x }) => [`x is ${x}`],
      print: () => "",
    };
    expect(() => stagesWatchedBy({ check: true })(wrong, {})).toThrow(new Defect("folds: x is 1"));
    expect(stagesWatchedBy({ check: false })(wrong, { y: 2 })).toEqual({ x: 1, y: 2 });
  });
});

describe("checks of stages", () => {
  const stage = stagesWatchedBy({ check: true });

  it("find a dependence on a later step", () => {
    const made = stage(dependences, { trace });
    const late = {
      ...made.graph,
      visitDependences: (step: number, _: number, visit: (source: number, part: number, kind: "data") => void) =>
        visit(step + 1, 0, "data"),
    };
    expect(dependences.problems({ ...made, graph: late })[0]).toContain("comes later");
  });

  it("find false folds, facts, inputs, proofs and reproducers", () => {
    withLogic(trace, { checkers: ["z3"] }, (work) => {
      const folded = stage(folds, work);
      const { terms } = work.symbols;
      const no = terms.bool(false);
      const broken = folded.folds.map((fold) => ({ ...fold, invariant: [...fold.invariant, no] }));
      expect(folds.problems({ ...folded, folds: broken })[0]).toContain("false is false at step");
      expect(folds.problems({ ...folded, folds: [...folded.folds, ...folded.folds] })[0]).toContain(
        "begins in another",
      );

      const abstracted = stage(facts, folded);
      const { abstraction } = abstracted;
      const wrong = abstraction!.stretches.map((each) => ({ ...each, fact: [no] }));
      const withFacts = (stretches: typeof wrong) =>
        facts.problems({ ...abstracted, abstraction: { ...abstraction!, stretches } });
      expect(withFacts(wrong).some((problem) => problem.includes("is false before step"))).toBe(true);
      expect(withFacts(wrong.slice(1)).some((problem) => problem.includes("does not begin at 0"))).toBe(true);

      const conditioned = stage(inputs, abstracted);
      const { condition } = conditioned;
      expect(condition.kind).toBe("claimed");
      const refuted = { ...condition, formulas: [terms.le(condition.inputs[0]!, terms.int(0n))] };
      expect(inputs.problems({ ...conditioned, condition: refuted })[0]).toContain("own inputs do not satisfy");

      const proved = stage(proof, conditioned);
      expect(proved.proof.checked).toBe(true);
      const fewer = { ...proved.proof, verdicts: proved.proof.verdicts.slice(1) };
      expect(proof.problems({ ...proved, proof: fewer })[0]).toContain("counts as checked");

      const shrunk = stage(reproducer, { ...proved, explainOther: () => null });
      expect(shrunk.reproducer).toMatchObject({ confirmed: true });
      const other = { ...shrunk.reproducer!, confirmed: false };
      expect(reproducer.problems({ ...shrunk, reproducer: other })[0]).toContain("does not fail like this");
    });
  });

  it("explanation: nodes of no line, and ways to no node", () => {
    const made = explainTrace(trace, { checkers: ["z3"], shrink: false }, about);
    if (made.kind !== "explained") throw new Error("not explained");
    const told = made;
    const nodes = told.graph.nodes.map((node) => ({
      ...node,
      location: { ...node.location, line: 999 },
      next: { node: 77, edge: "data" as const },
    }));
    const given = { trace, explanation: { ...told, graph: { ...told.graph, nodes } } };
    const problems = explanation.problems(given as unknown as Parameters<typeof explanation.problems>[0]);
    expect(problems).toEqual(
      expect.arrayContaining([expect.stringContaining("is at no line"), expect.stringContaining("leads to no node")]),
    );
  });
});
