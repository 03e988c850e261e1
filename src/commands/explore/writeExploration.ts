import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TreeNode } from "../../analyses/explore/tree.ts";
import { TracefoldError } from "../../base/errors.ts";
import { writeAllWhole, writeWhole } from "../../base/files.ts";
import { ktestFiles, testCompFiles } from "../../interop/testFiles.ts";
import type { Program } from "../../ir/program.ts";
import type { ExploredProgram } from "./pipeline.ts";
import { type PrintedNode, printedNodes } from "./printedTree.ts";
import { testInputs } from "./result.ts";

/** Writes JSON if the name ends in `.json`, otherwise Graphviz. */
export function writeTree(path: string, { symbols, tree }: Pick<ExploredProgram, "symbols" | "tree">): void {
  const nodes = printedNodes(symbols, tree.nodes);
  const { size, leaves, failedLeaves } = tree;
  const text = path.endsWith(".json")
    ? `${JSON.stringify({ nodes: size, leaves, failedLeaves, tree: nodes }, null, 2)}\n`
    : treeAsGraphviz(nodes);
  writing("--tree", path, () => writeWhole(path, text));
}

export function writeTests(
  wanted: { readonly folder: string; readonly format: "xml" | "ktest" },
  program: Program,
  explored: ExploredProgram,
  version: string,
): void {
  const inputs = testInputs(explored);
  const files = wanted.format === "xml" ? testCompFiles(program, inputs, version) : ktestFiles(program, inputs, {});
  writing("--tests", wanted.folder, () => {
    mkdirSync(wanted.folder, { recursive: true });
    writeAllWhole(files.map(({ name, content }) => [join(wanted.folder, name), content] as const));
  });
}

function writing(option: string, path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({
      code: "TF133",
      message: `${option}: cannot write to ${path} (${code})`,
      help: "Give a place that may be written to.",
    });
  }
}

const shapes: Partial<Record<TreeNode["kind"], string>> = {
  cycle: "shape=hexagon",
  error: "shape=box, color=red",
  exit: "shape=box",
  failed: "shape=box, style=dashed",
  dropped: "shape=point",
};

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
