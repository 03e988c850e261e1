import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Term } from "../../logic/term.ts";

export type ExplorationTree = {
  readonly nodes: readonly TreeNode[];
  /** The number of nodes, kept or not. */
  readonly size: number;
  readonly leaves: number;
  readonly failedLeaves: number;
};

export type TreeNode = {
  readonly id: number;
  readonly parent: number | null;
  readonly kind: NodeKind;
  readonly range: SourceRange;
  readonly function: string;
  readonly condition: readonly Term[];
  /** For a failed leaf: the reason. */
  readonly reason?: string;
  /** For a leaf: the inputs of a run that ends there, if they are known. */
  readonly inputs?: readonly InputValue[];
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

/** `keep`: the number of kept nodes; the others are only counted. */
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
