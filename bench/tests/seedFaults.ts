import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { expandGlob } from "../../src/base/glob.ts";
import { rangeBetweenOffsets } from "../../src/base/sourceFile.ts";
import { applyEdits, type TextEdit } from "../../src/changes/change.ts";
import { mulberry32 } from "../../src/interpreter/inputs.ts";
import { children, type Node, parseSource } from "../../src/js/recorder/syntax.ts";
import { plainResults } from "./plainResults.ts";
import { copyProject, type TestCase } from "./testCase.ts";

/** A fault that could be put into a source. */
type Fault = {
  readonly kind: string;
  readonly file: string;
  readonly edit: TextEdit;
  readonly lines: readonly number[];
};

export type SeedOptions = {
  readonly project: string;
  readonly command: readonly string[];
  /** A pattern for the sources that get faults. */
  readonly sources: string;
  readonly count: number;
  readonly seed: number;
  /** Where the cases go. */
  readonly folder: string;
};

/** Tests that fail with a fault; more than these would be a program that does not work at all. */
const mostFailing = 0.5;

/** A fault with which the tests do not end in this time is left out. */
const mostMilliseconds = 60_000;

/** Writes cases: faults of different kinds, in random order, each of which lets a test fail that passes without it. */
export function seedFaults({ project, command, sources, count, seed, folder }: SeedOptions): void {
  const root = join(mkdtempSync(join(tmpdir(), "tracefold-seed-")), basename(project));
  try {
    copyProject(project, root);
    const before = plainResults(root, command);
    const passing = new Set(
      before.flatMap(({ file, name, state }) => (state === "passed" ? [`${file}\n${name}`] : [])),
    );
    const random = mulberry32(seed);
    const faults = expandGlob(sources, root)
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !/\.(test|spec|bench|d)\.\w+$/.test(path))
      .flatMap((path) => faultsOf(root, join(root, path)))
      .map((fault) => ({ fault, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ fault }) => fault);
    const seen = new Set<string>();
    for (const fault of faults) {
      if (seen.size >= count) break;
      if (seen.has(fault.kind)) continue;
      const path = join(root, fault.file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, applyEdits(text, [fault.edit]));
      const failed = plainResults(root, command, mostMilliseconds).filter(
        ({ file, name, state }) => state === "failed" && passing.has(`${file}\n${name}`),
      );
      writeFileSync(path, text);
      const [first] = failed;
      if (first === undefined || failed.length > mostFailing * passing.size) continue;
      seen.add(fault.kind);
      const found: Omit<TestCase, "name"> & { readonly kind: string } = {
        project: relative(folder, project),
        command,
        test: first.name,
        ...fault,
      };
      const name = `${basename(project)}-${seed}-${seen.size}`;
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(found, null, 1));
      console.log(`${name}: ${fault.kind}, ${fault.file}:${fault.lines.join(",")}, ${failed.length} tests fail`);
    }
  } finally {
    rmSync(join(root, ".."), { recursive: true, force: true });
  }
}

function faultsOf(root: string, path: string): readonly Fault[] {
  const text = readFileSync(path, "utf8");
  const parsed = (["module", "commonjs"] as const)
    .map((kind) => parseSource(path, text, kind))
    .find(({ kind }) => kind === "parsed");
  if (parsed?.kind !== "parsed") return [];
  const found: Fault[] = [];
  const lineOf = (offset: number) => rangeBetweenOffsets({ path, text }, offset, offset).line;
  const add: Add = (kind, { start, end }, now, beside = []) => {
    const lines = [start, ...beside].map(lineOf);
    found.push({ kind, file: relative(root, path), edit: { start, end, text: now }, lines: [...new Set(lines)] });
  };
  const visit = (node: Node): void => {
    if (/^TS(?!AsExpression|NonNull|Satisfies)|^(Import|ExportAll)/.test(node.type)) return;
    faultsAt(node, text, add);
    for (const child of children(node)) visit(child);
  };
  visit(parsed.program);
  return found;
}

const comparisons: Readonly<Record<string, string>> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "==": "!=", "!=": "==" },
};
const arithmetic: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&": "|" };

type Add = (kind: string, part: Pick<Node, "start" | "end">, now: string, beside?: readonly number[]) => void;

/** The faults whose place is a node. */
function faultsAt(node: Node, text: string, add: Add): void {
  const of = (each: Node) => text.slice(each.start, each.end);
  switch (node.type) {
    case "BinaryExpression": {
      const between = { start: node.left.end, end: node.right.start };
      const operator = text.slice(between.start, between.end);
      const other = comparisons[node.operator] ?? arithmetic[node.operator];
      const kind = node.operator in comparisons ? "comparison" : "arithmetic";
      if (other !== undefined && operator.trim() === node.operator)
        add(kind, between, operator.replace(node.operator, other));
      return;
    }
    case "LogicalExpression":
      add("operand left out", node, of(node.left));
      return;
    case "IfStatement":
      if (node.test !== null) add("negated condition", node.test, `!(${of(node.test)})`);
      return;
    case "Literal":
      if (node.raw !== null && /^\d+$/.test(node.raw)) add("constant", node, `${Number(node.raw) + 1}`);
      if (node.raw === "true" || node.raw === "false") add("boolean", node, node.raw === "true" ? "false" : "true");
      return;
    case "CallExpression": {
      const [first, second] = node.arguments;
      if (first === undefined || second === undefined) return;
      add("swapped arguments", { start: first.start, end: second.end }, `${of(second)}, ${of(first)}`);
      return;
    }
    case "ReturnStatement":
      if (node.argument !== null && /^(Identifier|MemberExpression|CallExpression)$/.test(node.argument.type))
        add("returned value", node.argument, "undefined");
      return;
    case "UpdateExpression":
      add(
        "update",
        node,
        of(node).replace(/\+\+|--/, (operator) => (operator === "++" ? "--" : "++")),
      );
      return;
    case "BlockStatement":
      for (const [i, each] of (node.body as readonly Node[]).entries()) {
        // Its line is empty then, so the statements beside it count, too.
        const [before, after] = [node.body[i - 1], node.body[i + 1]];
        const beside = [
          before === undefined ? [node.start] : [before.start, before.end - 1],
          after?.start ?? node.end - 1,
        ];
        if (each.type === "ExpressionStatement" && each.directive == null)
          add("deleted statement", each, ";", beside.flat());
        if (each.type === "IfStatement" && each.alternate === null) add("deleted branch", each, ";", beside.flat());
      }
      return;
  }
}
