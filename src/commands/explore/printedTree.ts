import type { NodeKind, TreeNode } from "../../analyses/explore/tree.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { printSource } from "../../logic/printSource.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { type JsonNumber, jsonNumber } from "../common/result.ts";

/** A node of the tree of paths. */
export type PrintedNode = {
  readonly id: number;
  readonly parent: number | null;
  readonly kind: NodeKind;
  readonly location: SourceRange;
  readonly function: string;
  /** The conditions that its edge adds to the path condition. */
  readonly condition: readonly string[];
  readonly reason?: string;
  /** For a leaf: the inputs of a run that ends there. */
  readonly inputs?: readonly JsonNumber[];
};

export function printedNodes(symbols: Symbols, nodes: readonly TreeNode[]): readonly PrintedNode[] {
  const style = placeStyle(symbols);
  return nodes.map(({ id, parent, kind, range, function: fn, condition, reason, inputs }) => ({
    id,
    parent,
    kind,
    location: range,
    function: fn,
    condition: condition.map((formula) => printSource(formula, style)),
    ...(reason === undefined ? {} : { reason }),
    ...(inputs === undefined ? {} : { inputs: inputs.map(jsonNumber) }),
  }));
}
