import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import { type Concrete, unknownValue } from "../../recorder/language.ts";
import type { Recorded, RecordedObject } from "../../recorder/recorded.ts";
import type { Expr } from "../expr.ts";

/** What the run had, and the same in terms of the state at entry. */
export type CValue = {
  readonly raw: ScalarValue | undefined;
  readonly term: Expr;
  /** Of the address of an element: how many bytes an element has. */
  readonly scale: number | null;
};

/** Where a scalar lies: in memory, or in a register that lives as long as the run (`registerPlace`). */
export type CPlace = {
  readonly at: number;
  readonly size: number;
  readonly type: ScalarType;
  readonly term: Expr;
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
  let known = pointers.get(address);
  if (known === undefined) {
    known = { kind: "object", number: address, className: "pointer" };
    pointers.set(address, known);
  }
  return known;
}

/** As a value of the state at entry, where there is one. */
export function isRecorded(value: Concrete): value is Recorded {
  return value !== unknownValue;
}
