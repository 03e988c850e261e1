import { expect, test } from "vitest";
import { summary } from "../../bench/changes/compareDisguised.ts";
import { disguise } from "../../bench/changes/disguise.ts";
import { runExperiments } from "../../src/analyses/counterfactual/experiments.ts";
import { budgetOf } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { changesOf } from "../../src/languages/loadProject.ts";
import { faultyPrograms } from "../analyses/counterfactual/programs.ts";

async function suspectsIn(text: string) {
  const options = { preprocess: "builtin", keeps: (fn: string) => fn.startsWith("test_") } as const;
  const program = await loadCText("program.c", text, options);
  const graph = dependenceGraph(recordTrace(program, { maxSteps: 20_000 }));
  return runExperiments(graph, { changes: changesOf(program), budget: budgetOf(20_000_000) }).suspects.slice(0, 5);
}

test.each(faultyPrograms.slice(0, 5))(
  "the answer for $name does not depend on names, blank lines and the order of functions",
  async ({ text }) => {
    const disguised = disguise("program.c", text);
    expect(disguised.text).not.toBe(text);
    const answer = (await suspectsIn(text)).map((suspect) =>
      summary(
        suspect,
        (line) => line,
        (part) => part,
      ),
    );
    const other = (await suspectsIn(disguised.text)).map((suspect) =>
      summary(suspect, disguised.originalLine, disguised.originalNames),
    );
    expect(other).toEqual(answer);
  },
);
