import type { ObservedState } from "../../interpreter/observe.ts";
import type { Loop } from "../../ir/loops.ts";
import type { Edge, Function, Program, VariableId } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Concrete } from "../../js/recorder/valueRules.ts";
import { type EntryExpr, opaque, someExpr } from "../expr.ts";
import type { Condition, Declared, Definition, EntryValue } from "../summary.ts";
import type { Cells } from "./cells.ts";
import { type CPlace, type CValue, isRecorded, type Pointers, recordedOf } from "./value.ts";

export type CWorld = {
  readonly program: Program;
  readonly wraps: boolean;
  readonly pointers: Pointers;
  /** The run, before the edge that is being followed. */
  state: ObservedState;
};

/** The place where a term of the entry state was read; a caller looks it up there. */
export type CellOrigin =
  | { readonly kind: "parameter"; readonly index: number }
  | { readonly kind: "place"; readonly place: CPlace };

/** A loop that the call is in. */
export type LoopStay = {
  readonly loop: Loop;
  readonly before: ReadonlyMap<VariableId, CValue>;
  readonly writesBefore: number;
  rounds: number;
  /** The conditions when the round began. */
  conditions: readonly Condition[];
};

/** The state of one call that is being followed. */
export type CFrame = {
  readonly world: CWorld;
  readonly fn: Function;
  readonly caller: CFrame | null;
  readonly args: readonly CValue[];
  /** A library function called it. */
  readonly isCallback: boolean;
  readonly registers: Map<VariableId, CValue>;
  /** Local variables that lie in memory, as objects that the call made. */
  readonly localNames: Map<VariableId, EntryExpr>;
  readonly cells: Cells;
  readonly entry: Map<string, EntryValue>;
  readonly origins: Map<string, CellOrigin>;
  readonly definitions: Map<string, Definition>;
  readonly delegated: string[];
  readonly rounds: Map<string, Concrete[]>;
  /** Blocks that it allocated, by address. */
  readonly blocks: Map<number, EntryExpr>;
  readonly loops: LoopStay[];
  conditions: Condition[];
  /** The index of the first condition of the outermost loop; null outside of loops. */
  loopStart: number | null;
  opaques: number;
  fresh: number;
  last: Edge | null;
  /** The last edge's target has its value only now. */
  pending: ((frame: CFrame) => void) | null;
};

export function freshOpaque(frame: CFrame, text: string): EntryExpr {
  return opaque(frame.opaques++, text);
}

/** Terms longer than this are read by nobody, and grow without bounds. */
const longestTerm = 600;

export function bounded(frame: CFrame, value: CValue): CValue {
  if (value.term.key.length <= longestTerm) return value;
  return { raw: value.raw, term: freshOpaque(frame, "a long term"), scale: null };
}

/** In a loop the latest condition of a program point wins (§4.3). */
export function addCondition(frame: CFrame, condition: Condition): void {
  const { expr, point, kind } = condition;
  if (expr.kind === "const" || isSelfEvident(expr)) return;
  const start = frame.loopStart;
  if (start !== null)
    frame.conditions = frame.conditions.filter(
      (known, at) => at < start || known.point !== point || known.kind !== kind,
    );
  if (frame.conditions.some((known) => known.expr.key === expr.key)) return;
  frame.conditions.push(condition);
}

/** A named or just allocated object is never null. */
function isSelfEvident(expr: EntryExpr): boolean {
  if (expr.kind !== "binary" || expr.operator !== "!=" || expr.right.kind !== "const") return false;
  return expr.left.kind === "new" || (expr.left.kind === "unary" && expr.left.operator === "&");
}

export function rememberEntry(
  frame: CFrame,
  term: EntryExpr,
  raw: ScalarValue | undefined,
  type: ScalarType,
  origin: CellOrigin | null,
): void {
  const value = recordedOf(raw, type, frame.world.pointers);
  // A place that is reached by a loop variable is another one in each round.
  if (someExpr(term, (one) => one.kind === "loop" || one.kind === "opaque") || frame.entry.has(term.key)) return;
  if (isRecorded(value)) frame.entry.set(term.key, { term, value, type: declaredOf(type) });
  if (origin !== null) frame.origins.set(term.key, origin);
}

export function declaredOf(type: ScalarType, name = ""): Declared {
  if (type.kind === "pointer") return { kind: "ref", name };
  return { kind: type.kind === "float" ? "number" : "int", name };
}
