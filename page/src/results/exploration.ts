import type { PrintedNode } from "../../../src/commands/explore/printedTree.ts";
import type { ExploreReport } from "../../../src/commands/explore/result.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";

export function exploreReportOf({ report }: PageData): ExploreReport | null {
  return report.command === "explore" ? (report as unknown as ExploreReport) : null;
}

export function explorationText({ failures, targets, complete }: ExploreReport): string {
  const open = targets.filter(({ status }) => status === "unknown").length;
  const reached = targets.filter(({ status }) => status === "reached").length;
  if (failures.length > 0)
    return failures.length === 1 ? "1 failure was found" : `${failures.length} failures were found`;
  if (reached > 0) return `${reached} of ${targets.length} targets were reached`;
  if (open > 0) return `no failure was found; ${open} of ${targets.length} targets are open`;
  return complete ? "no failure: all paths were followed to their ends" : "no failure: no target can be reached";
}

/** A way through the program without a fork, and the ways that go on from its end. */
export type Way = { readonly nodes: readonly PrintedNode[]; readonly next: readonly Way[] };

/** The tree with chains of single children in one way each, so that depth is the number of forks. */
export function waysOf(list: readonly PrintedNode[]): readonly Way[] {
  const children = new Map<number | null, PrintedNode[]>();
  for (const node of list) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  const way = (first: PrintedNode): Way => {
    const nodes = [first];
    let below = children.get(first.id) ?? [];
    while (below.length === 1 && below[0] !== undefined) {
      nodes.push(below[0]);
      below = children.get(below[0].id) ?? [];
    }
    return { nodes, next: below.map(way) };
  };
  return (children.get(null) ?? []).map(way);
}

/** What happens at a node. */
export function nodeText({ kind, reason }: PrintedNode): string {
  return reason === undefined ? nodeWords[kind] : `${nodeWords[kind]}: ${reason}`;
}

const nodeWords: Readonly<Record<PrintedNode["kind"], string>> = {
  root: "start",
  branch: "branch",
  cycle: "any number of rounds, as one step",
  exit: "ends",
  error: "fails",
  assumption: "an assumption does not hold",
  undefined: "undefined behaviour",
  failed: "not decided",
  dropped: "leads to no target",
};

export function inputsText(inputs: readonly (number | string)[]): string {
  if (inputs.length === 0) return "none";
  const shown = inputs.slice(0, mostInputs).join(", ");
  return inputs.length > mostInputs ? `${shown}, … (${inputs.length})` : shown;
}

const mostInputs = 30;
