import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { findSites } from "../recorder/findSites.ts";
import type { FunctionSites, SiteTable } from "../recorder/site.ts";
import { type Node, parseSource, type SourceKind } from "../recorder/syntax.ts";

/** A file of a recording: its text, its tree, and which nodes are in the log. */
export type RecordedFile = {
  readonly number: number;
  /** As messages and reports name it. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  readonly table: SiteTable;
  /** By the number of their `enter` site. */
  readonly functions: ReadonlyMap<number, RecordedFunction>;
  rangeOf(node: Pick<Node, "start" | "end">): SourceRange;
};

export type RecordedFunction = {
  readonly file: RecordedFile;
  readonly sites: FunctionSites;
  readonly node: Node;
};

export function readRecordedFile(path: string, text: string, kind: SourceKind, number: number): RecordedFile | null {
  const parsed = parseSource(path, text, kind);
  if (parsed.kind === "refused") return null;
  const table = findSites(parsed);
  const source = { path, text };
  const functions = new Map<number, RecordedFunction>();
  const file: RecordedFile = {
    number,
    path,
    text,
    program: parsed.program,
    table,
    functions,
    rangeOf: ({ start, end }) => rangeBetweenOffsets(source, start, end),
  };
  for (const [node, sites] of table.functions) {
    if (sites.enter !== null) functions.set(sites.enter.index, { file, sites, node });
  }
  return file;
}
