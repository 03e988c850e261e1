import type { Constant, Expression, Offset } from "./expression.ts";
import { integerShape } from "./scalarValue.ts";

/** An address as `root + constant + sum of index * scale`, in bytes and mathematical integers. */
export type AddressParts = {
  readonly root: Expression;
  readonly constant: number;
  readonly terms: readonly { readonly index: Expression; readonly scale: number; readonly offset: Offset }[];
};

/** `folds`: constant indices are part of the constant. */
export function addressParts(address: Expression, folds = true): AddressParts {
  const terms: { index: Expression; scale: number; offset: Offset }[] = [];
  let constant = 0;
  let root = address;
  for (;;) {
    if (root.kind === "fieldAddress") {
      constant += root.offset;
      root = root.pointer;
    } else if (root.kind === "offset") {
      // An index that must be checked at use stays separate.
      const isKnown = folds && root.index.kind === "constant" && root.bound === undefined;
      const known = isKnown ? Number((root.index as Constant).value) * root.scale : Number.NaN;
      if (Number.isSafeInteger(known + constant)) constant += known;
      else terms.unshift({ index: root.index, scale: root.scale, offset: root });
      root = root.pointer;
    } else if (root.kind === "convert" && root.type.kind === "pointer" && root.operand.type.kind === "pointer") {
      root = root.operand;
    } else return { root, constant, terms };
  }
}

/** True if the value is always a `number`, never a `bigint`. */
export function isAlwaysNumber(expression: Expression): boolean {
  const { type } = expression;
  if (type.kind !== "int" && type.kind !== "bool") return true;
  if (integerShape(type).bits <= 32) return true;
  if (expression.kind === "constant") return Number.isSafeInteger(Number(expression.value));
  if (expression.kind !== "convert") return false;
  const from = expression.operand.type;
  if (from.kind !== "int" && from.kind !== "bool") return false;
  const shape = integerShape(from);
  return shape.bits <= 32 && (integerShape(type).signed || !shape.signed);
}
