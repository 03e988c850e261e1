import { createHash } from "node:crypto";
import { nth, present } from "../../../base/checked.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { LoggedCall, Recorded } from "../../../js/recorder/readLog.ts";
import { type Node, withoutTypes } from "../../../js/recorder/syntax.ts";
import { instancesOf, type StatementInstance, type StatementInstances } from "../../../js/replay/instances.ts";
import { type SlicePart, sliceOf } from "../../../js/replay/logSlice.ts";
import type { RecordedFile } from "../../../js/replay/recordedFile.ts";
import { type About, reportHead, solverStats } from "../../common/result.ts";
import { bareFailure, withoutProof } from "../joinExplanation.ts";
import type { Explained, Explanation, WhyNode } from "../result.ts";
import type { RecordedTest } from "./recordFailingTest.ts";

const mostRows = 14;

/**
 * Explains a test from its log alone: the statements that led to the failure, with their values. For tests that cannot
 * be lowered; everything is observed. Null if the log does not contain the failure.
 */
export function observedSlice(recorded: RecordedTest, about: About, reason: string): Explanation | null {
  const { files, calls } = recorded;
  const instances = instancesOf(files, calls);
  const failed =
    failedInstance(instances, present(calls.at(-1)), recorded.message, files) ??
    instanceOf(files, present(calls.at(-1)));
  if (failed === null) return null;
  const parts = [...sliceOf(instances, failed, mostRows)].sort((a, b) => a.order - b.order);
  const location = failed.function.file.rangeOf(failed.node);
  const message = firstLine(recorded.message) || "the test failed";
  const nodes = parts
    .filter((part) => part.distance > 0)
    .map((part, id) => nodeOf({ ...part, isTest: part.call.parent === null }, id));
  return {
    ...reportHead("explain", about),
    kind: "explained",
    status: "ok",
    program: { files: filesOf(files, parts), entry: "test" },
    dataModel: "LP64",
    outcome: { kind: "assertion", message, location, function: nameOf(failed) },
    inputs: [],
    trace: { steps: instances.all.length },
    notes: [],
    stats: solverStats(about),
    unknowns: [],
    failure: {
      ...bareFailure,
      ...{ kind: "assertion", message, location, function: nameOf(failed) },
      stack: stackOf(instances, failed),
    },
    questions: ["what led to it, by the log"],
    graph: {
      source: "log",
      starts: [],
      failingLines: [],
      nodes,
      edges: nodes.map(({ id }) => ({ from: id, to: null, kind: "data" })),
      left: 0,
    },
    suspects: [],
    ...withoutProof,
    missing: [{ kind: "recording", reason }],
  };
}

/** The innermost call that threw, with the statement that the runner names, or the last logged one. */
function failedInstance(
  instances: StatementInstances,
  test: LoggedCall,
  message: string,
  files: readonly RecordedFile[],
): StatementInstance | null {
  const places = [...message.matchAll(/([^\s()]+):(\d+):(\d+)/g)].map(([, path, line]) => ({
    path: path!.replace(/^file:\/\//, ""),
    line: Number(line),
  }));
  for (const { path, line } of places) {
    const file = files.find((one) => path.endsWith(one.path));
    const here = instances.all.findLast(({ function: fn, node }) => {
      const range = fn.file.rangeOf(node);
      return fn.file === file && node !== fn.node && range.line <= line && line <= range.endLine;
    });
    if (here !== undefined) return here;
  }
  let call = test;
  for (;;) {
    const last = call.items.at(-1);
    if (last?.kind !== "call" || last.call.outcome.kind !== "threw" || instances.of(last.call).length === 0) break;
    call = last.call;
  }
  return instances.of(call).findLast(({ node, function: fn }) => node !== fn.node) ?? null;
}

/** The whole test, if the log has no statement of it: `throw "text"`. */
function instanceOf(files: readonly RecordedFile[], call: LoggedCall): StatementInstance | null {
  const fn = files.find((file) => file.number === call.file)?.functions.get(call.enter);
  if (fn === undefined) return null;
  const statement = fn.node.body.type === "BlockStatement" ? fn.node.body.body.at(-1) : fn.node.body;
  if (statement === undefined) return null;
  return { order: 0, end: 0, call, function: fn, node: statement, values: [], calls: [] };
}

function stackOf(instances: StatementInstances, failed: StatementInstance): Explained["failure"]["stack"] {
  const stack: { function: string; location: SourceRange }[] = [];
  for (let at = instances.callerOf(failed.call); at !== null; at = instances.callerOf(at.call))
    stack.push({ function: nameOf(at), location: at.function.file.rangeOf(at.node) });
  return stack;
}

function nameOf({ function: fn, call }: Pick<StatementInstance, "function" | "call">): string {
  return call.parent === null ? "test" : fn.sites.name;
}

function nodeOf(part: SlicePart & { readonly isTest: boolean }, id: number): WhyNode {
  const { function: fn, node, values } = part;
  const text = fn.file.text.slice(node.start, node.end).replace(/\s+/g, " ");
  const isTest = !/Statement$|Declaration$/.test(node.type) && values.some((one) => typeof one.value === "boolean");
  const holds = isTest ? present(values.findLast((one) => typeof one.value === "boolean")) : null;
  const shown = values.filter(({ node: of }) => !isPlain(of)).slice(-2);
  return {
    ...{ id, kind: isTest ? "condition" : "statement", steps: [Math.floor(part.order) + 1], depth: 0, line: id },
    function: part.isTest ? "test" : fn.sites.name,
    location: fn.file.rangeOf(node),
    text: head(node, text, fn.file.text),
    values: isTest
      ? []
      : shown.map((one) => ({
          role: "read",
          text: short(fn.file.text.slice(one.node.start, one.node.end)),
          value: textOf(one.value),
        })),
    tests: holds === null ? [] : [{ text: `it is ${String(holds.value)}`, holds: holds.value === true }],
    visit: { number: 1, of: 1 },
    ...{ acts: !isTest, question: 0, near: [id], flowsInto: [], handsOn: false, calledBy: null },
    next: { node: null, edge: "data" },
    evidence: "observed",
  };
}

/** The head of a loop, without its body. */
function head(node: Node, text: string, source: string): string {
  if (!/^For(Of|In)Statement$/.test(node.type)) return text;
  return source.slice(node.start, node.body.start).replace(/\s+/g, " ").trim();
}

/** True if the value is obvious from the text. */
function isPlain(node: Node): boolean {
  const inner = withoutTypes(node);
  return inner.type === "Literal" || inner.type === "ArrayExpression" || inner.type === "ObjectExpression";
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

function textOf(value: Recorded): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value.kind === "symbol" || value.kind === "text") return value.description;
  if (value.kind === "function") return value.className === "" ? "a function" : value.className;
  return value.className === "Array" ? "[…]" : value.className === "Object" ? "{…}" : value.className;
}

function filesOf(files: readonly RecordedFile[], parts: readonly SlicePart[]): Explained["program"]["files"] {
  const used = new Set(parts.map((part) => part.function.file));
  return files
    .filter((file) => used.has(file))
    .map(({ path, text }) => ({ path, sha256: createHash("sha256").update(text).digest("hex") }));
}

function firstLine(text: string): string {
  return nth(text.split("\n", 1), 0).trim();
}
