import type { EngineName, VerifyEngine } from "../../analyses/verify/engine.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import type { Property } from "../../cutpoints/property.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Term } from "../../logic/term.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";
import type { EngineLog, Verdict } from "./verdict.ts";

export type VerifyOptions = {
  readonly property: Property;
  /** null: all of them, in the order of what they cost. */
  readonly engines: readonly EngineName[] | null;
  readonly solver: BackendChoice;
  readonly seed: number;
  /** For everything. */
  readonly milliseconds: number;
  /** Memory that each solver may take; by default 3000, and 1700 the embedded one. */
  readonly megabytes?: number;
  /** The paper's algorithm without interpolation, to see what that is worth. */
  readonly interpolation?: boolean;
  readonly run: Omit<RunOptions, "inputs" | "undefinedBehaviour">;
  /** Other engines than those of `enginePlan`. */
  readonly plan?: readonly { readonly engine: VerifyEngine; readonly share: number }[];
  readonly cancellation?: Cancellation;
  readonly progress?: (phase: EngineName | "checking") => void;
};

export type Verification = {
  readonly verdict: Verdict;
  readonly log: readonly EngineLog[];
  readonly model: ProgramModel | null;
  /** What was proved to hold at heads, whatever the verdict: by itself it need not be enough. */
  readonly known: ReadonlyMap<string, readonly Term[]>;
  readonly solver: { readonly queries: number; readonly ms: number };
  /** Of the paper's algorithm, where it was used. */
  readonly tree: { readonly states: number; readonly subsumed: number } | null;
};
