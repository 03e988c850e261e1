import { remembered } from "../../base/memo.ts";
import type { ProgramVariable } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Recorded, RecordedObject } from "../../js/recorder/readLog.ts";
import { type Concrete, unknownValue } from "../../js/recorder/valueRules.ts";
import { binary, type EntryExpr, element, field, parameter, plusInteger, unary } from "../expr.ts";
import { structResult } from "../summary.ts";

/** A value of the run, and the same as a term over the state at entry. */
export type CValue = {
  readonly raw: ScalarValue | undefined;
  readonly term: EntryExpr;
  /** The size of an element, for the address of one. */
  readonly scale: number | null;
};

/** The place of a scalar: in memory, or in a register that lives as long as the run (`registerPlace`). */
export type CPlace = {
  readonly at: number;
  readonly size: number;
  readonly type: ScalarType;
  readonly term: EntryExpr;
};

/** Registers have no address: numbers that no pointer has stand for them. */
export const registerPlace = (variable: number): number => -1 - variable;
export const isRegister = (at: number): boolean => at < 0;

/** Pointers as objects, one for each address, so that `===` compares them; null is null. */
export type Pointers = Map<number, RecordedObject>;

export function recordedOf(raw: ScalarValue | undefined, type: ScalarType, pointers: Pointers): Concrete {
  if (raw === undefined) return unknownValue;
  if (type.kind !== "pointer") return raw;
  if (raw === 0) return null;
  const address = Number(raw);
  return remembered(pointers, address, () => ({ kind: "object", number: address, className: "pointer" }));
}

/** As a value of the state at entry, where there is one. */
export function isRecorded(value: Concrete): value is Recorded {
  return value !== unknownValue;
}

/** The place that an address is the address of: `&x` is that of x, a pointer `p` that of `*p`. */
export function placeBehind(address: EntryExpr): EntryExpr {
  return address.kind === "unary" && address.operator === "&" ? address.operand : unary("*", address);
}

export const addressOf = (place: EntryExpr): EntryExpr => unary("&", place);

/** `pointer + index` elements of so many bytes each: `p[i]`, `(a + 1)[i]` is `a[1 + i]`, a row of a matrix has rows. */
export function elementAt(pointer: CValue, index: CValue, scale: number): EntryExpr {
  const { term } = pointer;
  if (term.kind !== "unary" || term.operator !== "&") return element(term, index.term);
  const place = term.operand;
  if (place.kind === "element" && pointer.scale === scale) return element(place.base, sum(place.index, index.term));
  return element(place, index.term);
}

function sum(left: EntryExpr, right: EntryExpr): EntryExpr {
  if (right.kind === "const" && typeof right.value === "number") return plusInteger(left, right.value);
  if (left.kind === "const" && typeof left.value === "number") return plusInteger(right, left.value);
  return binary("+", left, right);
}

export function fieldOf(pointer: EntryExpr, name: string): EntryExpr {
  return field(placeBehind(pointer), name);
}

/** The struct that a made-up pointer parameter stands for; null for a parameter of the source. */
export function structParameter({ name, madeUp, type }: ProgramVariable): Extract<EntryExpr, { kind: "param" }> | null {
  if (madeUp !== true || type.kind !== "pointer" || type.to.kind !== "struct") return null;
  return (name === "$result" ? structResult : parameter(name.slice(1))) as Extract<EntryExpr, { kind: "param" }>;
}
