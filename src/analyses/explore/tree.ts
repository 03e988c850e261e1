import type { SourceRange } from "../../base/sourceRange.ts";
import type { Term } from "../../logic/term.ts";

/** A symbolic execution tree (004 §2). Only nodes where something is decided are kept: the way between them is one edge. */
export type ExplorationTree = {
  readonly nodes: readonly TreeNode[];
  /** How many there are, kept or not. */
  readonly size: number;
  readonly leaves: number;
  readonly failedLeaves: number;
};

export type TreeNode = {
  readonly id: number;
  /** null at the root. */
  readonly parent: number | null;
  readonly kind: NodeKind;
  readonly range: SourceRange;
  readonly function: string;
  /** What the edge from its parent adds to the path condition. */
  readonly condition: readonly Term[];
  /** Of a failed leaf: why it is one. */
  readonly reason?: string;
};

/**
 * - `root`, `branch`: where a run may go on in several ways.
 * - `cycle`: a template stands for any number of rounds before it.
 * - `exit`, `error`, `assumption`, `undefined`: a run ends there.
 * - `failed`: it could not be decided whether runs come here, or how they go on.
 * - `dropped`: no target can be reached from there.
 */
export type NodeKind =
  | "root"
  | "branch"
  | "cycle"
  | "exit"
  | "error"
  | "assumption"
  | "undefined"
  | "failed"
  | "dropped";

const leafKinds: readonly NodeKind[] = ["exit", "error", "failed", "dropped"];

export type TreeBuilder = {
  add(node: Omit<TreeNode, "id">): number;
  readonly tree: ExplorationTree;
};

/** `keep`: how many nodes are kept; beyond that they are only counted. */
export function treeBuilder(keep: number): TreeBuilder {
  const nodes: TreeNode[] = [];
  let size = 0;
  let leaves = 0;
  let failedLeaves = 0;
  return {
    add(node) {
      const id = size++;
      if (leafKinds.includes(node.kind)) leaves++;
      if (node.kind === "failed") failedLeaves++;
      if (nodes.length < keep) nodes.push({ ...node, id });
      return id;
    },
    get tree() {
      return { nodes, size, leaves, failedLeaves };
    },
  };
}
