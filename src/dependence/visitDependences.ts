import { nth } from "../base/checked.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Leaf } from "../interpreter/track/leaves.ts";
import type { DependenceTracker } from "../interpreter/track/tracker.ts";
import type { Expression } from "../ir/expression.ts";
import { completeSize } from "../ir/type.ts";
import { type DescribedSteps, placeUse, stepOf } from "./read.ts";

/** The first wrong byte of output, and its sources. */
export type PrintedByte = {
  /** The step that printed it. */
  readonly step: number;
  /** The arguments of that call; none where it is part of a format. */
  readonly arguments: readonly number[];
  /** The sources of the byte, by index in the tracker's reads. */
  readonly reads: ReadonlySet<number>;
  /** The address of the byte that was printed unchanged from a sequence of bytes. */
  readonly byteAt: number | null;
};

/** null where the run printed nothing there, or printed it before what is described. */
export function wrongByte(trace: Trace, steps: DescribedSteps): PrintedByte | null {
  const { outcome } = trace;
  if (outcome.kind !== "wrong-output") return null;
  const { tracker } = steps;
  const writers = tracker.printed.get(outcome.stream);
  const step = stepOf(writers?.steps[outcome.blamed] ?? 0);
  if (writers === undefined || step === null || step < tracker.from) return null;
  return printedByte(steps, step, writers.offsets[outcome.blamed]!);
}

/** The step that printed the last byte that was as expected. */
export function lastRightByte({ outcome }: Trace, { tracker }: DescribedSteps): number | null {
  if (outcome.kind !== "wrong-output" || outcome.blamed === 0) return null;
  return stepOf(tracker.printed.get(outcome.stream)?.steps[outcome.blamed - 1] ?? 0);
}

/** Byte `offset` of what a step printed, or wrote as a string. */
export function printedByte(steps: DescribedSteps, step: number, offset: number): PrintedByte {
  const { tracker } = steps;
  const leaves = steps.leaves(step);
  const start = tracker.steps.firstRead[step - tracker.from]!;
  const end = tracker.steps.firstRead[step - tracker.from + 1]!;
  const extras = start + leaves.length;
  let from = 0;
  const pieces = tracker.pieces.get(step);
  const piece = pieces?.find(({ size }) => {
    from += size;
    return offset < from;
  });
  const [first, last] = piece === undefined ? [0, pieces === undefined ? 1 : 0] : [piece.first, piece.end];
  const args = Array.from({ length: last - first }, (_, i) => first + i);
  const reads = new Set<number>();
  leaves.forEach(({ parts }, k) => {
    if (parts.some((part) => args.includes(part))) reads.add(start + k);
  });
  const range = piece === undefined ? [extras, end] : [extras + piece.firstRead, extras + piece.endRead];
  const inside = piece === undefined ? offset : offset - (from - piece.size);
  const runs = Array.from({ length: nth(range, 1) - nth(range, 0) }, (_, i) => nth(range, 0) + i);
  const found = runsAt(tracker, runs, inside, piece?.size ?? null);
  for (const run of found.runs) reads.add(run);
  return { step, arguments: args, reads, byteAt: found.byteAt };
}

/** The run of bytes with one that was printed as it is; all of them where the text was padded or is no copy. */
function runsAt(
  tracker: DependenceTracker,
  runs: readonly number[],
  offset: number,
  size: number | null,
): { readonly runs: readonly number[]; readonly byteAt: number | null } {
  const { value, address } = tracker.reads;
  const total = runs.reduce((sum, run) => sum + value[run]!, 0);
  // A string is read with its terminating zero.
  const isCopy = size === null || total === size || total === size + 1;
  let end = 0;
  for (const run of isCopy ? runs : []) {
    const start = end;
    end += value[run]!;
    if (offset < end) return { runs: [run], byteAt: address[run]! + offset - start };
  }
  return { runs, byteAt: null };
}

export type DependenceKind = "data" | "address" | "control";

/** Receives the step and the part of it that something depends on; see `Event`. */
export type DependenceVisitor = (step: number, part: number, kind: DependenceKind) => void;

/** Longer stretches of text are not looked at byte by byte, and so many parts are told apart. */
const longestFormed = 64;
const mostParts = 29;

/** Which reads of a call, counted from 1, the bytes at an address were made of; null for too many, or for other bytes. */
function formedParts(steps: DescribedSteps, writer: number, address: number, size: number): ReadonlySet<number> | null {
  const { from, steps: arrays } = steps.tracker;
  const start = address - arrays.writeAddress[writer - from]!;
  if (start < 0 || size > longestFormed) return null;
  const first = arrays.firstRead[writer - from]!;
  const parts = new Set<number>();
  for (let offset = start; offset < start + size; offset++) {
    for (const read of printedByte(steps, writer, offset).reads) parts.add(1 + read - first);
  }
  return [...parts].some((part) => part > mostParts) ? null : parts;
}

