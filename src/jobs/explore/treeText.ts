import type { TreeNode } from "../../analyses/explore/tree.ts";
import { printSource } from "../../logic/printSource.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** A node as it is written to a file. */
export type PrintedNode = {
  readonly id: number;
  readonly parent: number | null;
  readonly kind: TreeNode["kind"];
  readonly location: TreeNode["range"];
  readonly function: string;
  /** What its edge adds to the path condition. */
  readonly condition: readonly string[];
  readonly reason?: string;
};

export function printedNodes(symbols: Symbols, nodes: readonly TreeNode[]): readonly PrintedNode[] {
  const style = placeStyle(symbols);
  return nodes.map(({ id, parent, kind, range, function: fn, condition, reason }) => ({
    id,
    parent,
    kind,
    location: range,
    function: fn,
    condition: condition.map((formula) => printSource(formula, style)),
    ...(reason === undefined ? {} : { reason }),
  }));
}

const shapes: Partial<Record<TreeNode["kind"], string>> = {
  cycle: "shape=hexagon",
  error: "shape=box, color=red",
  exit: "shape=box",
  failed: "shape=box, style=dashed",
  dropped: "shape=point",
};

/** The tree as Graphviz reads it. */
export function treeAsGraphviz(nodes: readonly PrintedNode[]): string {
  const lines = nodes.flatMap(({ id, parent, kind, location, condition, reason }) => {
    const label = quoted(
      kind === "root"
        ? "start"
        : `${kind === "branch" ? "" : `${kind} `}${location.line}${reason ? `: ${reason}` : ""}`,
    );
    const node = `  n${id} [label=${label}${shapes[kind] === undefined ? "" : `, ${shapes[kind]}`}];`;
    return parent === null ? [node] : [node, `  n${parent} -> n${id} [label=${quoted(condition.join(" && "))}];`];
  });
  return ["digraph exploration {", ...lines, "}", ""].join("\n");
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
