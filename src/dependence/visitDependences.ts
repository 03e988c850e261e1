import type { Expression } from "../ir/expression.ts";
import { completeSize } from "../ir/typeFacts.ts";
import type { Leaf } from "../trace/dependence/leaves.ts";
import type { DescribedSteps } from "./describedSteps.ts";
import type { PrintedByte } from "./printedByte.ts";

export type DependenceKind = "data" | "address" | "control";

/** Receives the step and the part of it that something depends on; see `Event`. */
export type DependenceVisitor = (step: number, part: number, kind: DependenceKind) => void;

/** What each step directly depends on: the writers of what it read, and the branch or call that had it executed. */
export function dependenceVisitor(steps: DescribedSteps, wrong: PrintedByte | null) {
  const { program, tracker } = steps;
  const { from, reads } = tracker;
  const parameterIndex = new Map(program.functions.flatMap((fn) => fn.parameters.map((id, i) => [id as number, i])));

  /** Which parts of the writer a read is about. */
  const visitWriter = (
    index: number,
    size: number,
    expression: Expression | null,
    kind: DependenceKind,
    visit: DependenceVisitor,
  ): void => {
    const writer = reads.writer[index]! - 1;
    if (writer < 0) return;
    if (writer < from) return visit(writer, 0, kind);
    const address = reads.address[index]!;
    if (steps.edge(writer).operation.kind === "call") {
      const known = expression?.kind === "variable" ? parameterIndex.get(expression.variable) : undefined;
      return visit(writer, 1 + (known ?? cellIndex(writer, address)), kind);
    }
    const copy = tracker.copies.get(writer);
    if (copy === undefined || address < copy.to || address + size > copy.to + copy.size) return visit(writer, 0, kind);
    visitCopied(writer, copy.from + address - copy.to, size, kind, visit);
  };
  /** -1, which makes it the whole call, where no parameter in memory lies at the address. */
  const cellIndex = (call: number, address: number): number => {
    const cells = tracker.parameterCells.get(call) ?? [];
    return cells.findLastIndex((cell) => cell !== -1 && cell <= address && address < cell + 16);
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
  const visitLeaf = (index: number, leaf: Leaf, visit: DependenceVisitor): void => {
    const { expression, role } = leaf;
    visitWriter(
      index,
      completeSize(expression.type, program.pointerBytes),
      expression,
      role === "value" ? "data" : "address",
      visit,
    );
  };

  return (step: number, part: number, visit: DependenceVisitor): void => {
    const leaves = steps.leaves(step);
    const start = tracker.steps.firstRead[step - from]!;
    const end = tracker.steps.firstRead[step - from + 1]!;
    const isCall = steps.edge(step).operation.kind === "call";
    // What else a call printed is not asked about.
    const matters = (read: number) => step !== wrong?.step || wrong.reads.has(read);
    leaves.forEach((leaf, k) => {
      if (!matters(start + k)) return;
      if (part === -1 ? leaf.parts.includes(-1) : part === 0 || !isCall || leaf.parts.includes(part - 1)) {
        visitLeaf(start + k, leaf, visit);
      }
    });
    for (let i = start + leaves.length; i < end; i++) {
      if (!matters(i)) continue;
      if (part === 0 || i - start - leaves.length === part - 1) visitWriter(i, reads.value[i]!, null, "data", visit);
    }
    const parent = tracker.steps.parent[step - from]! - 1;
    if (parent >= 0) visit(parent, parent >= from && steps.edge(parent).operation.kind === "call" ? -1 : 0, "control");
  };
}
