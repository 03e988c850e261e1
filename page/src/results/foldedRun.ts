import type { Explained, FoldedStep, LoopResult } from "../../../src/commands/explain/result.ts";
import { initializerName } from "../../../src/ir/reservedNames.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";
import { formulaTexts } from "./verification.ts";

export function compressReportOf({ report }: PageData): Explained | null {
  return report.command === "compress" ? (report as unknown as Explained) : null;
}

/** `306 steps became 7`. */
export function lengthText({ trace, folding }: Explained): string {
  const count = (n: number) => n.toLocaleString("en-US");
  return folding === null
    ? `${count(trace.steps)} steps, none of them folded`
    : `${count(trace.steps)} steps became ${count(folding.length)}`;
}

/** `100 rounds as one, after 2 unrolled ones`. */
export function roundsText({ iterations, foldedFrom }: LoopResult): string {
  const counted = (n: number) => `${n.toLocaleString("en-US")} ${n === 1 ? "round" : "rounds"}`;
  if (foldedFrom === null) return `${counted(iterations)}, not folded`;
  return foldedFrom === 0
    ? `${counted(iterations)} as one`
    : `${counted(iterations - foldedFrom)} as one, after ${foldedFrom.toLocaleString("en-US")} unrolled`;
}

/** A step of the folded run, as the list shows it. */
export type FoldedRow = {
  readonly location: FoldedStep["location"];
  /** Its number on the recorded run, from 1. */
  readonly step: number;
  readonly depth: number;
  readonly text: string;
  readonly value: string;
  /** For a folded loop what holds in each of its rounds; null for a single step. */
  readonly always: readonly string[] | null;
  /** Steps of the folded run before this one that are not listed. */
  readonly left: number;
};

export function foldedRows({ folding }: Pick<Explained, "folding">): readonly FoldedRow[] {
  if (folding === null) return [];
  // The step that ends static initialisation is in no line.
  const steps = folding.steps.filter(
    (each) => !(each.kind === "step" && each.function === initializerName && each.text === "return"),
  );
  // Long lists have the first and the last steps.
  const gap = steps.findIndex((each, i) => {
    const before = steps[i - 1];
    return before !== undefined && each.step > before.step + (before.kind === "loop" ? before.steps : 1);
  });
  return steps.map((each, i) => {
    const { location, step, depth } = each;
    const common = { location, step, depth, left: i === gap ? folding.length - folding.steps.length : 0 };
    if (each.kind === "step") return { ...common, text: each.text, value: each.value ?? "", always: null };
    const text = `${each.iterations.toLocaleString("en-US")} rounds as one, instead of ${each.steps.toLocaleString("en-US")} steps`;
    return { ...common, text, value: "", always: formulaTexts(each.invariant) };
  });
}
