import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Program, VariableId } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import type { TrapSite } from "./machine.ts";
import type { Memory } from "./memory/memory.ts";

/**
 * The cause of undefined behaviour, as generated code and library see it: numbers, not words. `describeProblem` turns
 * it into a sentence. Pointers are the interpreter's own (see `memory/pointer.ts`).
 */
export type Problem =
  | {
      readonly kind: "signed-overflow";
      readonly operator: string;
      readonly left: ScalarValue;
      readonly right: ScalarValue;
    }
  | { readonly kind: "negation-overflow"; readonly operand: ScalarValue }
  | { readonly kind: "division-by-zero"; readonly operator: string; readonly left: ScalarValue }
  | { readonly kind: "bad-shift"; readonly operator: string; readonly left: ScalarValue; readonly right: ScalarValue }
  | { readonly kind: "float-conversion"; readonly value: number }
  | {
      readonly kind: "bad-access";
      readonly access: "read" | "write";
      readonly pointer: number;
      /** Bytes from `pointer` to the access; the sum may not be a pointer. */
      readonly delta: number;
      readonly size: number;
    }
  | { readonly kind: "uninitialised-memory"; readonly pointer: number; readonly size: number }
  | { readonly kind: "misaligned"; readonly pointer: number; readonly alignment: number }
  | { readonly kind: "uninitialised-register"; readonly variable: number }
  | { readonly kind: "invalid-bool"; readonly pointer: number; readonly value: number }
  | { readonly kind: "pointer-arithmetic"; readonly pointer: number; readonly delta: number }
  | { readonly kind: "bad-index"; readonly index: number }
  | { readonly kind: "pointer-comparison"; readonly left: number; readonly right: number }
  | { readonly kind: "pointer-difference"; readonly left: number; readonly right: number; readonly scale: number }
  | { readonly kind: "bad-free"; readonly pointer: number; readonly name: string }
  | { readonly kind: "bad-call"; readonly pointer: number }
  | { readonly kind: "overlapping-copy"; readonly to: number; readonly from: number; readonly size: number }
  | { readonly kind: "array-length"; readonly variable: number; readonly length: ScalarValue }
  | { readonly kind: "library"; readonly what: UndefinedBehaviour; readonly message: string };

/** Thrown by generated code and the library; never leaves this folder. `site` indexes `CompiledProgram.sites`. */
export class UndefinedRun extends Error {
  readonly problem: Problem;
  readonly site: number;

  constructor(problem: Problem, site: number) {
    super(problem.kind);
    this.problem = problem;
    this.site = site;
  }
}

export function undefinedRun(problem: Problem, site: number): never {
  // The stack of generated code is useless and slow to collect after deep recursion.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new UndefinedRun(problem, site);
  Error.stackTraceLimit = limit;
  throw error;
}

export type ProblemDescription = {
  readonly problem: UndefinedBehaviour;
  readonly message: string;
  /** The variable that is too small for the access. */
  readonly exceeded?: VariableId;
};

export type ProblemContext = {
  readonly program: Program;
  readonly sites: readonly TrapSite[];
  readonly memory: Memory;
  readonly site: TrapSite;
  readonly edge: Edge;
};
