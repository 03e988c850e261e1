import { assertNever, Defect } from "../base/errors.ts";
import type { Arithmetic } from "./arithmetic.ts";
import type { Divisions } from "./division.ts";
import { euclideanMod } from "./linear.ts";
import type { BitOperation, BitOperator, Monomial, Term, TermTable } from "./term.ts";

export type Bitwise = {
  /**
   * Operates on the low `width` bits; the result is unsigned (see `BitOperation`). With a constant operand of few runs
   * of ones, and for constant shifts, the result is arithmetic with `div` and `mod`; else a `bits` node.
   */
  bits(operator: BitOperator, width: number, left: Term, right: Term): Term;
};

/** A constant mask with more runs of ones stays a `bits` node. */
const runLimit = 4;

export function bitwise(table: TermTable, terms: Arithmetic & Divisions): Bitwise {
  const power = (exponent: number | bigint) => terms.int(1n << BigInt(exponent));

  function bits(operator: BitOperator, width: number, givenLeft: Term, givenRight: Term): Term {
    if (!Number.isInteger(width) || width < 1) throw new Defect(`bitwise operation of width ${width}`);
    const left = terms.mod(givenLeft, power(width));
    const right = terms.mod(givenRight, power(width));
    if (left.kind === "int" && right.kind === "int")
      return terms.int(evaluateBits(operator, width, left.value, right.value));
    switch (operator) {
      case "and":
      case "or":
      case "xor":
        return commutative(operator, width, left, right);
      case "shl":
      case "lshr":
      case "ashr":
        return right.kind === "int" ? shift(operator, width, left, right.value) : node(operator, width, left, right);
      default:
        return assertNever(operator);
    }
  }

  function commutative(operator: "and" | "or" | "xor", width: number, left: Term, right: Term): Term {
    if (left === right) return operator === "xor" ? terms.int(0n) : left;
    if (left.kind === "int") return commutative(operator, width, right, left);
    if (right.kind === "int") {
      const masked = mask(uncut(left, width), right.value);
      // a | m = a + m - (a & m) and a ^ m = a + m - 2 (a & m)
      if (masked !== null && operator === "and") return masked;
      if (masked !== null)
        return terms.linear(
          [
            { coefficient: 1n, term: left },
            { coefficient: operator === "or" ? -1n : -2n, term: masked },
          ],
          right.value,
        );
      return node(operator, width, left, right);
    }
    const older = uncut(left, width).id < uncut(right, width).id;
    return older ? node(operator, width, left, right) : node(operator, width, right, left);
  }

  /** `term & mask` as a sum over the mask's runs of ones, `2^low * ((term div 2^low) mod 2^length)` each. */
  function mask(term: Term, bitMask: bigint): Term | null {
    const parts: Monomial[] = [];
    for (let rest = bitMask, low = 0n; rest !== 0n; ) {
      while ((rest & 1n) === 0n) {
        rest >>= 1n;
        low++;
      }
      let length = 0n;
      while ((rest & 1n) === 1n) {
        rest >>= 1n;
        length++;
      }
      if (parts.length === runLimit) return null;
      parts.push({ coefficient: 1n << low, term: terms.mod(terms.div(term, power(low)), power(length)) });
      low += length;
    }
    return terms.linear(parts);
  }

  function shift(operator: "shl" | "lshr" | "ashr", width: number, left: Term, amount: bigint): Term {
    const size = power(width);
    switch (operator) {
      case "shl":
        return amount >= width ? terms.int(0n) : terms.mod(terms.mul(left, power(amount)), size);
      case "lshr":
        return amount >= width ? terms.int(0n) : terms.div(left, power(amount));
      case "ashr": {
        const distance = amount >= width ? BigInt(width - 1) : amount;
        return terms.mod(terms.div(terms.wrap(left, width, true), power(distance)), size);
      }
      default:
        return assertNever(operator);
    }
  }

  /** The operation takes only the low bits, so an operand cut to `width` bits is replaced by its dividend. */
  function node(operator: BitOperator, width: number, cutLeft: Term, cutRight: Term): Term {
    const [left, right] = [uncut(cutLeft, width), uncut(cutRight, width)];
    const shape: Omit<BitOperation, "id"> = { kind: "bits", sort: "Int", operator, width, left, right };
    return table.intern(`b${operator}${width},${left.id},${right.id}`, shape);
  }

  return { bits };
}

function uncut(term: Term, width: number): Term {
  const isCut = term.kind === "mod" && term.divisor.kind === "int" && term.divisor.value === 1n << BigInt(width);
  return isCut ? term.dividend : term;
}

/** The value of a `bits` node; the operands may be any integers. */
export function evaluateBits(operator: BitOperator, width: number, left: bigint, right: bigint): bigint {
  const size = 1n << BigInt(width);
  const a = euclideanMod(left, size);
  const b = euclideanMod(right, size);
  switch (operator) {
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return b >= width ? 0n : euclideanMod(a << b, size);
    case "lshr":
      return b >= width ? 0n : a >> b;
    case "ashr": {
      const signed = a >= size / 2n ? a - size : a;
      return euclideanMod(signed >> (b >= width ? BigInt(width) : b), size);
    }
    default:
      return assertNever(operator);
  }
}
