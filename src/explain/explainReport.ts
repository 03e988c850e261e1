import type { CommonReport } from "../jobs/commonReport.ts";
import type { CompressResult } from "../jobs/compress/compressReport.ts";
import type { ArgumentSize, ArgumentStep, DroppedStep } from "./argument.ts";
import type { InputCondition, Reproducer } from "./explanation.ts";

/** What logic says of a failing run, as data: the part of an explanation that is proved. */
export type ExplainReport = CommonReport &
  Omit<CompressResult, "steps"> & {
    readonly command: "explain";
    readonly dataModel: "ILP32" | "LP64";
    readonly explanation: ArgumentSize;
    readonly steps: readonly ArgumentStep[];
    readonly inputCondition: InputCondition;
    readonly reproducer: Reproducer | null;
    /** Steps of the folded run that do not matter. */
    readonly dropped: number;
    /** Those steps; absent where the report does not come from a run. */
    readonly droppedSteps?: readonly DroppedStep[];
  };
