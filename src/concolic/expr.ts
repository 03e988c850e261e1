import { applyBinary, type Concrete, objectOf } from "../js/recorder/valueRules.ts";

/**
 * Values of a call in terms of the state in which it began (paper 002 §4.2): what the caller gave, what the heap held,
 * and operations of the program on these. `key` is a canonical form: equal keys, equal terms.
 */
export type EntryExpr =
  | (Shape<"const"> & { readonly value: Primitive })
  | (Shape<"param"> & { readonly name: string })
  | Shape<"this">
  /** A variable of an enclosing function or of the file. */
  | (Shape<"free"> & { readonly name: string })
  | (Shape<"field"> & { readonly base: EntryExpr; readonly name: string })
  | (Shape<"element"> & { readonly base: EntryExpr; readonly index: EntryExpr })
  | (Shape<"unary"> & { readonly operator: string; readonly operand: EntryExpr })
  | (Shape<"binary"> & { readonly operator: string; readonly left: EntryExpr; readonly right: EntryExpr })
  /** A pure call, kept as one: its value in the state at entry. */
  | (Shape<"call"> & {
      readonly name: string;
      readonly receiver: EntryExpr | null;
      readonly args: readonly EntryExpr[];
    })
  /** An object that the call made; numbered, since two of one class are two objects. */
  | (Shape<"new"> & { readonly number: number; readonly className: string; readonly text: string })
  /** A variable or cell that changes from round to round of a loop: `$i` (§4.3). */
  | (Shape<"loop"> & { readonly name: string })
  /** An unknown value; `text` describes it. No two are equal. */
  | (Shape<"opaque"> & { readonly number: number; readonly text: string });

type Shape<Kind extends string> = { readonly kind: Kind; readonly key: string };

export type Primitive = undefined | null | boolean | number | string | bigint;

export function constant(value: Primitive): EntryExpr {
  return { kind: "const", key: literal(value), value };
}

export const self: EntryExpr = { kind: "this", key: "this" };
export const parameter = (name: string): EntryExpr => ({ kind: "param", key: name, name });
/** `name`, or `file:name` of a variable of another file: two files may each have one of that name. */
export const free = (id: string): EntryExpr => ({
  kind: "free",
  key: `^${id}`,
  name: id.slice(id.lastIndexOf(":") + 1),
});
export const loopVariable = (name: string): EntryExpr => ({ kind: "loop", key: `$${name}`, name });

export function field(base: EntryExpr, name: string): EntryExpr {
  return { kind: "field", key: `${base.key}.${name}`, base, name };
}

export function element(base: EntryExpr, index: EntryExpr): EntryExpr {
  return { kind: "element", key: `${base.key}[${index.key}]`, base, index };
}

export function fresh(number: number, className: string, text: string): EntryExpr {
  return { kind: "new", key: `<${className}#${number}>`, number, className, text };
}

export function opaque(number: number, text: string): EntryExpr {
  return { kind: "opaque", key: `?${number}`, number, text };
}

export function call(name: string, receiver: EntryExpr | null, args: readonly EntryExpr[]): EntryExpr {
  const on = receiver === null ? "" : `${receiver.key}.`;
  return { kind: "call", key: `${on}${name}(${args.map((one) => one.key).join(", ")})`, name, receiver, args };
}

const opposites: Readonly<Record<string, string>> = { "===": "!==", "!==": "===", "==": "!=", "!=": "==" };

export function unary(operator: string, operand: EntryExpr): EntryExpr {
  if (operator === "!") {
    if (operand.kind === "unary" && operand.operator === "!" && isBoolean(operand.operand)) return operand.operand;
    if (operand.kind === "binary" && opposites[operand.operator] !== undefined)
      return binary(opposites[operand.operator]!, operand.left, operand.right);
    if (operand.kind === "const") return constant(!operand.value);
  }
  if (operator === "-" && operand.kind === "const" && typeof operand.value === "number")
    return constant(-operand.value);
  return { kind: "unary", key: `${operator}(${operand.key})`, operator, operand };
}

export function binary(operator: string, left: EntryExpr, right: EntryExpr): EntryExpr {
  return { kind: "binary", key: `(${left.key} ${operator} ${right.key})`, operator, left, right };
}

