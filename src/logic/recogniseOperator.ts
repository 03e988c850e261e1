import type { Term } from "./term.ts";

export type SourceOperator =
  | { readonly kind: "binary"; readonly operator: "/" | "%"; readonly left: Term; readonly right: Term }
  | { readonly kind: "cast"; readonly type: string; readonly operand: Term };

/** Recognises the results of `Terms.truncatingDiv`, `truncatingRem` and `wrap`, to print them as written. */
export function recogniseOperator(term: Term): SourceOperator | null {
  switch (term.kind) {
    case "ite":
      return truncating(term.whenTrue, term.whenFalse, term.condition);
    case "mod":
      return wrapping(term, 0n);
    case "sum": {
      const only = term.monomials.length === 1 ? term.monomials[0] : undefined;
      return only?.coefficient === 1n ? wrapping(only.term, term.constant) : null;
    }
    default:
      return null;
  }
}

/** `x >= 0 ? x div y : -(-x div y)`, in either order of the branches (the condition may be `x <= -1`). */
function truncating(whenTrue: Term, whenFalse: Term, condition: Term): SourceOperator | null {
  for (const [direct, mirrored] of [
    [whenTrue, whenFalse],
    [whenFalse, whenTrue],
  ] as const) {
    if (direct.kind !== "div" && direct.kind !== "mod") continue;
    const opposite = mirrored.kind === "sum" && mirrored.constant === 0n ? mirrored.monomials : [];
    const inner = opposite.length === 1 && opposite[0]!.coefficient === -1n ? opposite[0]!.term : undefined;
    if (inner === undefined || inner.kind !== direct.kind || inner.divisor !== direct.divisor) continue;
    if (!areOpposite(direct.dividend, inner.dividend)) continue;
    if (!isSignTest(condition, direct.dividend, direct === whenTrue)) continue;
    const operator = direct.kind === "div" ? "/" : "%";
    return { kind: "binary", operator, left: direct.dividend, right: direct.divisor };
  }
  return null;
}

function areOpposite(a: Term, b: Term): boolean {
  const [left, right] = [monomials(a), monomials(b)];
  return (
    constantOf(a) === -constantOf(b) &&
    left.length === right.length &&
    left.every((m, i) => m.term === right[i]!.term && m.coefficient === -right[i]!.coefficient)
  );
}

/** True if the condition is `x >= 0` (or `x < 0` if `positive` is false). */
function isSignTest(condition: Term, x: Term, positive: boolean): boolean {
  if (condition.kind !== "le") return false;
  const sums = monomials(condition.sum);
  const target = monomials(x);
  const sign = positive ? -1n : 1n;
  const offset = constantOf(x);
  return (
    condition.bound === (positive ? offset : -1n - offset) &&
    sums.length === target.length &&
    sums.every((m, i) => m.term === target[i]!.term && m.coefficient === sign * target[i]!.coefficient)
  );
}

function monomials(term: Term) {
  return term.kind === "sum" ? term.monomials : [{ coefficient: 1n, term }];
}

function constantOf(term: Term): bigint {
  return term.kind === "sum" ? term.constant : 0n;
}

const widths = [8, 16, 32, 64];

/** `x mod 2^w` is a conversion to an unsigned type, `(x + 2^(w-1)) mod 2^w - 2^(w-1)` one to a signed type. */
function wrapping(term: Term, constant: bigint): SourceOperator | null {
  if (term.kind !== "mod" || term.divisor.kind !== "int") return null;
  const modulus = term.divisor.value;
  const width = widths.find((w) => 1n << BigInt(w) === modulus);
  if (width === undefined) return null;
  if (constant === 0n) return { kind: "cast", type: `uint${width}_t`, operand: term.dividend };
  if (constant !== -modulus / 2n || constantOf(term.dividend) !== modulus / 2n) return null;
  const inner = monomials(term.dividend);
  return inner.length === 1 && inner[0]!.coefficient === 1n
    ? { kind: "cast", type: `int${width}_t`, operand: inner[0]!.term }
    : null;
}
