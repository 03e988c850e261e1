import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
import type { Operand } from "./root.ts";
import type { Telling } from "./telling.ts";

type EndlessLoop = Extract<FailureRoot, { readonly kind: "loop" }>;

/** Rounds that have to be the same before we say that something does not change. */
const leastRounds = 3;
/** So many steps back from the end are looked at. */
const mostSteps = 20_000;

/** `does not end: the loop at line 11 is in round 389; lo and hi do not change any more`. */
export function describeEndless(telling: Telling, loop: EndlessLoop, operands: readonly Operand[]): string {
  const { graph, wording } = telling;
  const line = graph.edge(loop.deciding[0] ?? loop.step).range.line;
  const rounds = loop.rounds.toLocaleString("en-US");
  const stuck = operands.filter((operand) => isStuck(graph, operand));
  const names = [...new Set(stuck.map(({ step, expression }) => wording.text(step, expression)))];
  const head = `does not end: the loop at line ${line} is in round ${rounds}`;
  if (names.length === 0) return head;
  const last = names.at(-1)!;
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
  return `${head}; ${list} ${names.length === 1 ? "does" : "do"} not change any more`;
}

/** Had it the same value whenever the test was made before, as far back as we look? */
function isStuck(graph: DependenceGraph, { step, expression }: Operand): boolean {
  const { from } = graph.edge(step);
  const activation = graph.activation(step);
  const value = graph.valueOf(step, expression);
  let rounds = 0;
  for (let at = step - 1; at >= Math.max(graph.first, step - mostSteps); at--) {
    if (graph.edge(at).from !== from || graph.activation(at) !== activation) continue;
    if (graph.valueOf(at, expression) !== value) break;
    if (++rounds >= leastRounds) return true;
  }
  return false;
}
