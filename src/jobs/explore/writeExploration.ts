import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { writeAllWhole, writeWhole } from "../../base/files.ts";
import type { Program } from "../../ir/program.ts";
import { testInputs } from "./describeExploration.ts";
import type { ExploredProgram } from "./exploreProgram.ts";
import { ktestFiles, testCompFiles } from "./testFiles.ts";
import { printedNodes, treeAsGraphviz } from "./treeText.ts";

/** JSON where the name ends so, else Graphviz. */
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
