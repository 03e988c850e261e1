import { type DependenceGraph, dependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { printOperation } from "../../ir/printOperation.ts";
import type { Stage } from "../stage.ts";

/** Who wrote what each step reads, and what had it executed. */
export const dependences: Stage<{ readonly trace: Trace }, { readonly graph: DependenceGraph }> = {
  name: "dependences",
  make: ({ trace }) => ({ graph: dependenceGraph(trace) }),
  problems({ graph }) {
    const problems: string[] = [];
    for (let step = graph.first; step < graph.end; step++) {
      graph.visitDependences(step, 0, (source) => {
        if (source >= step) problems.push(`step ${step} depends on step ${source}, which comes later`);
      });
    }
    return problems;
  },
  print({ trace, graph }) {
    const lines: string[] = [];
    for (let step = Math.max(graph.first, graph.end - mostSteps); step < graph.end; step++) {
      const edge = graph.edge(step);
      const sources = graph.dependences({ step, part: 0 }).map((each) => `${each.step + 1} ${each.kind}`);
      const text = printOperation(trace.program, edge.operation);
      const from = sources.length === 0 ? "" : `  <- ${[...new Set(sources)].join(", ")}`;
      lines.push(`${step + 1}: ${graph.function(step).name}:${edge.range.line}: ${text}${from}`);
    }
    return `${lines.join("\n")}\n`;
  },
};

/** Of longer runs the last steps are printed. */
const mostSteps = 20_000;
