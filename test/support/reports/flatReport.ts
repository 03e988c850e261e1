import type { CompressedRun } from "../../../src/commands/compress/pipeline.ts";
import { type AboutFolding, describeCompression } from "../../../src/commands/explain/describeFolding.ts";
import type { ProvedPart } from "../../../src/commands/explain/describeProof.ts";
import { bareFailure, withoutWhys } from "../../../src/commands/explain/joinExplanation.ts";
import type {
  ArgumentSize,
  ArgumentStep,
  Explained,
  ExplanationHead,
  FoldedStep,
  Folding,
  InputCondition,
} from "../../../src/commands/explain/result.ts";
import type { Argued } from "../../../src/render/explainProofText.ts";
import { counters } from "./compressReports.ts";
import { at } from "./reportParts.ts";

type Shared = Pick<Explained, "loops" | "proof"> & {
  readonly target: (Omit<Folding["target"], "asked"> & { readonly asked?: boolean }) | null;
  readonly folded: { readonly steps: number };
  readonly unrolls: number;
  readonly innerUnrolls: number;
};

/** The folded run of an explanation without its nesting: shorter to write by hand and to look at. */
export type FlatCompressed = Omit<ExplanationHead, "dataModel" | "command"> &
  Shared & { readonly command: "compress"; readonly steps: readonly FoldedStep[] };

type WithoutDepth<T> = T extends unknown ? Omit<T, "depth"> & { readonly depth?: number } : never;
type FlatStep = WithoutDepth<ArgumentStep>;

/** A function seen further out counts as returned to, and any other as called. */
function withDepths(steps: readonly FlatStep[], entry: string): readonly ArgumentStep[] {
  const stack = [entry];
  return steps.map((step) => {
    const at = stack.lastIndexOf(step.function);
    if (at >= 0) stack.length = at + 1;
    else stack.push(step.function);
    return (step.kind === "fact" ? step : { depth: stack.length - 1, ...step }) as ArgumentStep;
  });
}

/** The same for what logic proved. */
export type FlatExplained = ExplanationHead &
  Shared &
  Pick<Explained, "reproducer"> & {
    readonly command: "explain";
    readonly explanation: ArgumentSize;
    readonly steps: readonly FlatStep[];
    readonly inputCondition: InputCondition;
    readonly dropped: number;
    readonly droppedSteps?: readonly Pick<FoldedStep & { kind: "step" }, "step" | "function" | "text" | "location">[];
  };

const nothingClaimed: InputCondition = {
  formulas: [],
  claims: "none",
  open: [],
  proved: false,
  proof: { status: "not checked", reason: "nothing is claimed" },
  text: "",
  irrelevant: [],
};

export function flatExplained(
  head: ExplanationHead,
  { folding, argument, loops, proof, inputCondition, reproducer, status, notes, unknowns }: ProvedPart,
): FlatExplained {
  const kept = new Set(
    (argument?.steps ?? []).flatMap((step) => (step.kind === "statement" && step.role !== "way" ? [step.step] : [])),
  );
  const steps = folding?.steps ?? [];
  return {
    ...head,
    command: "explain",
    ...{ status, notes, unknowns, loops, proof, reproducer },
    ...flatFolding(folding, head),
    explanation: argument?.size ?? { statements: 0, between: 0, facts: 0, variables: 0 },
    steps: argument?.steps ?? [],
    inputCondition: inputCondition ?? nothingClaimed,
    dropped: argument?.dropped ?? 0,
    droppedSteps: steps.flatMap((step) => (step.kind === "loop" || kept.has(step.step) ? [] : [step])),
  };
}

function flatFolding(folding: Folding | null, { trace }: ExplanationHead) {
  return {
    target: folding?.target ?? null,
    folded: { steps: folding?.length ?? trace.steps },
    unrolls: folding?.unrolls ?? 0,
    innerUnrolls: folding?.innerUnrolls ?? 0,
  };
}

export function flatCompression(
  run: CompressedRun,
  about: AboutFolding & { version: string; ms: number },
): FlatCompressed {
  const { folding, dataModel: _, ...explained } = describeCompression(run, about);
  return {
    ...explained,
    command: "compress",
    ...flatFolding(folding, { ...explained, dataModel: "LP64" }),
    steps: folding!.steps,
  };
}

function foldingOf(report: FlatCompressed | FlatExplained, steps: readonly FoldedStep[]): Folding | null {
  const { target, folded, unrolls, innerUnrolls } = report;
  if (target === null) return null;
  return { target: { asked: false, ...target }, length: folded.steps, unrolls, innerUnrolls, steps };
}

/** The explanation that a hand-written report is a part of. */
export function asCompressed(report: FlatCompressed): Explained & { readonly folding: Folding } {
  const { steps, target: _, folded: __, unrolls: ___, innerUnrolls: ____, outcome, ...head } = report;
  return {
    ...head,
    outcome,
    dataModel: "LP64",
    kind: "explained",
    ...withoutWhys,
    failure: {
      ...bareFailure,
      ...{ kind: outcome.kind, message: outcome.message, function: outcome.function ?? "main" },
      location: outcome.location ?? report.target!.location,
    },
    folding: foldingOf(report, steps)!,
    ...{ argument: null, inputCondition: null, reproducer: null, missing: [] },
  };
}

export function asExplained(report: FlatExplained): Explained {
  const { explanation: size, steps, dropped, droppedSteps = [], inputCondition, unknowns, ...rest } = report;
  const { target, folded: _, unrolls: __, innerUnrolls: ___, ...head } = rest;
  const { outcome } = head;
  const asked = target?.asked === true || outcome.kind === "exit";
  const location = (asked ? target?.location : outcome.location) ?? steps.at(-1)?.location ?? at(counters, 1, "extern");
  const folding = foldingOf(
    report,
    droppedSteps.map((step) => ({ kind: "step", depth: 0, ...step })),
  );
  return {
    ...head,
    unknowns,
    kind: "explained",
    ...withoutWhys,
    failure: {
      ...bareFailure,
      kind: asked ? "condition" : outcome.kind,
      message: asked ? `${target?.formula} holds` : outcome.message,
      location,
      function: outcome.function ?? steps.at(-1)?.function ?? "main",
    },
    folding,
    argument:
      target === null || steps.length === 0
        ? null
        : { steps: withDepths(steps, head.program.entry), size, dropped, unknowns },
    inputCondition: inputCondition.text === "" ? null : inputCondition,
    missing: [],
  };
}

export function asArgued(report: FlatExplained): Argued {
  const explained = asExplained(report);
  const { argument, folding } = explained;
  if (argument === null || folding === null) throw new Error("there is no argument");
  return { ...explained, argument, folding };
}