/** The direct dependences of each step: the writers of its reads, and the branch or call that caused it. */
export function dependenceVisitor(steps: DescribedSteps, wrong: PrintedByte | null, undefinedAt: number | null) {
  const { program, tracker } = steps;
  const { from, reads } = tracker;
  const parameterIndex = new Map(program.functions.flatMap((fn) => fn.parameters.map((id, i) => [id as number, i])));
  const isAssignment = Uint8Array.from(steps.edges, ({ operation }) => (operation.kind === "assign" ? 1 : 0));
  const isCallEdge = Uint8Array.from(steps.edges, ({ operation }) => (operation.kind === "call" ? 1 : 0));

  /** Which parts of the writer a read is about. */
  const visitWriter = (
    index: number,
    size: number,
    expression: Expression | null,
    kind: DependenceKind,
    visit: DependenceVisitor,
    address = reads.address[index]!,
  ): void => {
    const writer = reads.writer[index]! - 1;
    if (writer < 0) return;
    if (writer < from) return visit(writer, 0, kind);
    if (steps.edge(writer).operation.kind === "call") {
      const known = expression?.kind === "variable" ? parameterIndex.get(expression.variable) : undefined;
      return visit(writer, 1 + (known ?? cellIndex(writer, address)), kind);
    }
    if (tracker.pieces.has(writer)) return visitFormed(writer, address, size, kind, visit);
    const copy = tracker.copies.get(writer);
    if (copy === undefined || address < copy.to || address + size > copy.to + copy.size) return visit(writer, 0, kind);
    visitCopied(writer, copy.from + address - copy.to, size, kind, visit);
  };
  /** -1, which makes it the whole call, where no parameter in memory lies at the address. */
  const cellIndex = (call: number, address: number): number => {
    const cells = tracker.parameterCells.get(call) ?? [];
    return cells.findLastIndex((cell) => cell !== -1 && cell <= address && address < cell + 16);
  };
  /** The sources of bytes that a format wrote: its reads, and the arguments of its directives. */
  const visitFormed = (
    writer: number,
    address: number,
    size: number,
    kind: DependenceKind,
    visit: DependenceVisitor,
  ): void => {
    const parts = formedParts(steps, writer, address, size);
    if (parts === null) visit(writer, 0, kind);
    else if (parts.size === 0) visit(writer, -1, kind);
    else for (const part of parts) visit(writer, part, kind);
  };
  /** The reads of a copy that have bytes in common with those at an address. */
  const visitCopied = (
    copy: number,
    address: number,
    size: number,
    kind: DependenceKind,
    visit: DependenceVisitor,
  ): void => {
    const start = tracker.steps.firstRead[copy - from]! + steps.leaves(copy).length;
    const end = tracker.steps.firstRead[copy - from + 1]!;
    for (let i = start; i < end; i++) {
      const at = reads.address[i]!;
      if (at < address + size && address < at + reads.value[i]!) visit(copy, 1 + i - start, kind);
    }
  };
  /** Has a library call read bytes that have been there from the start: then it is the pointer that says what they are. */
  const readsLiteral = (step: number): boolean => {
    const end = tracker.steps.firstRead[step - from + 1]!;
    for (let i = tracker.steps.firstRead[step - from]! + steps.leaves(step).length; i < end; i++) {
      if (reads.writer[i] === -1) return true;
    }
    return false;
  };
  const kindOf = (step: number, { role, parts }: Leaf): DependenceKind => {
    if (role !== "value") return "address";
    const { operation } = steps.edge(step);
    // If the call is undefined, the question is about the places that it was given.
    if (operation.kind !== "callLibrary" || step === undefinedAt) return "data";
    const use = placeUse(operation, parts);
    return use === "written" || (use === "read" && !readsLiteral(step)) ? "address" : "data";
  };
  const visitLeaf = (step: number, index: number, leaf: Leaf, visit: DependenceVisitor): void => {
    const { expression } = leaf;
    const kind = kindOf(step, leaf);
    const writer = reads.writer[index]! - 1;
    // Most bytes come from one assignment.
    if (writer >= from && isAssignment[tracker.steps.code[writer - from]!] === 1) return visit(writer, 0, kind);
    visitWriter(index, completeSize(expression.type, program.pointerBytes), expression, kind, visit);
  };

  const visitParent = (step: number, visit: DependenceVisitor): void => {
    const parent = tracker.steps.parent[step - from]! - 1;
    if (parent < 0) return;
    visit(parent, parent >= from && isCallEdge[tracker.steps.code[parent - from]!] === 1 ? -1 : 0, "control");
  };

  return (step: number, part: number, visit: DependenceVisitor): void => {
    const leaves = steps.leaves(step);
    const start = tracker.steps.firstRead[step - from]!;
    const end = tracker.steps.firstRead[step - from + 1]!;
    const isCall = isCallEdge[tracker.steps.code[step - from]!] === 1;
    // The parts of a call that a format wrote by are its reads.
    if (part > 0 && tracker.pieces.has(step)) {
      const read = start + part - 1;
      const leaf = leaves[part - 1];
      if (leaf !== undefined) visitLeaf(step, read, leaf, visit);
      else if (read < end) visitWriter(read, reads.value[read]!, null, "data", visit);
      return visitParent(step, visit);
    }
    // Other output of the call does not matter.
    const asked = wrong !== null && step === wrong.step ? wrong.reads : null;
    for (let k = 0; k < leaves.length; k++) {
      if (asked !== null && !asked.has(start + k)) continue;
      const leaf = nth(leaves, k);
      if (part === -1 ? leaf.parts.includes(-1) : part === 0 || !isCall || leaf.parts.includes(part - 1)) {
        visitLeaf(step, start + k, leaf, visit);
      }
    }
    for (let i = start + leaves.length; i < end; i++) {
      if (asked !== null && !asked.has(i)) continue;
      if (part !== 0 && i - start - leaves.length !== part - 1) continue;
      const byteAt = step === wrong?.step ? wrong.byteAt : null;
      if (byteAt === null) visitWriter(i, reads.value[i]!, null, "data", visit);
      else visitWriter(i, 1, null, "data", visit, byteAt);
    }
    visitParent(step, visit);
  };
}