/** `base + offset`, with constants gathered: `top - 1 + 1` is `top`. Only for integers. */
export function plusInteger(base: EntryExpr, offset: number): EntryExpr {
  if (base.kind === "const" && typeof base.value === "number") return constant(base.value + offset);
  if (base.kind === "binary" && base.right.kind === "const" && Number.isSafeInteger(base.right.value)) {
    const known = base.right.value as number;
    if (base.operator === "+") return plusInteger(base.left, known + offset);
    if (base.operator === "-") return plusInteger(base.left, offset - known);
  }
  if (offset === 0) return base;
  return offset > 0 ? binary("+", base, constant(offset)) : binary("-", base, constant(-offset));
}

const comparing = new Set(["<", "<=", ">", ">=", "===", "!==", "==", "!=", "in", "instanceof"]);

/** Whether a term can only be true or false. */
export function isBoolean(expr: EntryExpr): boolean {
  if (expr.kind === "const") return typeof expr.value === "boolean";
  if (expr.kind === "unary") return expr.operator === "!" || expr.operator === "delete";
  return expr.kind === "binary" && comparing.has(expr.operator);
}

export function isPlace(expr: EntryExpr): boolean {
  return ["param", "this", "free", "field", "element"].includes(expr.kind);
}

export function parts(expr: EntryExpr): readonly EntryExpr[] {
  switch (expr.kind) {
    case "field":
      return [expr.base];
    case "element":
      return [expr.base, expr.index];
    case "unary":
      return [expr.operand];
    case "binary":
      return [expr.left, expr.right];
    case "call":
      return expr.receiver === null ? expr.args : [expr.receiver, ...expr.args];
    default:
      return [];
  }
}

export function someExpr(expr: EntryExpr, holds: (one: EntryExpr) => boolean): boolean {
  return holds(expr) || parts(expr).some((part) => someExpr(part, holds));
}

/** Rebuilds a term with other parts. */
export function mapParts(expr: EntryExpr, change: (part: EntryExpr) => EntryExpr): EntryExpr {
  switch (expr.kind) {
    case "field":
      return field(change(expr.base), expr.name);
    case "element":
      return element(change(expr.base), change(expr.index));
    case "unary":
      return unary(expr.operator, change(expr.operand));
    case "binary":
      return binary(expr.operator, change(expr.left), change(expr.right));
    case "call":
      return call(expr.name, expr.receiver === null ? null : change(expr.receiver), expr.args.map(change));
    default:
      return expr;
  }
}

export function literal(value: Primitive): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** An operation on values; constants are gathered where all that was seen are integers. */
export function foldBinary(operator: string, left: ShadowValue, right: ShadowValue): ShadowValue {
  const concrete = applyBinary(operator, left.concrete, right.concrete);
  const both = left.term.kind === "const" && right.term.kind === "const";
  if (both && (concrete === null || typeof concrete !== "object") && typeof concrete !== "symbol")
    return { concrete, term: { kind: "const", key: String(concrete), value: concrete } };
  // An object is itself; a number need not be.
  if (left.term.key === right.term.key && objectOf(left.concrete) !== null && typeof concrete === "boolean")
    return { concrete, term: constant(concrete) };
  const integers = Number.isSafeInteger(left.concrete) && Number.isSafeInteger(right.concrete);
  if (integers && right.term.kind === "const" && (operator === "+" || operator === "-")) {
    const offset = right.concrete as number;
    return { concrete, term: plusInteger(left.term, operator === "+" ? offset : -offset) };
  }
  if (integers && right.term.kind === "const" && /^([<>]=?|[!=]==?)$/.test(operator))
    return { concrete, term: comparedWith(operator, left.term, right.concrete as number) };
  return { concrete, term: binary(operator, left.term, right.term) };
}

/** `x - 1 > 0` is `x > 1`, for integers. */
function comparedWith(operator: string, left: EntryExpr, bound: number): EntryExpr {
  if (left.kind === "binary" && left.right.kind === "const" && Number.isSafeInteger(left.right.value)) {
    const offset = left.right.value as number;
    if (left.operator === "+") return comparedWith(operator, left.left, bound - offset);
    if (left.operator === "-") return comparedWith(operator, left.left, bound + offset);
  }
  return binary(operator, left, constant(bound));
}

/** The negation of a condition. `!(a < b)` stays: with NaN it is not `a >= b`. */
export function negated(expr: EntryExpr): EntryExpr {
  if (expr.kind === "unary" && expr.operator === "!" && isBoolean(expr.operand)) return expr.operand;
  return unary("!", expr);
}

/** A value of the run, and the same as a term over the state at entry. */
export type ShadowValue = { readonly concrete: Concrete; readonly term: EntryExpr };
