import type { ScalarValue } from "../../ir/scalarValue.ts";
import { isScalar } from "../../ir/type.ts";
import { applyBinary, applyUnary, type Concrete, sameValue, unknownValue } from "../../js/recorder/valueRules.ts";
import { type EntryExpr, opaque, someExpr } from "../expr.ts";
import type { Checks, Condition, EntryValue, Summary, SummaryOutcome, Write } from "../summary.ts";
import type { ConcolicCell, Disturbed } from "./cells.ts";
import type { CellOrigin, CFrame } from "./frame.ts";
import { type CValue, recordedOf } from "./value.ts";

/** One call, for the inference and for its callers. */
export type CSummary = {
  readonly shown: Summary;
  readonly result: ScalarValue | undefined;
  readonly origins: ReadonlyMap<string, CellOrigin>;
  /** Values of places in the entry state. */
  readonly raws: ReadonlyMap<string, ScalarValue>;
  readonly writes: readonly Pick<ConcolicCell, "place" | "value">[];
  readonly disturbed: readonly Disturbed[];
  /** Allocated blocks that are still there. */
  readonly blocks: ReadonlyMap<number, EntryExpr>;
};

export type CEnd =
  | { readonly kind: "return"; readonly value: CValue | null }
  | { readonly kind: "stop"; readonly reason: string };

/** Every condition, result and write is compared with the run; what disagrees becomes opaque (paper 002 §3.2). */
export function summarise(frame: CFrame, end: CEnd): CSummary {
  const checks: Checks = { agreed: 0, disagreed: 0, open: 0 };
  const { entry } = frame;
  const conditions = frame.conditions.map((one): Condition => {
    const value = valueAtEntry(one.expr, entry);
    const right = value === unknownValue ? null : Boolean(value);
    count(checks, right);
    return right === false ? { ...one, expr: opaque(frame.opaques++, one.expr.key) } : one;
  });
  const checked = ({ term, raw }: CValue, concrete: Concrete): EntryExpr => {
    if (someExpr(term, (one) => one.kind === "opaque"))
      return term.kind === "opaque" ? term : opaque(frame.opaques++, term.key);
    const value = valueAtEntry(term, entry);
    const right = value === unknownValue || raw === undefined ? null : sameValue(asNumber(value), asNumber(concrete));
    count(checks, right);
    return right === false ? opaque(frame.opaques++, term.key) : term;
  };
  const all = [...frame.cells.cells()].filter((cell) => cell.written);
  const lasting = all.filter(({ place }) => !isLocal(frame, place.at));
  const visible = lasting.filter(
    ({ place, value }) => !frame.cells.isFresh(place.at) && value.term.key !== place.term.key,
  );
  const writes = visible.map(({ place, value }): Write => {
    const concrete = recordedOf(value.raw, place.type, frame.world.pointers);
    return { place: place.term, value: checked(value, concrete), object: null, name: "", concrete };
  });
  const disturbed = frame.cells.disturbed.filter(({ pointer }) => !isLocal(frame, pointer));
  const changed = disturbed
    .filter(({ pointer }) => !frame.cells.isFresh(pointer))
    .map(
      ({ term }): Write => ({
        ...{ place: term, object: null, name: "", concrete: unknownValue },
        value: opaque(frame.opaques++, "bytes"),
      }),
    );
  const shown: Summary = {
    conditions,
    outcome: outcomeOf(frame, end, checked),
    writes: [...writes, ...changed],
    freshCells: [],
    freshObjects: new Map(),
    entry,
    delegated: [...new Set(frame.delegated)],
    rounds: frame.rounds,
    state: null,
    checks,
  };
  const result = end.kind === "return" ? end.value?.raw : undefined;
  return {
    shown,
    result,
    origins: frame.origins,
    raws: rawsOf(frame),
    writes: lasting,
    disturbed,
    blocks: frame.blocks,
  };
}

function outcomeOf(
  frame: CFrame,
  end: CEnd,
  checked: (value: CValue, concrete: Concrete) => EntryExpr,
): SummaryOutcome {
  if (end.kind === "stop") return { kind: "throw", error: end.reason, concrete: undefined };
  const { result } = frame.fn.type;
  if (end.value === null || !isScalar(result))
    return { kind: "return", result: { kind: "const", key: "undefined", value: undefined }, concrete: undefined };
  const concrete = recordedOf(end.value.raw, result, frame.world.pointers);
  return { kind: "return", result: checked(end.value, concrete), concrete };
}

/** A variable of the call itself: it is gone when the call is over. Allocated blocks are not. */
function isLocal(frame: CFrame, at: number): boolean {
  if (!frame.cells.isFresh(at)) return false;
  const kind = frame.world.state.object(at)?.kind;
  return kind !== "heap";
}

function rawsOf(frame: CFrame): ReadonlyMap<string, ScalarValue> {
  const raws = new Map<string, ScalarValue>();
  for (const [key, { value }] of frame.entry) {
    if (value === null) raws.set(key, 0);
    else if (typeof value === "number" || typeof value === "bigint") raws.set(key, value);
    else if (typeof value === "object" && value.kind === "object") raws.set(key, value.number);
  }
  return raws;
}

function count(checks: Checks, right: boolean | null): void {
  if (right === null) checks.open++;
  else if (right) checks.agreed++;
  else checks.disagreed++;
}

/** Truth is 1. */
function asNumber(value: Concrete): Concrete {
  return typeof value === "boolean" ? Number(value) : value;
}

function valueAtEntry(expr: EntryExpr, entry: ReadonlyMap<string, EntryValue>): Concrete {
  const known = entry.get(expr.key);
  if (known !== undefined) return known.value;
  switch (expr.kind) {
    case "const":
      return expr.value;
    case "unary":
      return applyUnary(expr.operator, asNumber(valueAtEntry(expr.operand, entry)));
    case "binary": {
      const left = asNumber(valueAtEntry(expr.left, entry));
      const right = asNumber(valueAtEntry(expr.right, entry));
      return expr.operator === "div" ? quotient(left, right) : applyBinary(expr.operator, left, right);
    }
    default:
      return unknownValue;
  }
}

function quotient(left: Concrete, right: Concrete): Concrete {
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right) || right === 0) return unknownValue;
  return Math.trunc((left as number) / (right as number)) + 0;
}

/** A call as C writes it: `free(l->head)`; what has no name is left out. */
export function describeCall(name: string, args: readonly CValue[]): string {
  return `${name}(${args.map(({ term }) => describeTerm(term) ?? "...").join(", ")})`;
}

function describeTerm(term: EntryExpr): string | null {
  switch (term.kind) {
    case "const":
      return term.value === null ? "NULL" : String(term.value);
    case "param":
    case "free":
      return term.name;
    case "field": {
      const pointer = term.base.kind === "unary" && term.base.operator === "*" ? term.base.operand : null;
      const base = describeTerm(pointer ?? term.base);
      return base === null ? null : `${base}${pointer === null ? "." : "->"}${term.name}`;
    }
    case "element": {
      const [base, index] = [describeTerm(term.base), describeTerm(term.index)];
      return base === null || index === null ? null : `${base}[${index}]`;
    }
    case "unary": {
      const operand = describeTerm(term.operand);
      return operand === null ? null : `${term.operator}${operand}`;
    }
    default:
      return null;
  }
}
