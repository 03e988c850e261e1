import { nth } from "../../base/checked.ts";
import type { Joins } from "../../ir/branches.ts";
import { type UnassignedReads, unassignedReadsOf } from "../../ir/dataFlow.ts";
import type { Expression } from "../../ir/expression.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { TrapSite } from "../machine.ts";
import type { StaticLayout } from "../memory/staticLayout.ts";
import type { Blocks, Paths } from "../paths.ts";
import type { VariedPlaces } from "../rerun/places.ts";
import { leavesOf } from "../track/leaves.ts";

/** State shared by the emitters of one program. */
export type CompileContext = {
  readonly program: Program;
  readonly mode: CompileMode;
  readonly blocks: Blocks;
  readonly paths: Paths;
  /** With `dependence`, by function. */
  readonly joins: readonly Joins[];
  /** With `vary`: the places that a re-run can vary; else null. */
  readonly varied: VariedPlaces | null;
  /** By function: the program-wide number of its first edge. */
  readonly edgeCodes: Int32Array;
  readonly layout: StaticLayout;
  readonly sites: TrapSite[];
  readonly staticCells: ReadonlyMap<number, number>;
  /** Signatures of calls through pointers. */
  readonly signatures: Map<string, number>;
  /** False if no copy of indeterminate bytes can reach a static object: then its bytes are always initialised. */
  readonly staticsMayBeIndeterminate: boolean;
};

/** The emitter of one function. Temporaries are numbered afresh for each edge. */
export type FunctionContext = CompileContext & {
  readonly fn: Function;
  readonly unassigned: UnassignedReads;
  /** Registers that some read may find indeterminate: only these are reset by `declare`. */
  readonly checkedRegisters: ReadonlySet<number>;
  readonly lines: string[];
  /** While recording: steps are counted locally and added up where a path ends, which is wherever the run is polled. */
  countsLocally: boolean;
  edge: Edge;
  temporaries: number;
  maxTemporaries: number;
};

export function functionContext(program: CompileContext, fn: Function): FunctionContext {
  const unassigned = unassignedReadsOf(program.program, fn);
  const checkedRegisters = new Set<number>();
  for (const variables of unassigned.values()) for (const variable of variables) checkedRegisters.add(variable);
  // An assigning statement may be skipped.
  if (program.varied !== null) for (const variable of fn.locals) checkedRegisters.add(variable);
  return {
    ...program,
    fn,
    unassigned,
    checkedRegisters,
    lines: [],
    countsLocally: false,
    edge: nth(fn.edges, 0),
    temporaries: 0,
    maxTemporaries: 0,
  };
}

/** An unassigned register is undefined even if the program never reads it so: someone may see it, or skip statements. */
export function keepsUndefined({ mode, varied }: CompileContext): boolean {
  return mode.hooks !== null || mode.captures === true || varied !== null;
}

export function temporary(context: FunctionContext): string {
  const name = `t${context.temporaries++}`;
  if (context.temporaries > context.maxTemporaries) context.maxTemporaries = context.temporaries;
  return name;
}

/** `completed`: the edge has been executed, including its callee. */
export function newSite(context: FunctionContext, expression: Expression | null, completed = false): number {
  const { fn, edge, sites, blocks } = context;
  const branch = edge.operation.kind === "assume" || edge.operation.kind === "case";
  // A branch condition is evaluated before the block of the chosen edge begins.
  const remaining = branch || completed ? 0 : nth(blocks.remaining, fn.id)[edge.id]!;
  sites.push({ function: fn.id, edge: edge.id, expression, remaining });
  return sites.length - 1;
}

/**
 * Names in generated code: `g` or `G[]` static register, `v` other register, `o` pointer to a local, `m` its address.
 */
export function registerName(context: CompileContext, variable: number): string {
  if (nth(context.program.variables, variable).kind !== "static") return `v${variable}`;
  const cell = context.staticCells.get(variable);
  return cell === undefined ? `g${variable}` : `G[${cell}]`;
}

/** Static registers that may hold large numbers get a cell in an array: V8 would allocate for each assignment. */
export function staticCellsOf(program: Program): ReadonlyMap<number, number> {
  const cells = new Map<number, number>();
  for (const { id, kind, storage, type } of program.variables) {
    if (kind !== "static" || storage !== "register") continue;
    const unsigned = type.kind === "int" && type.bits === 32 && !type.signed;
    if (type.kind === "float" || type.kind === "pointer" || unsigned) cells.set(id, cells.size);
  }
  return cells;
}

/** With `dependence`: the leaf index of the expression in the current edge; -1 for none. */
export function leafIndex(context: FunctionContext, expression: Expression): number {
  return leavesOf(context.program, context.edge.operation).findIndex((leaf) => leaf.expression === expression);
}

/** Adds the locally counted steps to the shared counter. */
export function settleSteps(context: FunctionContext): void {
  if (context.countsLocally) context.lines.push("S[0] += steps; steps = 0;");
}

/** What generated code does besides running the program. Each combination is compiled on demand. */
export type CompileMode = {
  /** `wrap`: signed overflow and shifts of signed values continue in two's complement. */
  readonly undefinedBehaviour: "stop" | "wrap";
  /** Log one number per path; see `paths.ts`. */
  readonly record: boolean;
  /** Report every value that is written (replay only). */
  readonly writes: boolean;
  /** Track the writer of each value read (replay only); see `track/tracker.ts`. Not with `record`. */
  readonly dependence?: boolean;
  /** Look up variations (re-runs only); see `rerun/variation.ts`. Not with `record`. */
  readonly vary?: boolean;
  /** Edges that count as getting past a place. */
  readonly watch?: { readonly function: number; readonly edges: ReadonlySet<number> };
  /** Other functions where a re-run may begin. */
  readonly entries?: readonly number[];
  /** With `vary`: captures a checkpoint at each poll; see `rerun/checkpoints.ts`. */
  readonly captures?: boolean;
  /** With `vary`: where runs resume from checkpoints. */
  readonly resumes?: readonly ResumePoint[];
  /** Where to expose the state (replay only). */
  readonly hooks: Hooks | null;
};

/** Where a function was suspended: at its entry, at a location, or in a call that has not returned. */
export type ResumePoint = {
  readonly function: number;
  readonly kind: "entry" | "location" | "call";
  /** The location, or the edge of the call; -1 for the entry. */
  readonly at: number;
};

/** One active function: its point (an index of `resumes`), its activation, and its variables' values. */
export type SavedFrame = {
  readonly point: number;
  readonly activation: number;
  readonly values: readonly SavedValue[];
};

/** A list holds pointers to blocks from `alloca`. */
export type SavedValue = ScalarValue | undefined | readonly number[];

/** Observation points by function; the callback gets their numbers. */
export type Hooks = ReadonlyMap<number, FunctionHooks>;

export type FunctionHooks = {
  /** By location: on each arrival. */
  readonly locations: ReadonlyMap<number, number>;
  /** By edge: after the choice for a branch, else before the operation. */
  readonly before: ReadonlyMap<number, number>;
  /** By edge: after the operation, and after a call's return. Never for `return` and `fail`. */
  readonly after: ReadonlyMap<number, number>;
};
